/** The action `heal`. */

import { heal as giveHealth } from '../../combat/damage.ts';
import type { ActionBehaviour } from './action.ts';
import { isLiving } from './lives.ts';

export const heal: ActionBehaviour<'heal'> = {
	act: (world, { amount }, target) => {
		if (isLiving(world, target.id)) giveHealth(world, target, amount);
	},
};
