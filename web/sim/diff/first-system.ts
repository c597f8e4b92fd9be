/**
 * A tick of two worlds that should be the same, made system by system.
 * Owns: after which system they are not the same any more. Never: ends the tick, or keeps the worlds; both are half done.
 */

import { reasonOf } from '../../../shared/contract/reason.ts';
import { type Choosing, sample, startChance } from '../core/chance.ts';
import { digest, futureDigest } from '../core/digest.ts';
import type { World } from '../core/world.ts';
import { schedule } from '../schedule.ts';
import { beginTick, runSystem } from '../step.ts';

/** Returns true if two worlds answer the same calls with the same ticks. */
export const areSame = (a: World, b: World): boolean =>
	digest(a) === digest(b) && futureDigest(a) === futureDigest(b);

/**
 * Point at which two worlds differ: `before` the first system, or after one, by its name. Null if they
 * are equal at the end of the tick.
 */
export type Parting = { readonly system: string } | 'before' | null;

/** Makes the next tick of both up to where they part. What their ticks refuse alike does not distinguish them. */
export function firstParting(a: World, b: World, choosing: Choosing = () => sample): Parting {
	if (!areSame(a, b)) return 'before';
	const [runOfA, runOfB] = [startChance(choosing()), startChance(choosing())];
	const began = [refusalOf(() => beginTick(a)), refusalOf(() => beginTick(b))];
	if (began[0] !== began[1]) return 'before';
	if (began[0] !== null) return null;
	for (const system of schedule) {
		const ran = [
			refusalOf(() => runSystem(a, system, runOfA)),
			refusalOf(() => runSystem(b, system, runOfB)),
		];
		if (ran[0] !== ran[1] || !areSame(a, b)) return { system: system.name };
		if (ran[0] !== null) return null;
	}
	return null;
}

/** Returns the message of the error that work throws; null if it throws none. */
function refusalOf(work: () => void): string | null {
	try {
		work();
		return null;
	} catch (error) {
		return reasonOf(error);
	}
}
