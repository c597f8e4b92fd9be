/** The condition `everybody`, whose word is `any`: it holds for every entity. */

import { ABOUT_SUBJECT, typeCondition } from './condition.ts';

export const everyEntity = typeCondition({
	name: 'everybody',
	word: 'any',
	fields: () => ({}),
	doc: 'Holds for every entity. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	isSelector: true,
	matchesAll: true,
	colon: { words: ['any', 'all', '*'], form: 'any', read: (value) => (value === undefined ? {} : null) },
	write: () => 'any',
	sayGroup: () => '',
	say: () => 'any entity',
	reads: [],
});
