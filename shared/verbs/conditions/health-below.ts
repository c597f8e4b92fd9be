/** The condition `health_below`: the health of an entity is low. */

import { number } from '../../contract/values.ts';
import { readNumber } from '../verb-text.ts';
import { ABOUT_SUBJECT, condition } from './condition.ts';

export const healthBelow = condition({
	name: 'health_below',
	fields: () => ({ threshold: number('Health', { unit: 'HP' }) }),
	doc: 'Holds when the health of a living entity falls below the threshold, at most once per life. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	isOncePerLife: true,
	colon: {
		form: 'health-below:HP',
		read: (value) => ({ threshold: readNumber(value, 'the threshold of health-below') }),
	},
	write: ({ threshold }) => `health-below:${threshold}`,
	say: ({ threshold }, { number: say }) => `health < ${say(threshold)} HP`,
	reads: ['health', 'dead'],
});
