/** The condition `team`: somebody is of a team. */

import { integer } from '../../contract/values.ts';
import { SOMEBODY, typed } from './condition.ts';

export const team = typed({
	name: 'team',
	fields: () => ({ team: integer('Team number', { max: 255 }) }),
	doc: 'For those of a team. this: who',
	about: SOMEBODY,
	predicate: true,
	chooses: true,
	colon: {
		form: 'team:0-255',
		read: (value) => (/^\d+$/.test(value ?? '') && Number(value) <= 255 ? { team: Number(value) } : null),
	},
	write: (given) => `team:${given.team}`,
	say: (given) => `it is of team ${given.team}`,
	reads: ['team'],
});
