/** The condition `any` of filters: everybody. */

import { SOMEBODY, typed } from './condition.ts';

export const everybody = typed({
	name: 'everybody',
	word: 'any',
	fields: () => ({}),
	doc: 'For every entity. this: who',
	about: SOMEBODY,
	predicate: true,
	chooses: true,
	everybody: true,
	colon: { words: ['any', 'all', '*'], form: 'any', read: (value) => (value === undefined ? {} : null) },
	write: () => 'any',
	say: () => 'anybody',
	reads: [],
});
