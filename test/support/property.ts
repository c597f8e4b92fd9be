/**
 * Property tests on values that a seed chooses, so that a failure can be reproduced.
 * Owns: the time limit of properties.
 */

import fc from 'fast-check';
import { vi } from 'vitest';
import { SEED, TIMES, times } from './seed.ts';

export { SEED, times };

/** Time limit of a property (ms). After it the property fails, even if every case has passed so far. */
const LIMIT = 300_000 * TIMES;

// The limit of a property ends before the test, so that a failure is reported with its shortest case.
vi.setConfig({ testTimeout: LIMIT + 30_000 });

/** Returns random cases, the same for the same seed. */
export const cases = <T>(of: fc.Arbitrary<T>, runs: number): T[] =>
	fc.sample(of, { seed: SEED, numRuns: times(runs) });

/** Checks a property in a fixed number of cases. A property that is interrupted fails. */
export function check<T extends [unknown, ...unknown[]]>(
	runs: number,
	arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
	property: (...values: T) => Promise<void> | void,
): Promise<void> {
	const tested = fc.asyncProperty<T>(...arbitraries, async (...values) => {
		await property(...values);
	});
	return fc.assert(tested, {
		seed: SEED,
		numRuns: times(runs),
		interruptAfterTimeLimit: LIMIT,
		markInterruptAsFailure: true,
	});
}

/** Checks one of several claims about the same case. Its failure begins with the name of the claim. */
export async function claim(name: string, work: () => Promise<void> | void): Promise<void> {
	try {
		await work();
	} catch (error) {
		if (error instanceof Error) error.message = `${name}: ${error.message}`;
		throw error;
	}
}
