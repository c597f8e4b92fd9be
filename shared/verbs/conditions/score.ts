/** The condition `score`: a participant or a team reaches a number of points. */

import { teamNumber } from '../../components/team.ts';
import { integer, optional } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { ABOUT_WORLD, condition } from './condition.ts';

export const score = condition({
	name: 'score',
	fields: () => ({
		threshold: integer('Points to reach', { min: -0x80000000, max: 0x7fffffff }),
		team: optional(
			teamNumber.describe('Team whose points are added up; left out: the points of any single entity'),
		),
	}),
	doc: 'When the points are first reached. `this` is unset',
	about: ABOUT_WORLD,
	colon: {
		form: 'score:N',
		read: (value) => ({ threshold: readWhole(value, 'the points of score') }),
	},
	write: ({ threshold, team }) => (team == null ? `score:${threshold}` : null),
	say: ({ threshold, team }, { number: say }) =>
		`${team == null ? 'score' : `score of team ${team}`} ≥ ${say(threshold)}`,
	reads: ['match'],
});
