/** The condition `entity_exists`: a group is not empty. */

import { group, NOBODY, typed } from './condition.ts';

export const entityExists = typed({
	name: 'entity_exists',
	also: ['exists'],
	fields: (language) => ({ filter: group(language) }),
	doc: 'While the filter lets somebody through. There is no this',
	about: NOBODY,
	blank: { words: ['exists', 'entity-exists'], form: 'exists FILTER' },
	say: ({ filter }, { inner }) => `there is one of: ${inner(filter as object)}`,
	reads: ['entities'],
});
