/** The action `walk_to`. */

import { setPath } from '../../navigation/path.ts';
import { type ActionBehaviour, performOrReport } from './action.ts';

export const walkTo: ActionBehaviour<'walk_to'> = {
	act: (world, action, target) =>
		performOrReport(world, action, target, () =>
			setPath(world, target, { goal: action.position, speed: action.speed }),
		),
};
