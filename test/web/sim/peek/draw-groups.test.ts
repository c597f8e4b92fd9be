/** Draws that belong together: the same as trying every pair of actors, in time that does not grow with the pairs. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANYTHING } from '../../../../shared/verbs/access.ts';
import { type DrawActor, findGroups } from '../../../../web/sim/peek/draw-groups.ts';
import { check } from '../../../support/property.ts';

/** Returns the groups, computed by following each source of chance through all that comes after it. */
function byPairs(actors: readonly DrawActor[]): { sets: number[][]; entangled: number[] } {
	const reaches = (written: ReadonlySet<string>, reads: ReadonlySet<string>) =>
		(reads.has(ANYTHING) && written.size > 0) || [...reads].some((name) => written.has(name));
	const group = new Map<number, Set<number>>();
	for (const { key, draws } of actors) if (draws) group.set(key, new Set([key]));
	const entangled = new Set<number>();
	actors.forEach((actor, at) => {
		if (!actor.draws) return;
		if ([...actor.changes].some((name) => actor.between.has(name))) entangled.add(actor.key);
		const written = new Set(actor.changes);
		for (const later of actors.slice(at + 1)) {
			const reached = reaches(written, later.when);
			if (reached && later.draws) {
				const all = new Set([...group.get(actor.key)!, ...group.get(later.key)!]);
				for (const key of all) group.set(key, all);
				entangled.add(actor.key);
			}
			if (reached || reaches(written, later.how))
				for (const name of [...later.writes, ...(later.draws ? later.changes : [])]) written.add(name);
		}
	});
	const order = new Map(actors.map(({ key }, at) => [key, at]));
	const first = (key: number) => Math.min(...[...group.get(key)!].map((member) => order.get(member)!));
	const sets = [...new Set(group.values())].map((set) => [...set].sort((a, b) => a - b));
	return {
		sets: sets.sort((a, b) => a[0]! - b[0]!),
		entangled: [...new Set([...entangled].map(first))].sort((a, b) => a - b),
	};
}

function bySets(actors: readonly DrawActor[]): ReturnType<typeof byPairs> {
	const { groupByKey: of, entangled } = findGroups(actors);
	const sets = new Map<number, number[]>();
	for (const [key, group] of of) sets.set(group, [...(sets.get(group) ?? []), key]);
	const order = new Map(actors.map(({ key }, at) => [key, at]));
	return {
		sets: [...sets.values()].map((set) => set.sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!),
		entangled: entangled.map((group) => order.get(group)!),
	};
}

const KEYS = 8;
const names = (...among: string[]) =>
	fc.array(fc.constantFrom(...among), { maxLength: 2 }).map((list): ReadonlySet<string> => new Set(list));
const written = names('a', 'b', 'c', 'd', 'e');
const read = names('a', 'b', 'c', 'd', 'e', ANYTHING);
const actorLists = fc.shuffledSubarray(Array.from({ length: KEYS }, (_, key) => key)).chain((keys) =>
	fc.tuple(
		...keys.map((key) =>
			fc.record({
				key: fc.constant(key),
				draws: fc.boolean(),
				when: read,
				how: read,
				writes: written,
				changes: written,
				between: written,
			}),
		),
	),
);

describe('dependent draws', () => {
	test('match a test of every pair of actors', () =>
		check(3000, [actorLists], async (actors) => {
			expect(bySets(actors)).toEqual(byPairs(actors));
		}));

	test('cost twice the work for twice the rules on one field', () => {
		const work = (count: number) => {
			let looks = 0;
			class CountedSet extends Set<string> {
				override *[Symbol.iterator](): SetIterator<string> {
					for (const name of [...super.values()]) {
						looks++;
						yield name;
					}
				}
				override has(name: string): boolean {
					looks++;
					return super.has(name);
				}
			}
			const field = () => new CountedSet(['health']);
			const actors = Array.from({ length: count }, (_, key) => ({
				key,
				draws: key % 3 !== 0,
				when: key % 2 === 0 ? field() : new CountedSet(),
				how: field(),
				writes: field(),
				changes: field(),
				between: new CountedSet(),
			}));
			findGroups(actors);
			return looks;
		};
		expect(work(4000)).toBeLessThan(2.1 * work(2000));
	});
});
