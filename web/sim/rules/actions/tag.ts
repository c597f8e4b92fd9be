/** The action `tag`. */

import { changeTags } from '../../spawn/spawn-entity.ts';
import type { ActionBehaviour } from './action.ts';

export const tag: ActionBehaviour<'tag'> = {
	act: (world, { add, remove }, { id }) => void changeTags(world, id, add, remove),
};
