/** The condition `entity`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const entity: Predicate<ConditionOf<'entity'>> = {
	test:
		({ entity: id }) =>
		(entity) =>
			entity.id === id,
	onlyId: ({ entity: id }) => id,
};
