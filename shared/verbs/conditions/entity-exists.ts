/** The condition `entity_exists`: a group is not empty. */

import { ABOUT_WORLD, groupFilter, joinWords, typeCondition, writeGroup } from './condition.ts';

export const entityExists = typeCondition({
	name: 'entity_exists',
	aliases: ['exists'],
	fields: (language) => ({ filter: groupFilter(language) }),
	doc: 'While at least one entity matches the filter. `this` is unset',
	about: ABOUT_WORLD,
	blank: { words: ['exists', 'entity-exists'], form: 'exists FILTER' },
	write: ({ filter }, write) => joinWords('exists', writeGroup(filter, write)),
	say: ({ filter }, { inner }) => `at least one of: ${inner(filter as object)}`,
	reads: ['entities'],
});
