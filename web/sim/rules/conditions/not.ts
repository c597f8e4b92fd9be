/** The condition `not`: holds if its part does not. */

import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { aboutOf, type ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { sayStatement } from '../../../../shared/verbs/conditions/reading.ts';
import { handleOf, slotOf } from '../../core/entities.ts';
import { createFinding, createVacuousFinding, isOpposite, type Predicate } from './condition.ts';
import type { Occurrence } from './occurrence.ts';

export const not: Predicate<ConditionOf<'not'>> = {
	test: ({ of }, scope) => {
		const test = scope.test(of);
		return (entity) => !test(entity);
	},
	holds: ({ of }, scope, path) => {
		const holding = scope.holds(of, `${path}!`);
		if (typeof holding === 'boolean') return !holding && (aboutOf(of).subject || isOpposite(scope.find(of)));
		const slots = new Set(holding.map(({ subject }) => slotOf(scope.world, subject)));
		const remaining: Occurrence[] = [];
		scope.each([LocalTransform], (slot) => {
			if (!slots.has(slot)) remaining.push({ subject: handleOf(scope.world, slot), source: null });
		});
		return remaining;
	},
	// As a statement, it holds if no entity satisfies the part.
	find: ({ of }, scope) => {
		const finding = scope.find(of);
		const { passed, message } = finding;
		if (passed) return createFinding(false, message);
		return isOpposite(finding)
			? createFinding(true, `It does not hold: ${sayStatement(of)}. ${message}`)
			: createVacuousFinding(message);
	},
};
