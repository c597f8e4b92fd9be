/** The condition `dead`: an entity is dead. */

import { ABOUT_SUBJECT, condition } from './condition.ts';

export const dead = condition({
	name: 'dead',
	fields: () => ({}),
	doc: 'Holds for entities that are dead. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	colon: { form: 'dead', read: (value) => (value === undefined ? {} : null) },
	write: () => 'dead',
	say: () => 'it is dead',
	reads: ['dead'],
});
