/** Simulated time: whole ticks of 1/60 s. */

export const TICKS_PER_SECOND = 60;

/** Seconds per tick. */
export const DT = 1 / TICKS_PER_SECOND;

/** A duration in ticks: `round(60 * seconds)`. */
export function toTicks(seconds: number): number {
	return Math.round(seconds * TICKS_PER_SECOND);
}
