/** The action `damage`: deals damage, applied on the next tick. */

import { DAMAGE_CATEGORIES } from '../../components/defense.ts';
import { number, optional, word } from '../../contract/values.ts';
import { action, creditField, target } from './action.ts';
import { aimWord, inOrder, numberWord } from './words.ts';

export const damage = action({
	kind: 'damage',
	when: 'on the next tick, before that tick marks dead entities. If it reduces health to 0, the entity is dead from then on',
	fields: {
		target,
		amount: number('Damage', { unit: 'HP', min: 0 }),
		category: optional(
			word(DAMAGE_CATEGORIES, 'Kind of damage, which sets what reduces it; left out: physical'),
		),
		by: creditField,
	},
	doc: 'Deals damage to a living entity',
	form: 'TARGET HP',
	...inOrder(aimWord, numberWord('amount', 'the damage')),
	access: { reads: ['health', 'dead'], emits: ['damage'] },
});
