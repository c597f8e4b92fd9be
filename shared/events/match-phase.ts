/** The match entered a phase. */

import { entityField, event } from '../contract/event.ts';
import { integer, text } from '../contract/values.ts';

export const MatchPhase = event({
	kind: 'match',
	summary:
		'The match entered a phase. In post_match it has a winner, {team, entity, generation}; in other phases and after a draw the winner is null',
	fields: {
		phase: text('New phase'),
		winner_team: integer('Team that won', { max: 255 }).nullable(),
		winner: entityField('Entity that won').nullable(),
	},
	spellings: { 'winner.team': 'winner_team', 'winner.entity': 'winner.id' },
	answerFields: ({ winner_team, winner, winner_generation }) => ({
		winner_team,
		winner:
			winner_team === null && winner === null
				? null
				: { team: winner_team, entity: winner, generation: winner_generation ?? null },
		winner_generation: undefined,
	}),
});
