/**
 * Groups of dependent draws equal those that a comparison of all pairs of actors finds. The time grows with the actors, not
 * with their pairs.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANYTHING } from '../../../../shared/verbs/access.ts';
import { type DrawActor, findGroups } from '../../../../web/sim/peek/draw-groups.ts';
import { check } from '../../../support/property.ts';

/** Returns the groups, computed by following each source of chance through all later actors. */
function groupsByPairs(actors: readonly DrawActor[]): { sets: number[][]; entangled: number[] } {
	const reaches = (written: ReadonlySet<string>, reads: ReadonlySet<string>) =>
		(reads.has(ANYTHING) && written.size > 0) || [...reads].some((name) => written.has(name));
	const membersByKey = new Map<number, Set<number>>();
	for (const { key, canDraw } of actors) if (canDraw) membersByKey.set(key, new Set([key]));
	const entangled = new Set<number>();
	actors.forEach((actor, index) => {
		if (!actor.canDraw) return;
		if ([...actor.changes].some((name) => actor.readsBetweenDraws.has(name))) entangled.add(actor.key);
		const written = new Set(actor.changes);
		for (const later of actors.slice(index + 1)) {
			const reached = reaches(written, later.activationReads);
			if (reached && later.canDraw) {
				const all = new Set([...membersByKey.get(actor.key)!, ...membersByKey.get(later.key)!]);
				for (const key of all) membersByKey.set(key, all);
				entangled.add(actor.key);
			}
			if (reached || reaches(written, later.effectReads))
				for (const name of [...later.writes, ...(later.canDraw ? later.changes : [])]) written.add(name);
		}
	});
	const order = new Map(actors.map(({ key }, index) => [key, index]));
	const firstPosition = (key: number) =>
		Math.min(...[...membersByKey.get(key)!].map((member) => order.get(member)!));
	const sets = [...new Set(membersByKey.values())].map((set) => [...set].sort((a, b) => a - b));
	return {
		sets: sets.sort((a, b) => a[0]! - b[0]!),
		entangled: [...new Set([...entangled].map(firstPosition))].sort((a, b) => a - b),
	};
}

function groupsByKey(actors: readonly DrawActor[]): ReturnType<typeof groupsByPairs> {
	const { groupByKey, entangled } = findGroups(actors);
	const sets = new Map<number, number[]>();
	for (const [key, group] of groupByKey) sets.set(group, [...(sets.get(group) ?? []), key]);
	const order = new Map(actors.map(({ key }, index) => [key, index]));
	return {
		sets: [...sets.values()].map((set) => set.sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!),
		entangled: entangled.map((group) => order.get(group)!),
	};
}

const KEYS = 8;
const names = (...choices: string[]) =>
	fc.array(fc.constantFrom(...choices), { maxLength: 2 }).map((list): ReadonlySet<string> => new Set(list));
const writtenNames = names('a', 'b', 'c', 'd', 'e');
const readNames = names('a', 'b', 'c', 'd', 'e', ANYTHING);
const actorLists = fc.shuffledSubarray(Array.from({ length: KEYS }, (_, key) => key)).chain((keys) =>
	fc.tuple(
		...keys.map((key) =>
			fc.record({
				key: fc.constant(key),
				canDraw: fc.boolean(),
				activationReads: readNames,
				effectReads: readNames,
				writes: writtenNames,
				changes: writtenNames,
				readsBetweenDraws: writtenNames,
			}),
		),
	),
);

describe('dependent draws', () => {
	test('match a comparison of all pairs of actors', () =>
		check(3000, [actorLists], async (actors) => {
			expect(groupsByKey(actors)).toEqual(groupsByPairs(actors));
		}));

	test('cost twice the work for twice the rules on one field', () => {
		const work = (count: number) => {
			let accesses = 0;
			class CountedSet extends Set<string> {
				override *[Symbol.iterator](): SetIterator<string> {
					for (const name of [...super.values()]) {
						accesses++;
						yield name;
					}
				}
				override has(name: string): boolean {
					accesses++;
					return super.has(name);
				}
			}
			const field = () => new CountedSet(['health']);
			const actors = Array.from({ length: count }, (_, key) => ({
				key,
				canDraw: key % 3 !== 0,
				activationReads: key % 2 === 0 ? field() : new CountedSet(),
				effectReads: field(),
				writes: field(),
				changes: field(),
				readsBetweenDraws: new CountedSet(),
			}));
			findGroups(actors);
			return accesses;
		};
		expect(work(4000)).toBeLessThan(2.1 * work(2000));
	});
});
