/** The condition `and` of filters. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const and: Predicate<ConditionOf<'and'>> = {
	test: ({ filters }, scope) => {
		const tests = filters.map((part) => scope.test(part));
		return (entity) => tests.every((test) => test(entity));
	},
	guaranteedComponents: ({ filters }, scope) => filters.flatMap((part) => scope.guaranteedComponents(part)),
	requiredComponents: ({ filters }, scope) => filters.flatMap((part) => scope.requiredComponents(part)),
};
