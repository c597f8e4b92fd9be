/** The action `teleport`: moves entities to a position immediately. */

import { position } from '../../contract/values.ts';
import { TELEPORT_READ } from '../access.ts';
import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder, vectorWord } from './words.ts';

export const teleport = action({
	kind: 'teleport',
	when: `${AT_ONCE}. transform, the pose after physics, follows on the next tick`,
	fields: { target, position },
	form: 'TARGET X,Y,Z',
	...inOrder(aimWord, vectorWord('position', 'the position')),
	access: {
		reads: TELEPORT_READ,
		writes: ['local_transform.position'],
	},
});
