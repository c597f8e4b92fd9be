/**
 * Rates per second, given out tick by tick.
 * Owns: steps of 1/1024, which 32-bit numbers below 16 384 add without rounding, so that sums come out exact.
 */

const STEPS = 1024;

/** Returns the amount of a flow of `rate` a second after `ticks` ticks, in whole steps. */
export function flowUpTo(rate: number, ticks: number): number {
	return Math.round((rate * ticks * STEPS) / 60) / STEPS;
}

/** Returns the amount for one tick; any 60 ticks in a row bring the rate, to the step. */
export function flow(rate: number, tick: number): number {
	return flowUpTo(rate, tick + 1) - flowUpTo(rate, tick);
}
