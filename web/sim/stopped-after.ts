/** The refusal of a call in the midst of its ticks. */

import { ApiError } from '../../shared/contract/errors.ts';
import { digest } from './core/digest.ts';
import type { World } from './core/world.ts';

/** The refusal of a tick, or of all that was still to come, with how many were made before it: those stay. */
export function stoppedAfter(
	{ code, message, fix, details }: ApiError,
	made: number,
	of: number,
	world: World,
): ApiError {
	return new ApiError(code, `${message} ${made} of ${of} ticks were completed before that.`, {
		fix,
		details: { ...details, ticks_advanced: made, new_tick: world.tick, state_digest: digest(world) },
	});
}
