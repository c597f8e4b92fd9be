/** The condition `winner`: the match has ended with a winner, or in a draw. */

import { teamNumber } from '../../components/team.ts';
import { entityId, flag, generation, optional } from '../../contract/values.ts';
import { ABOUT_WORLD, condition } from './condition.ts';

export const winner = condition({
	name: 'winner',
	fields: () => ({
		team: optional(teamNumber.describe('Team that has won')),
		entity: optional(entityId.describe('Entity that has won')),
		generation: optional(generation.describe('Generation of that entity')),
		draw: optional(flag('true: the match has ended in a draw')),
	}),
	doc: 'While the match has ended and been won: by the given team or entity, or by any if neither is given. `this` is unset',
	about: ABOUT_WORLD,
	colon: {
		form: 'winner:TEAM|draw',
		read: (value) => {
			if (value === undefined) return {};
			if (value.toLowerCase() === 'draw') return { draw: true };
			return /^\d+$/.test(value) ? { team: Number(value) } : null;
		},
	},
	write: ({ team, entity, generation: winnerGeneration, draw }) =>
		entity != null || winnerGeneration != null
			? null
			: draw === true
				? 'winner:draw'
				: team == null
					? 'winner'
					: `winner:${team}`,
	say: ({ team, entity, draw }) => {
		if (draw === true) return 'the match is a draw';
		const winnerText =
			team != null ? `team ${team}` : entity != null ? `entity ${entity}` : 'a team or an entity';
		return `${winnerText} has won`;
	},
	reads: ['match'],
});
