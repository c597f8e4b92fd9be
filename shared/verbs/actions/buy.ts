/** The action `buy`: entities buy an item. */

import { readWhole } from '../verb-text.ts';
import { AT_ONCE, action, aimed, target } from './action.ts';
import { itemId } from './item-words.ts';

export const buy = action({
	kind: 'buy',
	when: AT_ONCE,
	fields: { target, item_id: itemId },
	doc: 'The target buys one item, as with POST /shop/buy. If the purchase is refused, the next actions still run, unless the rule has on_failure: stop',
	form: 'TARGET ITEM',
	most: 2,
	read: ([whom, item]) => ({ ...aimed(whom), item_id: readWhole(item, 'the item') }),
	access: {
		reads: ['gold', 'inventory', 'team', 'dead', 'crowd_control', 'items'],
		writes: ['gold', 'inventory', 'items'],
		emits: ['action_failed'],
	},
});
