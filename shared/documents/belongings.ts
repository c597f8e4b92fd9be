/** The part of a spawn document about what an entity can do, carries and has on it. */

import * as z from 'zod';
import { abilityList } from '../components/abilities.ts';
import { statTable } from '../components/base-stats.ts';
import { effectDocument } from '../components/effects.ts';
import { STACK_MAX } from '../components/inventory.ts';
import { integer, number, optional, text } from '../contract/values.ts';

const itemId = integer('Item: its id in the registry');

export const belongingsFields = {
	mana: optional(number('Mana, current and maximum', { min: 0 })),
	mana_regen: optional(number('Mana that returns; default 5', { unit: '1/s', min: 0 })),
	base_stats: optional(statTable.describe('Own stats: stat -> value; they replace what the weapon says')),
	stat_growth: optional(statTable.describe('Stat -> what each level adds')),
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
