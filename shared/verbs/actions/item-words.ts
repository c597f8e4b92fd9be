/** Common parts of the actions about items: the words for an item and its count. */

import { integer } from '../../contract/values.ts';
import { aim, inOrder, maybe, whole } from './words.ts';

export const itemId = integer('Item: its id in the registry');
export const count = integer('Number of items', { min: 1, max: 1_000_000 }).default(1);

/** `TARGET ITEM [COUNT]`. */
export const itemWords = inOrder(aim, whole('item_id', 'the item'), maybe(whole('count', 'the count')));
