/** The action `walk_to`. */

import { setPath } from '../../navigation/path.ts';
import { type ActionBehaviour, tryTo } from './action.ts';

export const walkTo: ActionBehaviour<'walk_to'> = {
	act: (world, action, target) =>
		tryTo(world, action, target, () =>
			setPath(world, target, { goal: action.position, speed: action.speed }),
		),
};
