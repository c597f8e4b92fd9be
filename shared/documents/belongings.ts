/** The part of a spawn document about what an entity can do, carries and has on it. */

import * as z from 'zod';
import { abilityList } from '../components/abilities.ts';
import { effectDocument } from '../components/effects.ts';
import { STACK_MAX } from '../components/inventory.ts';
import { integer, optional, text } from '../contract/values.ts';

const itemId = integer('Item: its id in the registry');

export const belongingsFields = {
	abilities: optional(abilityList.describe('What it can cast')),
	inventory: optional(
		z
			.array(
				z.strictObject({
					item_id: itemId,
					count: integer('How many', { min: 1, max: STACK_MAX }).default(1),
				}),
			)
			.max(100)
			.describe('What it carries; the items must be defined'),
	),
	equipment: optional(
		z
			.record(text('Slot', 80).min(1), itemId)
			.describe('What it wears: slot -> item; the items must be defined'),
	),
	effects: optional(z.array(effectDocument).max(100).describe('What is on it from the start')),
};
