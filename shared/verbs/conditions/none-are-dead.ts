/** The condition `none_are_dead`: nobody in a group is dead. */

import { group, NOBODY, typed } from './condition.ts';

export const noneAreDead = typed({
	name: 'none_are_dead',
	fields: (language) => ({ filter: group(language) }),
	doc: 'While nobody whom the filter lets through is dead. There is no this',
	about: NOBODY,
	blank: { words: ['alive', 'none-dead'], form: 'alive FILTER' },
	say: ({ filter }, { inner }) => `none is dead of: ${inner(filter as object)}`,
	reads: ['entities', 'dead'],
});
