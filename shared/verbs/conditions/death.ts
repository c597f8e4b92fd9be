/** The condition `death`: an entity dies. */

import { condition } from './condition.ts';

export const death = condition({
	name: 'death',
	listedAs: 'on_death',
	fields: () => ({}),
	doc: 'When an entity dies. `this`: the entity that died; `source`: the killer',
	about: { subject: true, source: true },
	momentary: true,
	colon: { form: 'death', read: (value) => (value === undefined ? {} : null) },
	write: () => 'death',
	say: () => 'it dies',
	reads: ['event:death'],
});
