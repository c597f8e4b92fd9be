/** What an entity leaves behind when it dies. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { integer, optional, text } from '../contract/values.ts';

const weight = z
	.union([
		z
			.number()
			.min(0)
			.max(1e12)
			.refine((value) => value === 0 || value >= 1e-12, 'a weight is 0 or at least 1e-12'),
		z
			.string()
			.regex(
				/^(\d{1,40}\/0*[1-9]\d{0,38}|\d{1,40}(\.\d{1,40})?)$/,
				'a weight is a number or a fraction such as "1/4"',
			),
	])
	.describe('How likely it is against the others: a number, or an exact fraction such as "1/4"');

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

/** Whether something can happen at all. */
export function hasWeight(table: readonly { readonly weight: number | string }[]): boolean {
	return table.some(({ weight }) => /[1-9]/.test(String(weight).split('/')[0]!));
}

const stored = lootEntry(z.record(z.string(), z.unknown()));

export type LootEntry = z.output<typeof stored>;

export const Loot = component({
	name: 'loot',
	title: 'Loot',
	scope: 'state',
	summary: 'What the entity leaves behind when it dies: one of these, decided once for each death',
	fields: { table: json<readonly LootEntry[]>(z.array(stored), [], 'What can be left, with weights') },
	readout: { schema: z.array(stored), from: (row) => row.table },
});
