/** The action `buy`. */

import { buyItem as purchase } from '../../economy/shop.ts';
import { itemWarnings } from '../../items/item-warnings.ts';
import { type ActionBehaviour, performOrReport } from './action.ts';

export const buy: ActionBehaviour<'buy'> = {
	act: (world, action, target) =>
		performOrReport(world, action, target, () => purchase(world, target, action.item_id)),
	warn: itemWarnings,
};
