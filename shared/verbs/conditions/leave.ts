/** The condition `leave`: somebody leaves a zone. */

import { condition, SOMEBODY } from './condition.ts';
import { readZone, sayZone, zone } from './zone.ts';

export const leave = condition({
	name: 'leave',
	fields: () => ({ zone }),
	doc: 'When somebody whom the rule has seen in a zone no longer is; it first looks on the tick after it was made. this: who',
	about: SOMEBODY,
	momentary: true,
	colon: {
		form: 'leave:entity:ID:RADIUS',
		read: (value) => (value === undefined ? null : { zone: readZone(value) }),
	},
	say: (given, voice) => `it leaves ${sayZone(given.zone, voice)}`,
	reads: ['local_transform', 'global_transform', 'parent'],
});
