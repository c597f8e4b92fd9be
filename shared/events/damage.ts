/** Damage that will be applied to an entity. */

import * as z from 'zod';
import { DAMAGE_CATEGORIES } from '../components/defense.ts';
import { entityField, event } from '../contract/event.ts';
import { number, word } from '../contract/values.ts';

export const DamageDealt = event({
	kind: 'damage',
	summary: 'Damage that the next tick applies',
	subject: 'target',
	source: 'source',
	fields: {
		target: entityField('Entity that takes the damage'),
		amount: number('Damage before armour and resistance', { unit: 'HP' }),
		source: entityField('Entity that deals the damage').nullable(),
		category: z.enum(DAMAGE_CATEGORIES).optional().describe('Kind of damage; left out: physical'),
	},
	callFields: {
		amount: number('Damage', { unit: 'HP', min: 0 }),
		category: word(DAMAGE_CATEGORIES, 'Kind of damage').default('physical'),
	},
});
