/** Damage on its way to somebody. */

import * as z from 'zod';
import { DAMAGE_CATEGORIES } from '../components/defense.ts';
import { event, someone } from '../contract/event.ts';
import { number, word } from '../contract/values.ts';

export const DamageDealt = event({
	kind: 'damage',
	summary: 'Damage that the coming tick applies',
	subject: 'target',
	source: 'source',
	fields: {
		target: someone('Who is hurt'),
		amount: number('Damage before armour and resistance', { unit: 'HP' }),
		source: someone('Who deals it').nullable(),
		category: z
			.enum(DAMAGE_CATEGORIES)
			.optional()
			.describe('Kind of damage; physical unless it says otherwise'),
	},
	sent: {
		amount: number('Damage', { unit: 'HP', min: 0 }),
		category: word(DAMAGE_CATEGORIES, 'Kind of damage').default('physical'),
	},
});
