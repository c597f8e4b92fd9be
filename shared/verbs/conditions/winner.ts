/** The condition `winner`: the match has ended, for a team, for somebody, or in a draw. */

import { teamNumber } from '../../components/team.ts';
import { entityId, flag, generation, optional } from '../../contract/values.ts';
import { condition, NOBODY } from './condition.ts';

export const winner = condition({
	name: 'winner',
	fields: () => ({
		team: optional(teamNumber.describe('Team that has won')),
		entity: optional(entityId.describe('Entity that has won')),
		generation: optional(generation.describe('Of that entity')),
		draw: optional(flag('Nobody has won')),
	}),
	doc: 'When the match has ended and been won; with nothing else given, by anybody. There is no this',
	about: NOBODY,
	colon: {
		form: 'winner:TEAM|draw',
		read: (value) => {
			if (value === undefined) return {};
			if (value.toLowerCase() === 'draw') return { draw: true };
			return /^\d+$/.test(value) ? { team: Number(value) } : null;
		},
	},
	say: ({ team, entity, draw }) => {
		if (draw === true) return 'the match is a draw';
		const who = team != null ? `team ${team}` : entity != null ? `entity ${entity}` : 'somebody';
		return `${who} has won`;
	},
	reads: ['match'],
});
