/** Fields of a spawn document about abilities, items and status effects. */

import * as z from 'zod';
import { abilityList } from '../components/abilities.ts';
import { effectDocument } from '../components/effects.ts';
import { STACK_MAX } from '../components/inventory.ts';
import { integer, optional, text } from '../contract/values.ts';

const itemId = integer('Item: its id in the registry');

export const belongingsFields = {
	abilities: optional(abilityList.describe('Abilities it can cast')),
	inventory: optional(
		z
			.array(
				z.strictObject({
					item_id: itemId,
					count: integer('Number of items', { min: 1, max: STACK_MAX }).default(1),
				}),
			)
			.max(100)
			.describe('Items it carries; they must be defined'),
	),
	equipment: optional(
		z
			.record(text('Slot', 80).min(1), itemId)
			.describe('Items it wears: slot -> item id; they must be defined'),
	),
	effects: optional(z.array(effectDocument).max(100).describe('Status effects it starts with')),
};
