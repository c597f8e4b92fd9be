/** The condition `health_below`. */

import { Dead } from '../../../../shared/components/dead.ts';
import { Health } from '../../../../shared/components/health.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { isSatisfied } from '../../fields/compare.ts';
import type { Predicate } from './condition.ts';

export const healthBelow: Predicate<ConditionOf<'health_below'>> = {
	test:
		({ threshold }) =>
		(entity) => {
			const health = entity.value(Health, 'current');
			return (
				health !== undefined && health > 0 && isSatisfied(health, 'less', threshold) && !entity.has(Dead)
			);
		},
	guaranteedComponents: () => [Health],
	bounds: ({ threshold }) => [{ component: Health, field: 'current', lane: 0, low: 0, high: threshold }],
	requiredComponents: () => [Health],
	warn: (_, { threshold }) => (threshold > 0 ? [] : [`: nothing alive has health below ${threshold}`]),
};
