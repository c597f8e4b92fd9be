/** The condition `arrived`: an entity reaches the end of its path. */

import { condition } from './condition.ts';

export const arrived = condition({
	name: 'arrived',
	fields: () => ({}),
	doc: 'When an entity reaches the goal of its path, or comes as near as it can with partial. `this`: the entity. If there is no path, the event path_ended has the outcome no_way',
	about: { subject: true, source: false },
	momentary: true,
	colon: { form: 'arrived', read: (value) => (value === undefined ? {} : null) },
	write: () => 'arrived',
	say: () => 'it arrives',
	reads: ['event:path_ended'],
});
