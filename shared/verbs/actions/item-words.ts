/** Common parts of the actions about items: naming an item, and its count. */

import { integer } from '../../contract/values.ts';
import { readWhole, type Words } from '../verb-text.ts';
import { aimed } from './action.ts';

export const itemId = integer('Item: its id in the registry');
export const count = integer('Number of items', { min: 1, max: 1_000_000 }).default(1);

/** Reads `TARGET ITEM [COUNT]`. */
export const readItems = ([whom, item, many]: Words) => ({
	...aimed(whom),
	item_id: readWhole(item, 'the item'),
	count: many === undefined ? 1 : readWhole(many, 'the count'),
});
