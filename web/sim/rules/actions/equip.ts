/** The action `equip`. */

import { equip as wear } from '../../economy/equipment.ts';
import { itemWarnings } from '../../items/item-warnings.ts';
import { type ActionBehaviour, performOrReport } from './action.ts';

export const equip: ActionBehaviour<'equip'> = {
	act: (world, action, target) =>
		performOrReport(world, action, target, () => wear(world, target.id, action.slot, action.item_id)),
	warn: itemWarnings,
};
