/** The condition `winner`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { matchState } from '../../match/match.ts';
import { createFinding, type Statement } from './condition.ts';

export const winner: Statement<ConditionOf<'winner'>> = {
	find: ({ team, entity, generation, draw }, { world }) => {
		const match = matchState(world);
		if (match === null) return createFinding(false, 'There is no match.');
		if (match.phase !== 'post_match') return createFinding(false, `The match is in phase ${match.phase}.`);
		if (match.winner === null) return createFinding(draw === true, 'The match is a draw.');
		const { winner: actual } = match;
		const isExpected =
			draw !== true &&
			(team == null || actual.team === team) &&
			(entity == null || actual.entity?.id === entity) &&
			(generation == null || actual.entity?.generation === generation);
		const winners = [
			...(actual.team === null ? [] : [`team ${actual.team}`]),
			...(actual.entity === null ? [] : [`E${actual.entity.id}`]),
		];
		return createFinding(isExpected, `The match was won by ${winners.join(', ')}.`);
	},
};
