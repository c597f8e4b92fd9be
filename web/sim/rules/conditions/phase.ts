/** The conditions `phase` and `game_phase`, which say the same. */

import type { Phase } from '../../../../shared/documents/match.ts';
import { matchState } from '../../match/match.ts';
import { found, type Statement } from './condition.ts';

export const phase: Statement<{ readonly phase: Phase }> = {
	find: ({ phase: expected }, { world }) => {
		const is = matchState(world)?.phase;
		if (is === undefined) return found(false, 'There is no match.');
		return found(
			is === expected,
			`The match is in phase ${is}${is === expected ? '' : `, expected ${expected}`}.`,
		);
	},
};
