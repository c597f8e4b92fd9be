/** The condition `dead`: an entity is dead. */

import { condition, SOMEBODY } from './condition.ts';

export const dead = condition({
	name: 'dead',
	fields: () => ({}),
	doc: 'Holds for entities that are dead. `this`: the entity',
	about: SOMEBODY,
	predicate: true,
	colon: { form: 'dead', read: (value) => (value === undefined ? {} : null) },
	write: () => 'dead',
	say: () => 'it is dead',
	reads: ['dead'],
});
