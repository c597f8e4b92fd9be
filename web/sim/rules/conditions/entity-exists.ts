/** The condition `entity_exists`. */

import { type ConditionOf, writeCondition } from '../../../../shared/verbs/conditions/index.ts';
import { createFinding, createVacuousFinding, type Statement } from './condition.ts';

export const entityExists: Statement<ConditionOf<'entity_exists'>> = {
	find: ({ filter }, scope) => {
		const { length } = scope.members(filter as object);
		const filterText = writeCondition(filter as object);
		return length > 0
			? createFinding(true, `${length} entities match ${filterText}.`)
			: createVacuousFinding(`No entity matches ${filterText}.`, true);
	},
};
