/** The condition `score`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { matchState } from '../../match/match.ts';
import { createFinding, type Statement } from './condition.ts';

export const score: Statement<ConditionOf<'score'>> = {
	find: ({ threshold, team }, { world }) => {
		const scores = matchState(world)?.scores ?? [];
		if (scores.length === 0) return createFinding(false, 'No team has points.');
		const teamPoints = scores.filter((row) => team == null || row.team === team).map(({ points }) => points);
		const total =
			team == null ? Math.max(...teamPoints) : teamPoints.reduce((sum, points) => sum + points, 0);
		return createFinding(
			total >= threshold,
			`${team == null ? 'The highest score' : `The score of team ${team}`} is ${total}, expected ${threshold}.`,
		);
	},
};
