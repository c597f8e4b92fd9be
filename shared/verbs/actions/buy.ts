/** The action `buy`: entities buy an item. */

import { AT_ONCE, action, target } from './action.ts';
import { itemId } from './item-words.ts';
import { aimWord, inOrder, wholeWord } from './words.ts';

export const buy = action({
	kind: 'buy',
	when: AT_ONCE,
	fields: { target, item_id: itemId },
	doc: 'The target buys one item, as with POST /shop/buy. If the purchase is refused, the next actions still run, unless the rule has on_failure: stop',
	form: 'TARGET ITEM',
	...inOrder(aimWord, wholeWord('item_id', 'the item')),
	access: {
		reads: ['gold', 'inventory', 'team', 'dead', 'crowd_control', 'items'],
		writes: ['gold', 'inventory', 'items'],
		emits: ['action_failed'],
	},
});
