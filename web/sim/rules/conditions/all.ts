/** The condition `all`. */

import { aboutOf, type ConditionOf, conditionKind } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';
import type { Occurrence } from './occurrence.ts';
import { somebody } from './somebody.ts';

export const all: Predicate<ConditionOf<'all'>> = {
	test: ({ of }, scope) => {
		const tests = of.map((part) => scope.test(part));
		return (who) => tests.every((test) => test(who));
	},
	carries: ({ of }, scope) => of.flatMap((part) => scope.carries(part)),
	holds: ({ of }, scope, path) => {
		const holdings = of.map((part, i) => scope.holds(part, `${path}${i}.`));
		if (holdings.some((holding) => holding === false)) return false;
		const lists = holdings.filter((holding) => typeof holding !== 'boolean') as (readonly Occurrence[])[];
		if (lists.length === 0) return true;
		// Two blows at once are two, in whatever order the parts stand: the part that knows of most decides how often.
		const bySubjects = lists.map(bySubject);
		return [...bySubjects[0]!.keys()].flatMap((id) => {
			const groups = bySubjects.map((subjects) => subjects.get(id) ?? []);
			if (groups.some((group) => group.length === 0)) return [];
			const most = groups.reduce((best, group) => (group.length > best.length ? group : best));
			const known = groups.flat().find(({ source }) => source !== null)?.source ?? null;
			return most.map(({ subject, source }) => ({ subject, source: source ?? known }));
		});
	},
	// As a statement: of somebody, when a part says of whom; what must not hold says it of nobody.
	find: (condition, scope) => {
		const names = condition.of.some((part) => aboutOf(part).subject && conditionKind(part).negates !== true);
		if (names) return somebody(condition, scope);
		const parts = condition.of.map((part) => scope.find(part));
		const failed = parts.filter(({ passed }) => !passed);
		return {
			passed: failed.length === 0,
			...(failed.some(({ vacuous }) => vacuous) ? { vacuous: true as const } : {}),
			message: (failed.length === 0 ? parts : failed).map(({ message }) => message).join(' '),
		};
	},
};

/** Occurrences by whom they are about, those met first before the others. */
function bySubject(list: readonly Occurrence[]): Map<number | undefined, Occurrence[]> {
	const groups = new Map<number | undefined, Occurrence[]>();
	for (const occurrence of list) {
		const group = groups.get(occurrence.subject?.id);
		if (group === undefined) groups.set(occurrence.subject?.id, [occurrence]);
		else group.push(occurrence);
	}
	return groups;
}
