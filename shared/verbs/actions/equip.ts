/** The action `equip`: entities equip an item that they carry. */

import { keyText } from '../../contract/values.ts';
import { STATS_READ, STATS_WRITTEN } from '../access.ts';
import { given, readWhole } from '../verb-text.ts';
import { AT_ONCE, action, aimed, target } from './action.ts';
import { itemId } from './item-words.ts';

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
	most: 3,
	read: ([whom, item, slot]) => ({
		...aimed(whom),
		item_id: readWhole(item, 'the item'),
		...given({ slot }, (text) => text),
	}),
	access: {
		reads: ['items', 'inventory', ...STATS_READ],
		writes: ['inventory', 'equipment', 'effects', ...STATS_WRITTEN],
		emits: ['action_failed'],
	},
});
