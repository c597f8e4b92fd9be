/** The condition `all`. */

import type { ConditionOf, InnerCondition } from '../../../../shared/verbs/conditions/index.ts';
import { namesSubject } from '../../../../shared/verbs/conditions/reading.ts';
import { type ConditionScope, type Holds, isOpposite, type Predicate } from './condition.ts';
import { findAny } from './find-any.ts';
import { type Occurrence, subjectKey } from './occurrence.ts';

export const all: Predicate<ConditionOf<'all'>> = {
	test: ({ of }, scope) => {
		const tests = of.map((part) => scope.test(part));
		return (entity) => tests.every((test) => test(entity));
	},
	guaranteedComponents: ({ of }, scope) => of.flatMap((part) => scope.guaranteedComponents(part)),
	requiredComponents: ({ of }, scope) => of.flatMap((part) => scope.requiredComponents(part)),
	holds: ({ of }, scope, path) => {
		const holdings = of.map((part, i) => scope.holds(part, `${path}${i}.`));
		if (holdings.some((holding) => holding === false)) return false;
		const lists = holdings.filter((holding) => typeof holding !== 'boolean') as (readonly Occurrence[])[];
		if (lists.length === 0) return true;
		// Two hits on one tick are two occurrences, in any order of the parts: the part with the most occurrences decides.
		const groupsOfParts = lists.map(groupBySubject);
		addDespawned(of, holdings, groupsOfParts, scope);
		return [...groupsOfParts[0]!.keys()].flatMap((id) => {
			const groups = groupsOfParts.map((subjects) => subjects.get(id) ?? []);
			if (groups.some((group) => group.length === 0)) return [];
			const largest = groups.reduce((best, group) => (group.length > best.length ? group : best));
			const firstSource = groups.flat().find(({ source }) => source !== null)?.source ?? null;
			return largest.map((occurrence) => ({ ...occurrence, source: occurrence.source ?? firstSource }));
		});
	},
	// As a statement, it is about an entity if a part has a subject. A negated part has no subject.
	find: (condition, scope) => {
		if (namesSubject(condition)) return findAny(condition, scope);
		const parts = condition.of.map((part) => scope.find(part));
		const failed = parts.filter(({ passed }) => !passed);
		return {
			passed: failed.length === 0,
			...(failed.some(({ vacuous }) => vacuous) ? { vacuous: true as const } : {}),
			...(failed.some(isOpposite) ? { opposite: true as const } : {}),
			message: (failed.length === 0 ? parts : failed).map(({ message }) => message).join(' '),
		};
	},
};

/** Groups occurrences by subject, in the order of each subject's first occurrence. */
function groupBySubject(list: readonly Occurrence[]): Map<string, Occurrence[]> {
	const groups = new Map<string, Occurrence[]>();
	for (const occurrence of list) {
		const group = groups.get(subjectKey(occurrence));
		if (group === undefined) groups.set(subjectKey(occurrence), [occurrence]);
		else group.push(occurrence);
	}
	return groups;
}

/**
 * Adds occurrences for despawned entities. If an event of one part names a despawned entity, the parts that test single
 * entities are tested for it, too.
 */
function addDespawned(
	parts: readonly InnerCondition[],
	holdings: readonly Holds[],
	groupsOfParts: readonly Map<string, Occurrence[]>[],
	scope: ConditionScope,
): void {
	const despawnedOccurrences = groupsOfParts.flatMap((subjects) =>
		[...subjects.values()].flatMap(([first]) => (first!.despawnedReader === undefined ? [] : [first!])),
	);
	if (despawnedOccurrences.length === 0) return;
	const innerConditions = parts.filter((_, i) => typeof holdings[i] !== 'boolean');
	for (const [i, part] of innerConditions.entries()) {
		if (!scope.isEntityTest(part)) continue;
		const test = scope.test(part);
		for (const { subject, source: _, despawnedReader: entity } of despawnedOccurrences) {
			const occurrence = { subject, source: null, despawnedReader: entity! };
			const key = subjectKey(occurrence);
			if (!groupsOfParts[i]!.has(key) && test(entity!)) groupsOfParts[i]!.set(key, [occurrence]);
		}
	}
}
