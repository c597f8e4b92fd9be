/** The condition `name`. */

import { Name } from '../../../../shared/components/name.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const name: Predicate<ConditionOf<'name'>> = {
	test:
		({ name: expectedName }) =>
		(entity) =>
			entity.value(Name, 'name') === expectedName,
	guaranteedComponents: () => [Name],
	names: ({ name: expectedName }) => [{ kind: 'name', name: expectedName }],
};
