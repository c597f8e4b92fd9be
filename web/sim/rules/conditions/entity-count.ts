/** The condition `entity_count`. */

import { sayBounds } from '../../../../shared/verbs/conditions/how-many.ts';
import { type ConditionOf, writeCondition } from '../../../../shared/verbs/conditions/index.ts';
import { createFinding, type Statement } from './condition.ts';

export const entityCount: Statement<ConditionOf<'entity_count'>> = {
	find: ({ filter, min, max }, scope) => {
		const { length } = scope.members(filter as object);
		return createFinding(
			length >= (min ?? 0) && length <= (max ?? Number.POSITIVE_INFINITY),
			`${length} entities match ${writeCondition(filter as object)}, expected ${sayBounds({ min, max })}.`,
		);
	},
};
