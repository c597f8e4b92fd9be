/** The action `endgame`. */

import { endMatch, matchState } from '../../match/match.ts';
import { type ActionBehaviour, fail } from './action.ts';

export const endgame: ActionBehaviour<'endgame'> = {
	act: (world, action) => {
		if (matchState(world) !== null && !endMatch(world, action.winner_team))
			fail(world, action, null, 'match_over');
	},
	warn: (world) => {
		const match = matchState(world);
		if (match === null) return [': there is no match now'];
		return match.phase === 'post_match' ? [': the match is over already, so this does nothing'] : [];
	},
};
