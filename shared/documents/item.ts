/**
 * The document that defines an item.
 * Owns: its fields, which are the same in calls and in the registries of scenarios and levels.
 */

import * as z from 'zod';
import { STACK_MAX } from '../components/inventory.ts';
import { teamNumber } from '../components/team.ts';
import { integer, number, optional, text } from '../contract/values.ts';

export const itemId = integer('Item: its id in the registry');
export const amount = integer('Number of items', { min: 1, max: STACK_MAX });

const recipe = z
	.strictObject({
		components: z
			.array(z.strictObject({ item_id: itemId, count: amount.default(1) }))
			.min(1)
			.max(50)
			.describe('Items it is made of; the same item may be listed twice'),
		cost: integer('Additional cost in gold', { max: 0x7fffffff }).default(0),
	})
	.describe('Recipe that a purchase uses: items, and additional gold');

const properties = z
	.record(z.string().min(1).max(80), number('Value'))
	.refine(({ cost }) => cost === undefined || cost >= 0, 'cost must be at least 0')
	.refine((table) => Object.keys(table).length <= 100, 'at most 100 properties')
	.meta({
		properties: { cost: { type: 'number', minimum: 0, maximum: 1e9, description: 'Price in gold' } },
		maxProperties: 100,
	})
	.describe('Stat -> amount that the worn item adds; `cost` is its price in gold');

export const itemFields = {
	id: itemId,
	name: text('Name', 100),
	properties,
	stack_max: optional(integer('Largest stack in one inventory slot', { min: 1, max: STACK_MAX })),
	recipe: optional(recipe),
	stock: optional(integer('Number in stock; left out: unlimited')),
	teams: optional(z.array(teamNumber).max(256).describe('Teams that may buy it; left out: all entities')),
};
