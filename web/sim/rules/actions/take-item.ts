/** The action `take_item`. */

import { take } from '../../economy/inventory.ts';
import { type ActionBehaviour, fail } from './action.ts';
import { itemWarnings } from './known-item.ts';

export const takeItem: ActionBehaviour<'take_item'> = {
	act: (world, action, target) => {
		if (!take(world, target, action.item_id, action.count)) fail(world, action, target, 'item_missing');
	},
	warn: itemWarnings,
};
