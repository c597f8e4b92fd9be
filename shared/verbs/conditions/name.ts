/** The condition `name`: an entity has a name. */

import { MAX_NAME } from '../../components/name.ts';
import { text } from '../../contract/values.ts';
import { inQuotes } from '../verb-text.ts';
import { ABOUT_SUBJECT, typeCondition } from './condition.ts';

export const name = typeCondition({
	name: 'name',
	fields: () => ({ name: text('Name, in the same letter case', MAX_NAME) }),
	doc: 'Holds for entities with exactly this name. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	isSelector: true,
	colon: {
		form: 'name:NAME',
		read: (value) => (value === undefined || value === '' ? null : { name: value }),
	},
	write: (given) => `name:${inQuotes(given.name)}`,
	sayGroup: (given) => `with name ${given.name}`,
	say: (given) => `it is named ${given.name}`,
	reads: ['name'],
});
