/** From when on something counts that is done now. */

import type { World } from './world.ts';

/** The first tick that what is done now belongs to: the coming one between ticks, and during a tick the one after it. */
export function comingTick(world: World): number {
	return world.chance === null ? world.tick : world.tick + 1;
}
