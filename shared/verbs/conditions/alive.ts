/** The condition `alive`: an entity is alive. */

import { ABOUT_SUBJECT, condition } from './condition.ts';

export const alive = condition({
	name: 'alive',
	fields: () => ({}),
	doc: 'Holds for entities with health that are not dead. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	colon: { form: 'alive', read: (value) => (value === undefined ? {} : null) },
	write: () => 'alive',
	say: () => 'it is alive',
	reads: ['health', 'dead'],
});
