/** The condition `entity_budget`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { createFinding, type Statement } from './condition.ts';

export const entityBudget: Statement<ConditionOf<'entity_budget'>> = {
	find: ({ max }, { world }) => {
		const { count } = world.entities;
		return createFinding(count <= max, `There are ${count} entities, expected at most ${max}.`);
	},
};
