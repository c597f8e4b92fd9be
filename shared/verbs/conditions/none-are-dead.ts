/** The condition `none_are_dead`: no entity of a group is dead. */

import { ABOUT_WORLD, blankText, group, typed, writeGroup } from './condition.ts';

export const noneAreDead = typed({
	name: 'none_are_dead',
	fields: (language) => ({ filter: group(language) }),
	doc: 'While no entity that matches the filter is dead. `this` is unset',
	about: ABOUT_WORLD,
	blank: { words: ['alive', 'none-dead'], form: 'alive FILTER' },
	write: ({ filter }, write) => blankText('none-dead', writeGroup(filter, write)),
	say: ({ filter }, { inner }) => `none dead of: ${inner(filter as object)}`,
	reads: ['entities', 'dead'],
});
