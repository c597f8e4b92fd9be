/** The condition `winner`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { matchState } from '../../match/match.ts';
import { found, type Statement } from './condition.ts';

export const winner: Statement<ConditionOf<'winner'>> = {
	find: ({ team, entity, generation, draw }, { world }) => {
		const match = matchState(world);
		if (match === null) return found(false, 'There is no match.');
		if (match.phase !== 'post_match') return found(false, `The match is in phase ${match.phase}.`);
		if (match.winner === null) return found(draw === true, 'The match is a draw.');
		const won = match.winner;
		const fits =
			draw !== true &&
			(team == null || won.team === team) &&
			(entity == null || won.entity?.id === entity) &&
			(generation == null || won.entity?.generation === generation);
		const winners = [
			...(won.team === null ? [] : [`team ${won.team}`]),
			...(won.entity === null ? [] : [`E${won.entity.id}`]),
		];
		return found(fits, `The match was won by ${winners.join(', ')}.`);
	},
};
