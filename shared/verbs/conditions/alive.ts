/** The condition `alive`: somebody lives. */

import { condition, SOMEBODY } from './condition.ts';

export const alive = condition({
	name: 'alive',
	fields: () => ({}),
	doc: 'For those who have health and are not dead. this: who',
	about: SOMEBODY,
	predicate: true,
	colon: { form: 'alive', read: (value) => (value === undefined ? {} : null) },
	write: () => 'alive',
	say: () => 'it is alive',
	reads: ['health', 'dead'],
});
