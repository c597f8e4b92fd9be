/** The action `take_item`: removes items from inventories. */

import { AT_ONCE, action, target } from './action.ts';
import { count, itemId, itemWords } from './item-words.ts';

export const takeItem = action({
	kind: 'take_item',
	when: AT_ONCE,
	fields: { target, item_id: itemId, count },
	doc: 'Removes items from the inventory of the target; if it has too few, none are removed and action_failed is sent',
	form: 'TARGET ITEM [COUNT]',
	...itemWords,
	access: { reads: ['inventory'], writes: ['inventory'], emits: ['action_failed'] },
});
