/** The condition `leave`: an entity leaves a zone. */

import { ABOUT_SUBJECT, condition } from './condition.ts';
import { readZone, sayZone, writeZone, zone } from './zone.ts';

export const leave = condition({
	name: 'leave',
	fields: () => ({ zone }),
	doc: 'When an entity that was inside the zone is no longer inside. It is first tested on the tick after the creation of the rule. `this`: the entity',
	about: ABOUT_SUBJECT,
	momentary: true,
	hasMemory: true,
	colon: {
		form: 'leave:entity:ID:RADIUS',
		read: (value) => (value === undefined ? null : { zone: readZone(value) }),
	},
	write: (given) => `leave:${writeZone(given.zone)}`,
	say: (given, voice) => `it leaves ${sayZone(given.zone, voice)}`,
	reads: ['local_transform', 'global_transform', 'parent'],
});
