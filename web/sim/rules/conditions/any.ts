/** The condition `any` of several conditions. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { isOpposite, type Predicate } from './condition.ts';
import { type Occurrence, subjectKey } from './occurrence.ts';

export const any: Predicate<ConditionOf<'any'>> = {
	test: ({ of }, scope) => {
		const tests = of.map((part) => scope.test(part));
		return (entity) => tests.some((test) => test(entity));
	},
	holds: ({ of }, scope, path) => {
		const holdings = of.map((part, i) => scope.holds(part, `${path}${i}.`));
		if (holdings.some((holding) => holding === true)) return true;
		const bySubject = new Map<string, Occurrence>();
		let hasSubjects = false;
		for (const holding of holdings) {
			if (typeof holding === 'boolean') continue;
			hasSubjects = true;
			for (const occurrence of holding)
				if (!bySubject.has(subjectKey(occurrence))) bySubject.set(subjectKey(occurrence), occurrence);
		}
		if (!hasSubjects) return false;
		return [...bySubject.values()].sort((a, b) => (a.subject?.id ?? -1) - (b.subject?.id ?? -1));
	},
	find: ({ of }, scope) => {
		const parts = of.map((part) => scope.find(part));
		const passed = parts.filter((part) => part.passed);
		return {
			passed: passed.length > 0,
			...(passed.length === 0 && parts.every(({ vacuous }) => vacuous) ? { vacuous: true as const } : {}),
			...(passed.length === 0 && parts.every(isOpposite) ? { opposite: true as const } : {}),
			message: (passed.length > 0 ? passed : parts).map(({ message }) => message).join(' '),
		};
	},
};
