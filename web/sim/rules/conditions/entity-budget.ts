/** The condition `entity_budget`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { found, type Statement } from './condition.ts';

export const entityBudget: Statement<ConditionOf<'entity_budget'>> = {
	find: ({ max }, { world }) => {
		const { count } = world.entities;
		return found(count <= max, `There are ${count} entities, expected at most ${max}.`);
	},
};
