/** The action `heal`: restores health, up to the maximum. */

import { number } from '../../contract/values.ts';
import { readNumber } from '../verb-text.ts';
import { action, aimed, target } from './action.ts';

export const heal = action({
	kind: 'heal',
	fields: { target, amount: number('Health restored', { unit: 'HP', min: 0 }) },
	form: 'TARGET HP',
	most: 2,
	read: ([whom, amount]) => ({ ...aimed(whom), amount: readNumber(amount, 'the health') }),
	access: { reads: ['health', 'dead'], writes: ['health.current'] },
});
