/** The condition `health_below`: somebody's health is low. */

import { number } from '../../contract/values.ts';
import { readNumber } from '../verb-text.ts';
import { condition, SOMEBODY } from './condition.ts';

export const healthBelow = condition({
	name: 'health_below',
	fields: () => ({ threshold: number('Health', { unit: 'HP' }) }),
	doc: 'Once in the life of everybody whose health falls below it without dying. this: whose',
	about: SOMEBODY,
	predicate: true,
	onceInLife: true,
	colon: {
		form: 'health-below:HP',
		read: (value) => ({ threshold: readNumber(value, 'the health of health-below') }),
	},
	write: ({ threshold }) => `health-below:${threshold}`,
	say: ({ threshold }, { number: say }) => `health < ${say(threshold)} HP`,
	reads: ['health', 'dead'],
});
