/** The action `take_item`. */

import { takeItems } from '../../economy/inventory.ts';
import { itemWarnings } from '../../items/item-warnings.ts';
import { type ActionBehaviour, fail } from './action.ts';

export const takeItem: ActionBehaviour<'take_item'> = {
	act: (world, action, target) => {
		if (!takeItems(world, target, action.item_id, action.count)) fail(world, action, target, 'item_missing');
	},
	warn: itemWarnings,
};
