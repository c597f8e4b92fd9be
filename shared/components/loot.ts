/** Loot of an entity: a reward when it dies. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { integer, optional, text } from '../contract/values.ts';
import { hasWeight, isWeighable, NOT_WEIGHABLE, someWeightSchema, weight } from '../contract/weight.ts';

/** Returns the schema of one outcome of a loot table. `spawn` is the schema of the spawn document. */
export const lootEntry = <S extends z.ZodType>(spawn: S) =>
	z.strictObject({
		label: text('Name of this outcome', 100),
		weight,
		gold: optional(integer('Gold for the killer', { max: 0x7fffffff })),
		item: optional(
			z
				.strictObject({
					item_id: integer('Id of a defined item'),
					count: integer('Number of items', { min: 1, max: 1e6 }).default(1),
				})
				.describe('Item for the killer'),
		),
		spawn: optional(spawn.describe('Entity that is spawned; its position is an offset from the dead entity')),
	});

/** Returns the schema of a loot table. `spawn` is the schema of the spawn documents in it. */
export const lootTable = <S extends z.ZodType>(spawn: S) =>
	z
		.array(lootEntry(spawn))
		.min(1)
		.max(100)
		.refine(hasWeight, 'at least one weight must be above 0')
		.refine(isWeighable, NOT_WEIGHABLE)
		.meta(someWeightSchema)
		.describe('Loot: when it dies, one of these outcomes is chosen at random');

const storedEntry = lootEntry(z.record(z.string(), z.unknown()));

export type LootEntry = z.output<typeof storedEntry>;

export const Loot = component({
	name: 'loot',
	title: 'Loot',
	scope: 'state',
	summary: 'Loot: when the entity dies, one of these outcomes is chosen at random',
	fields: {
		table: json<readonly LootEntry[]>(z.array(storedEntry), [], 'Outcomes, with weights', {
			documentField: 'loot',
		}),
	},
	readout: { schema: z.array(storedEntry), from: (row) => row.table },
	spawn: {
		fields: { loot: optional(lootTable(z.record(z.string(), z.unknown()))) },
		row: ({ loot }) => (loot == null ? null : { table: loot }),
		describe: (row) => ({ loot: row && [...row.table] }),
	},
});
