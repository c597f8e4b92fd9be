/** The action `color`. */

import { setColor } from '../../spawn/spawn-entity.ts';
import type { ActionBehaviour } from './action.ts';
import { colorWarnings } from './color-warnings.ts';

export const color: ActionBehaviour<'color'> = {
	act: (world, action, { id }) => setColor(world, id, action.color, []),
	warn: (_, action) => colorWarnings(action.color),
};
