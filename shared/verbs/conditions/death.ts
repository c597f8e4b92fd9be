/** The condition `death`: somebody dies. */

import { condition } from './condition.ts';

export const death = condition({
	name: 'death',
	listedAs: 'on_death',
	fields: () => ({}),
	doc: 'On a death. this: who died, source: the killer',
	about: { subject: true, source: true },
	momentary: true,
	colon: { form: 'death', read: (value) => (value === undefined ? {} : null) },
	say: () => 'it falls',
	reads: ['event:death'],
});
