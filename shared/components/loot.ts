/** What an entity leaves behind when it dies. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { integer, optional, text } from '../contract/values.ts';
import { hasWeight, someWeight, weight } from '../contract/weight.ts';

/** One thing that can be left. `spawn` is a spawn document. */
export const lootEntry = <S extends z.ZodType>(spawn: S) =>
	z.strictObject({
		label: text('Name of this outcome', 100),
		weight,
		gold: optional(integer('Gold for the killer', { max: 0x7fffffff })),
		item: optional(
			z
				.strictObject({
					item_id: integer('Id of a defined item'),
					count: integer('How many', { min: 1, max: 1e6 }).default(1),
				})
				.describe('Item for the killer'),
		),
		spawn: optional(spawn.describe('Entity that appears; its position counts from where the dead one is')),
	});

/** What it leaves, of which `spawn` says what can appear. */
export const lootTable = <S extends z.ZodType>(spawn: S) =>
	z
		.array(lootEntry(spawn))
		.min(1)
		.max(100)
		.refine(hasWeight, 'one of the weights must be above zero')
		.meta(someWeight)
		.describe('What it leaves behind when it dies: one of these, decided once for each death');

const stored = lootEntry(z.record(z.string(), z.unknown()));

export type LootEntry = z.output<typeof stored>;

export const Loot = component({
	name: 'loot',
	title: 'Loot',
	scope: 'state',
	summary: 'What the entity leaves behind when it dies: one of these, decided once for each death',
	fields: {
		table: json<readonly LootEntry[]>(z.array(stored), [], 'What can be left, with weights', { as: 'loot' }),
	},
	readout: { schema: z.array(stored), from: (row) => row.table },
	spawn: {
		fields: { loot: optional(lootTable(z.record(z.string(), z.unknown()))) },
		row: ({ loot }) => (loot == null ? null : { table: loot }),
		describe: (row) => ({ loot: row && [...row.table] }),
	},
});
