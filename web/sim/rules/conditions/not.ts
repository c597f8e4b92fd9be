/** The condition `not`. */

import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { type ConditionOf, writeCondition } from '../../../../shared/verbs/conditions/index.ts';
import { handleOf, slotOf } from '../../core/entities.ts';
import { found, type Predicate } from './condition.ts';
import type { Occurrence } from './occurrence.ts';

export const not: Predicate<ConditionOf<'not'>> = {
	test: ({ of }, scope) => {
		const test = scope.test(of);
		return (who) => !test(who);
	},
	holds: ({ of }, scope, path) => {
		const holding = scope.holds(of, `${path}!`);
		if (typeof holding === 'boolean') return !holding;
		const slots = new Set(holding.map(({ subject }) => slotOf(scope.world, subject)));
		const others: Occurrence[] = [];
		scope.each([LocalTransform], (slot) => {
			if (!slots.has(slot)) others.push({ subject: handleOf(scope.world, slot), source: null });
		});
		return others;
	},
	// As a statement: that it does not hold, or that there is nobody for whom it does.
	find: ({ of }, scope) => {
		const { passed, message } = scope.find(of);
		return found(!passed, passed ? message : `It does not hold: ${writeCondition(of)}. ${message}`);
	},
};
