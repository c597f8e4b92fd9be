/**
 * Comparison of a tick of two worlds, system by system.
 * Owns: finding the first system after which they differ. Never: completes the tick. Discard both worlds afterwards.
 */

import { reasonOf } from '../../../shared/contract/reason.ts';
import { type ChooserFactory, sample, startChance } from '../core/chance.ts';
import { digest, futureDigest } from '../core/digest.ts';
import type { World } from '../core/world.ts';
import { schedule } from '../schedule.ts';
import { prepareTick, runSystem } from '../step.ts';

/** Returns true if two worlds have equal states, so that equal calls lead to equal ticks. */
export const haveEqualStates = (a: World, b: World): boolean =>
	digest(a) === digest(b) && futureDigest(a) === futureDigest(b);

/**
 * Point at which two worlds begin to differ: `before` the first system, or after the named system. Null if they are
 * equal at the end of the tick.
 */
export type Divergence = { readonly system: string } | 'before' | null;

/** Runs the next tick of both worlds until they differ. Equal errors in both worlds are no difference. */
export function findDivergence(a: World, b: World, makeChooser: ChooserFactory = () => sample): Divergence {
	if (!haveEqualStates(a, b)) return 'before';
	const [chanceOfA, chanceOfB] = [startChance(makeChooser()), startChance(makeChooser())];
	const [beginErrorOfA, beginErrorOfB] = [errorOf(() => prepareTick(a)), errorOf(() => prepareTick(b))];
	if (beginErrorOfA !== beginErrorOfB) return 'before';
	if (beginErrorOfA !== null) return null;
	for (const system of schedule) {
		const errorOfA = errorOf(() => runSystem(a, system, chanceOfA));
		const errorOfB = errorOf(() => runSystem(b, system, chanceOfB));
		if (errorOfA !== errorOfB || !haveEqualStates(a, b)) return { system: system.name };
		if (errorOfA !== null) return null;
	}
	return null;
}

/** Runs `work` and returns the message of its error; null without an error. */
function errorOf(work: () => void): string | null {
	try {
		work();
		return null;
	} catch (error) {
		return reasonOf(error);
	}
}
