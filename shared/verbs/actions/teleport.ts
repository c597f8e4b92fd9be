/** The action `teleport`: moves entities to a position at once. */

import { position } from '../../contract/values.ts';
import { TELEPORT_READ } from '../access.ts';
import { readVector } from '../verb-text.ts';
import { AT_ONCE, action, aimed, target } from './action.ts';

export const teleport = action({
	kind: 'teleport',
	when: `${AT_ONCE}. transform, the pose after physics, follows on the next tick`,
	fields: { target, position },
	form: 'TARGET X,Y,Z',
	most: 2,
	read: ([whom, place]) => ({ ...aimed(whom), position: readVector(place, 'the position') }),
	access: {
		reads: TELEPORT_READ,
		writes: ['local_transform.position'],
	},
});
