/** The action `teleport`. */

import { teleport as put } from '../../physics/teleport.ts';
import type { ActionBehaviour } from './action.ts';

export const teleport: ActionBehaviour<'teleport'> = {
	act: (world, { position }, target) => void put(world, target, position),
};
