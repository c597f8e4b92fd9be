/** The action `endgame`. */

import { endMatch } from '../../match/match.ts';
import type { ActionBehaviour } from './action.ts';

export const endgame: ActionBehaviour<'endgame'> = {
	act: (world, { winner_team }) => void endMatch(world, winner_team),
};
