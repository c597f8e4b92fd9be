/** The action `stop_walking`. */

import { cancelPath } from '../../navigation/path.ts';
import type { ActionBehaviour } from './action.ts';

export const stopWalking: ActionBehaviour<'stop_walking'> = {
	act: (world, _, { id }) => void cancelPath(world, id),
};
