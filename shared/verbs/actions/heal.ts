/** The action `heal`: restores health, up to the maximum. */

import { number } from '../../contract/values.ts';
import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder, numberWord } from './words.ts';

export const heal = action({
	kind: 'heal',
	when: AT_ONCE,
	fields: { target, amount: number('Health restored', { unit: 'HP', min: 0 }) },
	doc: 'Restores health of a living entity',
	form: 'TARGET HP',
	...inOrder(aimWord, numberWord('amount', 'the health')),
	access: { reads: ['health', 'dead'], writes: ['health.current'] },
});
