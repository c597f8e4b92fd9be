/** The action `score`. */

import { addScore } from '../../match/match.ts';
import type { ActionBehaviour } from './action.ts';

export const score: ActionBehaviour<'score'> = {
	act: (world, { points }, target) => void addScore(world, target, points),
};
