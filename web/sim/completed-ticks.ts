/** Refusal of a call that has already completed some of its ticks. */

import { ApiError } from '../../shared/contract/errors.ts';
import { digest } from './core/digest.ts';
import type { World } from './core/world.ts';

/** Returns the refusal of a later tick with the number of completed ticks, which are kept. `total`: ticks of the call. */
export function withCompletedTicks(
	{ code, message, fix, details }: ApiError,
	completed: number,
	total: number,
	world: World,
): ApiError {
	return new ApiError(code, `${message} ${completed} of ${total} ticks were completed before that.`, {
		fix,
		details: { ...details, ticks_advanced: completed, new_tick: world.tick, state_digest: digest(world) },
	});
}
