/** The condition `score`: somebody, or a team, has so many points. */

import { teamNumber } from '../../components/team.ts';
import { integer, optional } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { condition, NOBODY } from './condition.ts';

export const score = condition({
	name: 'score',
	fields: () => ({
		threshold: integer('Score that somebody has reached', { min: -0x80000000, max: 0x7fffffff }),
		team: optional(teamNumber.describe('Team whose points count together; left out: those of anybody')),
	}),
	doc: 'When the first comes to have that score. There is no this',
	about: NOBODY,
	colon: {
		form: 'score:N',
		read: (value) => ({ threshold: readWhole(value, 'the points of score') }),
	},
	say: ({ threshold, team }, { number: say }) =>
		`${team == null ? 'score' : `score of team ${team}`} ≥ ${say(threshold)}`,
	reads: ['match'],
});
