/** The action `equip`: entities equip an item that they carry. */

import { keyText } from '../../contract/values.ts';
import { STATS_READ, STATS_WRITTEN } from '../access.ts';
import { AT_ONCE, action, target } from './action.ts';
import { itemId } from './item-words.ts';
import { aimWord, inOrder, optionalWord, plainWord, wholeWord } from './words.ts';

export const equip = action({
	kind: 'equip',
	when: AT_ONCE,
	fields: {
		target,
		slot: keyText('Name of the slot; any but __proto__', 80).default('weapon'),
		item_id: itemId,
	},
	doc: 'The target equips an item from its inventory',
	form: 'TARGET ITEM [SLOT]',
	...inOrder(aimWord, wholeWord('item_id', 'the item'), optionalWord(plainWord('slot'))),
	access: {
		reads: ['items', 'inventory', ...STATS_READ],
		writes: ['inventory', 'equipment', 'effects', ...STATS_WRITTEN],
		emits: ['action_failed'],
	},
});
