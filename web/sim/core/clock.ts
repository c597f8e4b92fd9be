/** Simulated time: whole ticks. */

import { TICKS_PER_SECOND } from '../../../shared/contract/ticks.ts';

export { TICKS_PER_SECOND };

/** Seconds per tick. */
export const DT = 1 / TICKS_PER_SECOND;

/** Returns a duration in ticks: `round(60 * seconds)`. */
export function toTicks(seconds: number): number {
	return Math.round(seconds * TICKS_PER_SECOND);
}

const LAST_TICK = 0xffffffff;

/**
 * Returns the tick a number of seconds after another. The result is at most the highest tick that fits into the 32 bits
 * of a component field.
 */
export function tickAfter(tick: number, seconds: number): number {
	return Math.min(LAST_TICK, tick + Math.max(0, toTicks(seconds)));
}
