/** Items of an entity: its inventory and its equipment. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { integer } from '../contract/values.ts';

/** Default number of slots of an inventory. */
export const INVENTORY_SLOTS = 8;
/** Maximum stack of an item in one slot. An item may set a lower limit. */
export const STACK_MAX = 1_000_000_000;

const stack = z.strictObject({
	item_id: integer('Item: its id in the registry'),
	count: integer('Number of items', { min: 1, max: STACK_MAX }),
});
export type Stack = z.output<typeof stack>;

const slotReadout = z.array(stack.extend({ slot: z.int().describe('Inventory slot, from 0') }));

export const Inventory = component({
	name: 'inventory',
	title: 'Inventory',
	scope: 'state',
	summary: 'Stacks of items in numbered slots. Answers leave out empty slots',
	fields: {
		slots: json<readonly (Stack | null)[]>(
			z.array(stack.nullable()),
			new Array<null>(INVENTORY_SLOTS).fill(null),
			'The slots, each a stack or null',
		),
	},
	readout: {
		schema: slotReadout,
		from: (row) => row.slots.flatMap((stack, slot) => (stack === null ? [] : [{ slot, ...stack }])),
	},
});

const wornItems = z.record(z.string(), integer('Item: its id in the registry'));

export const Equipment = component({
	name: 'equipment',
	title: 'Equipment',
	scope: 'state',
	summary: 'Equipped items, by slot; they change the stats',
	fields: { worn: json<Readonly<Record<string, number>>>(wornItems, {}, 'Slot -> item id') },
	readout: { schema: wornItems, from: (row) => row.worn },
});
