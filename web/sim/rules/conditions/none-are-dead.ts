/** The condition `none_are_dead`. */

import { Dead } from '../../../../shared/components/dead.ts';
import { type ConditionOf, writeCondition } from '../../../../shared/verbs/conditions/index.ts';
import { sayCapitalizedQuantity } from '../../../../shared/verbs/conditions/quantifier.ts';
import { sayGroup } from '../../../../shared/verbs/conditions/reading.ts';
import { has } from '../../core/world.ts';
import { createFinding, createVacuousFinding, idList, type Statement } from './condition.ts';

export const noneAreDead: Statement<ConditionOf<'none_are_dead'>> = {
	find: ({ filter }, scope) => {
		const members = scope.members(filter as object);
		if (members.length === 0)
			return createVacuousFinding(`No entity matches ${writeCondition(filter as object)}.`);
		const dead = members.filter((id) => has(scope.world, id, Dead));
		const group = sayCapitalizedQuantity('all', sayGroup(filter as object), members.length);
		return dead.length === 0
			? createFinding(true, `${group}: none is dead.`)
			: createFinding(false, `${group}: ${dead.length} dead, ${idList(dead)}.`);
	},
};
