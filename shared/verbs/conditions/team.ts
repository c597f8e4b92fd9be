/** The condition `team`: an entity belongs to a team. */

import { integer } from '../../contract/values.ts';
import { ABOUT_SUBJECT, typeCondition } from './condition.ts';

export const team = typeCondition({
	name: 'team',
	fields: () => ({ team: integer('Team number', { max: 255 }) }),
	doc: 'Holds for entities of this team. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	isSelector: true,
	colon: {
		form: 'team:0-255',
		read: (value) => (/^\d+$/.test(value ?? '') && Number(value) <= 255 ? { team: Number(value) } : null),
	},
	write: (given) => `team:${given.team}`,
	sayGroup: (given) => `of team ${given.team}`,
	say: (given) => `it is on team ${given.team}`,
	reads: ['team'],
});
