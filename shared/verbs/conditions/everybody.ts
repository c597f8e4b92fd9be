/** The condition `any` of filters: every entity. */

import { ABOUT_SUBJECT, typed } from './condition.ts';

export const everybody = typed({
	name: 'everybody',
	word: 'any',
	fields: () => ({}),
	doc: 'Holds for every entity. `this`: the entity',
	about: ABOUT_SUBJECT,
	predicate: true,
	chooses: true,
	everybody: true,
	colon: { words: ['any', 'all', '*'], form: 'any', read: (value) => (value === undefined ? {} : null) },
	write: () => 'any',
	sayGroup: () => '',
	say: () => 'any entity',
	reads: [],
});
