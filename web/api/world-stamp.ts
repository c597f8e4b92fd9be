/** Tick and digest of a world, as answers show them. */

import { digest } from '../sim/core/digest.ts';
import type { World } from '../sim/core/world.ts';

/** Returns the tick and the digest of a world. */
export function stampOf(world: World): { tick: number; state_digest: string } {
	return { tick: world.tick, state_digest: digest(world) };
}
