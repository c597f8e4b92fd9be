/** The condition `arrived`: an entity comes to the end of its path. */

import { condition } from './condition.ts';

export const arrived = condition({
	name: 'arrived',
	fields: () => ({}),
	doc: 'When an entity that walks by a path comes to its goal, or, where that was allowed, as near as it can get. `this`: the entity. That there is no way is the event path_ended with the outcome no_way',
	about: { subject: true, source: false },
	momentary: true,
	colon: { form: 'arrived', read: (value) => (value === undefined ? {} : null) },
	say: () => 'it arrives',
	reads: ['event:path_ended'],
});
