/**
 * How properties are tested: on values that a seed chooses, so that a failure can be seen again.
 * Owns: the seed and how many cases are tried.
 */

import fc from 'fast-check';

/** The seed of every property test; ORRERY_SEED chooses another. It stands in the names of the tests. */
export const SEED = Number(process.env.ORRERY_SEED ?? 20_261_120);

/** How many times as many cases as usual are tried: more with ORRERY_TIMES, for a deeper look by hand. */
const TIMES = Number(process.env.ORRERY_TIMES ?? 1);

/** Checks a property with the fixed seed, so that a failure can be seen again. */
export function check<T extends [unknown, ...unknown[]]>(
	runs: number,
	arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
	property: (...values: T) => Promise<void> | void,
): Promise<void> {
	const tested = fc.asyncProperty<T>(...arbitraries, async (...values) => {
		await property(...values);
	});
	// A history that fails is told as short as it has become by then.
	return fc.assert(tested, {
		seed: SEED,
		numRuns: runs * TIMES,
		interruptAfterTimeLimit: 15_000 * TIMES,
	});
}
