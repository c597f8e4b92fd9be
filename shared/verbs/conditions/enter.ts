/** The condition `enter`: an entity enters a zone. */

import { ABOUT_SUBJECT, condition } from './condition.ts';
import { readZone, sayZone, writeZone, zone } from './zone.ts';

export const enter = condition({
	name: 'enter',
	fields: () => ({ zone }),
	doc: 'When an entity enters the zone, or is inside when the rule is created. Outside of rules: while an entity is inside. `this`: the entity',
	about: ABOUT_SUBJECT,
	momentary: true,
	hasMemory: true,
	colon: {
		form: 'enter:X,Y,Z:RADIUS',
		read: (value) => (value === undefined ? null : { zone: readZone(value) }),
	},
	write: (given) => `enter:${writeZone(given.zone)}`,
	say: (given, voice) => `it enters ${sayZone(given.zone, voice)}`,
	reads: ['local_transform', 'global_transform', 'parent'],
});
