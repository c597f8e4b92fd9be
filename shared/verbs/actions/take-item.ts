/** The action `take_item`: takes items out of inventories. */

import { action, target } from './action.ts';
import { count, itemId, readItems } from './item-words.ts';

export const takeItem = action({
	kind: 'take_item',
	fields: { target, item_id: itemId, count },
	doc: 'Takes items away, all of them or none',
	form: 'TARGET ITEM [COUNT]',
	most: 3,
	read: readItems,
	access: { reads: ['inventory'], writes: ['inventory'], emits: ['action_failed'] },
});
