/** From when on something counts that is done now. */

import { inTick, type World } from './world.ts';

/**
 * Returns the first tick that what is done now belongs to: the coming one between ticks, and during a tick the one
 * after it.
 */
export function comingTick(world: World): number {
	return inTick(world) ? world.tick + 1 : world.tick;
}
