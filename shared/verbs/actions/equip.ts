/** The action `equip`: lets entities wear what they carry. */

import { keyText } from '../../contract/values.ts';
import { STATS_READ, STATS_WRITTEN } from '../access.ts';
import { given, readWhole } from '../verb-text.ts';
import { action, aimed, target } from './action.ts';
import { itemId } from './item-words.ts';

export const equip = action({
	kind: 'equip',
	fields: {
		target,
		slot: keyText('Slot; any name is one', 80).default('weapon'),
		item_id: itemId,
	},
	doc: 'Lets the target wear what it carries',
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
