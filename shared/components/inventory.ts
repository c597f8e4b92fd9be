/** What an entity carries and wears. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { integer } from '../contract/values.ts';

/** Places in an inventory that was not given another size. */
export const INVENTORY_SLOTS = 8;
/** Most of one item in one place, unless the item says less. */
export const STACK_MAX = 1_000_000_000;

const stack = z.strictObject({
	item_id: integer('Item: its id in the registry'),
	count: integer('How many of it', { min: 1, max: STACK_MAX }),
});
export type Stack = z.output<typeof stack>;

const shown = z.array(stack.extend({ slot: z.int().describe('Place, from 0') }));

export const Inventory = component({
	name: 'inventory',
	title: 'Inventory',
	scope: 'state',
	summary: 'Stacks of items in numbered places; the read-out leaves out the empty ones',
	fields: {
		slots: json<readonly (Stack | null)[]>(
			z.array(stack.nullable()),
			new Array<null>(INVENTORY_SLOTS).fill(null),
			'The places: a stack, or null',
		),
	},
	readout: {
		schema: shown,
		from: (row) => row.slots.flatMap((held, slot) => (held === null ? [] : [{ slot, ...held }])),
	},
});

const worn = z.record(z.string(), integer('Item: its id in the registry'));

export const Equipment = component({
	name: 'equipment',
	title: 'Equipment',
	scope: 'state',
	summary: 'Items that are worn, and so change the stats, by slot',
	fields: { worn: json<Readonly<Record<string, number>>>(worn, {}, 'Slot -> item id') },
	readout: { schema: worn, from: (row) => row.worn },
});
