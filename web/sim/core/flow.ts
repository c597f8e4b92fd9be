/**
 * Splits rates per second into amounts per tick.
 * Owns: steps of 1/1024. 32-bit numbers below 16,384 add them without rounding, so sums are exact.
 */

const STEPS_PER_UNIT = 1024;

/** Returns the total amount after `ticks` ticks at `rate` per second, rounded to whole steps. */
export function amountUpTo(rate: number, ticks: number): number {
	return Math.round((rate * ticks * STEPS_PER_UNIT) / 60) / STEPS_PER_UNIT;
}

/** Returns the amount for one tick. Any 60 consecutive ticks sum to the rate, to within one step. */
export function amountInTick(rate: number, tick: number): number {
	return amountUpTo(rate, tick + 1) - amountUpTo(rate, tick);
}
