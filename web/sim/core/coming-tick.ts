/** Tick from which a change counts. */

import { inTick, type World } from './world.ts';

/**
 * Returns the number of completed ticks from which a change counts. Between ticks, it is the current number. During a
 * tick, it includes that tick.
 */
export function comingTick(world: World): number {
	return inTick(world) ? world.tick + 1 : world.tick;
}
