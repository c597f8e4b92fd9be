/** The condition `everybody`, which is `any` in filters: it is true for every entity. */

import { ABOUT_SUBJECT, typed } from './condition.ts';

export const everyEntity = typed({
	name: 'everybody',
	word: 'any',
	fields: () => ({}),
	doc: 'Holds for every entity. `this`: the entity',
	about: ABOUT_SUBJECT,
	predicate: true,
	chooses: true,
	matchesAll: true,
	colon: { words: ['any', 'all', '*'], form: 'any', read: (value) => (value === undefined ? {} : null) },
	write: () => 'any',
	sayGroup: () => '',
	say: () => 'any entity',
	reads: [],
});
