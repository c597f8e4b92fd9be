/** The action `give_item`. */

import { giveItems } from '../../economy/inventory.ts';
import { itemWarnings } from '../../items/item-warnings.ts';
import { findItem } from '../../items/items.ts';
import { type ActionBehaviour, fail } from './action.ts';

export const giveItem: ActionBehaviour<'give_item'> = {
	act: (world, action, target) => {
		if (findItem(world, action.item_id) === undefined) fail(world, action, target, 'unknown_item');
		else if (giveItems(world, target, action.item_id, action.count) < action.count)
			fail(world, action, target, 'inventory_full');
	},
	warn: itemWarnings,
};
