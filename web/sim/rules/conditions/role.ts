/** The condition `role`. */

import { Role } from '../../../../shared/components/role.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const role: Predicate<ConditionOf<'role'>> = {
	test:
		({ role: name }) =>
		(entity) =>
			entity.value(Role, 'role') === name,
	guaranteedComponents: () => [Role],
};
