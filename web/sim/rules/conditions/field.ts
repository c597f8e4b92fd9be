/** The condition `field`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { boundsOfComparison, isSatisfied } from '../../fields/compare.ts';
import type { Predicate } from './condition.ts';
import { measure } from './measure.ts';

export const field: Predicate<ConditionOf<'field'>> = {
	test: ({ field: name, op, value }) => {
		const entityMeasure = measure(name);
		return (entity) => {
			const current = entityMeasure.of(entity);
			return current !== undefined && isSatisfied(current, op, value);
		};
	},
	bounds: ({ field: name, op, value }, { world }) => {
		const column = measure(name).column?.(world);
		return column === undefined
			? []
			: boundsOfComparison(op, value).map((range) => ({ ...column, ...range }));
	},
	guaranteedComponents: ({ field: name }) => [measure(name).component],
	requiredComponents: ({ field: name }) => [measure(name).component],
};
