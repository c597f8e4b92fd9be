/** The action `give_item`: adds items to inventories. */

import { AT_ONCE, action, target } from './action.ts';
import { count, itemId, itemWords } from './item-words.ts';

export const giveItem = action({
	kind: 'give_item',
	when: AT_ONCE,
	fields: { target, item_id: itemId, count },
	form: 'TARGET ITEM [COUNT]',
	...itemWords,
	access: { reads: ['items', 'inventory'], writes: ['inventory'], emits: ['action_failed'] },
});
