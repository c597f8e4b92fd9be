/** The action `heal`: restores health, up to the maximum. */

import { number } from '../../contract/values.ts';
import { AT_ONCE, action, target } from './action.ts';
import { aim, inOrder, numeric } from './words.ts';

export const heal = action({
	kind: 'heal',
	when: AT_ONCE,
	fields: { target, amount: number('Health restored', { unit: 'HP', min: 0 }) },
	doc: 'Restores health of a living entity',
	form: 'TARGET HP',
	...inOrder(aim, numeric('amount', 'the health')),
	access: { reads: ['health', 'dead'], writes: ['health.current'] },
});
