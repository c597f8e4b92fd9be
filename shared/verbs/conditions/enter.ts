/** The condition `enter`: somebody comes into a zone. */

import { condition, SOMEBODY } from './condition.ts';
import { readZone, sayZone, zone } from './zone.ts';

export const enter = condition({
	name: 'enter',
	fields: () => ({ zone }),
	doc: 'When somebody comes into a zone, or is in it when the rule is made; looked at once, who is in it. this: who',
	about: SOMEBODY,
	momentary: true,
	colon: {
		form: 'enter:X,Y,Z:RADIUS',
		read: (value) => (value === undefined ? null : { zone: readZone(value) }),
	},
	say: (given, voice) => `it enters ${sayZone(given.zone, voice)}`,
	reads: ['local_transform', 'global_transform', 'parent'],
});
