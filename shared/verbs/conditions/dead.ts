/** The condition `dead`: somebody is dead. */

import { condition, SOMEBODY } from './condition.ts';

export const dead = condition({
	name: 'dead',
	fields: () => ({}),
	doc: 'For those who are dead. this: who',
	about: SOMEBODY,
	predicate: true,
	colon: { form: 'dead', read: (value) => (value === undefined ? {} : null) },
	write: () => 'dead',
	say: () => 'it is dead',
	reads: ['dead'],
});
