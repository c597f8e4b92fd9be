/** The condition `phase`, and its synonym `game_phase`. */

import type { Phase } from '../../../../shared/documents/match.ts';
import { matchState } from '../../match/match.ts';
import { createFinding, type Statement } from './condition.ts';

export const phase: Statement<{ readonly phase: Phase }> = {
	find: ({ phase: expected }, { world }) => {
		const currentPhase = matchState(world)?.phase;
		if (currentPhase === undefined) return createFinding(false, 'There is no match.');
		return createFinding(
			currentPhase === expected,
			`The match is in phase ${currentPhase}${currentPhase === expected ? '' : `, expected ${expected}`}.`,
		);
	},
};
