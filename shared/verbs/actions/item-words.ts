/** Common parts of the actions about items: the words for an item and its count. */

import { integer } from '../../contract/values.ts';
import { aimWord, inOrder, optionalWord, wholeWord } from './words.ts';

export const itemId = integer('Item: its id in the registry');
export const count = integer('Number of items', { min: 1, max: 1_000_000 }).default(1);

/** Functions that read and write the words `TARGET ITEM [COUNT]`. */
export const itemWords = inOrder(
	aimWord,
	wholeWord('item_id', 'the item'),
	optionalWord(wholeWord('count', 'the count')),
);
