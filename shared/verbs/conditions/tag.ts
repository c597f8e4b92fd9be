/** The condition `tag`: an entity has a label. */

import { text } from '../../contract/values.ts';
import { inQuotes } from '../verb-text.ts';
import { ABOUT_SUBJECT, typeCondition } from './condition.ts';

export const tag = typeCondition({
	name: 'tag',
	fields: () => ({ tag: text('Label') }),
	doc: 'Holds for entities with this label. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	isSelector: true,
	colon: { form: 'tag:NAME', read: (value) => (value === undefined || value === '' ? null : { tag: value }) },
	write: (given) => `tag:${inQuotes(given.tag)}`,
	sayGroup: (given) => `with tag ${given.tag}`,
	say: (given) => `it is tagged ${given.tag}`,
	reads: ['tags'],
});
