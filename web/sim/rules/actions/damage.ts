/** The action `damage`. */

import { queueDamage } from '../../combat/damage.ts';
import { type ActionBehaviour, credited } from './action.ts';
import { lives } from './lives.ts';

export const damage: ActionBehaviour<'damage'> = {
	act: (world, action, target, occurrence) => {
		if (!lives(world, target.id)) return;
		queueDamage(world, target, action.amount, credited(action, occurrence), action.category ?? 'physical');
	},
};
