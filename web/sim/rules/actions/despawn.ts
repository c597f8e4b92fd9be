/** The action `despawn`. */

import { despawn as remove } from '../../core/world.ts';
import type { ActionBehaviour } from './action.ts';

export const despawn: ActionBehaviour<'despawn'> = { act: (world, _, { id }) => remove(world, id) };
