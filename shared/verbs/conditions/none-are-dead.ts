/** The condition `none_are_dead`: no entity of a group is dead. */

import { ABOUT_WORLD, groupFilter, joinWords, typeCondition, writeGroup } from './condition.ts';

export const noneAreDead = typeCondition({
	name: 'none_are_dead',
	fields: (language) => ({ filter: groupFilter(language) }),
	doc: 'While no entity that matches the filter is dead. `this` is unset',
	about: ABOUT_WORLD,
	blank: { words: ['alive', 'none-dead'], form: 'alive FILTER' },
	write: ({ filter }, write) => joinWords('none-dead', writeGroup(filter, write)),
	say: ({ filter }, { inner }) => `none dead of: ${inner(filter as object)}`,
	reads: ['entities', 'dead'],
});
