/** The action `heal`: restores health, up to the maximum. */

import { number } from '../../contract/values.ts';
import { readNumber } from '../verb-text.ts';
import { AT_ONCE, action, aimed, target } from './action.ts';

export const heal = action({
	kind: 'heal',
	when: AT_ONCE,
	fields: { target, amount: number('Health restored', { unit: 'HP', min: 0 }) },
	doc: 'Restores health of a living entity',
	form: 'TARGET HP',
	most: 2,
	read: ([whom, amount]) => ({ ...aimed(whom), amount: readNumber(amount, 'the health') }),
	access: { reads: ['health', 'dead'], writes: ['health.current'] },
});
