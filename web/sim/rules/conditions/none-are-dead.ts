/** The condition `none_are_dead`. */

import { Dead } from '../../../../shared/components/dead.ts';
import { type ConditionOf, writeCondition } from '../../../../shared/verbs/conditions/index.ts';
import { sayCapitalizedQuantity } from '../../../../shared/verbs/conditions/quantifier.ts';
import { sayGroup } from '../../../../shared/verbs/conditions/reading.ts';
import { has } from '../../core/world.ts';
import { found, foundNoEntity, idList, type Statement } from './condition.ts';

export const noneAreDead: Statement<ConditionOf<'none_are_dead'>> = {
	find: ({ filter }, scope) => {
		const members = scope.members(filter as object);
		if (members.length === 0) return foundNoEntity(`No entity matches ${writeCondition(filter as object)}.`);
		const dead = members.filter((id) => has(scope.world, id, Dead));
		const group = sayCapitalizedQuantity('all', sayGroup(filter as object), members.length);
		return dead.length === 0
			? found(true, `${group}: none is dead.`)
			: found(false, `${group}: ${dead.length} dead, ${idList(dead)}.`);
	},
};
