/** The action `damage`. */

import { queueDamage } from '../../combat/damage.ts';
import { type ActionBehaviour, creditOf } from './action.ts';
import { isLiving } from './lives.ts';

export const damage: ActionBehaviour<'damage'> = {
	act: (world, action, target, occurrence) => {
		if (!isLiving(world, target.id)) return;
		queueDamage(world, target, action.amount, creditOf(action, occurrence), action.category ?? 'physical');
	},
};
