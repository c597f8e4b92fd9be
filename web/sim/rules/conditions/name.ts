/** The condition `name`. */

import { Name } from '../../../../shared/components/name.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const name: Predicate<ConditionOf<'name'>> = {
	test:
		({ name: wanted }) =>
		(entity) =>
			entity.value(Name, 'name') === wanted,
	carries: () => [Name],
	names: ({ name: wanted }) => [{ kind: 'name', name: wanted }],
};
