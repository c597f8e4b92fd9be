/** The action `stop_walking`: removes the paths of entities. */

import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder } from './words.ts';

export const stopWalking = action({
	kind: 'stop_walking',
	when: AT_ONCE,
	fields: { target },
	doc: "Clears the target's path. The target stops",
	form: 'TARGET',
	...inOrder(aimWord),
	access: { reads: ['path', 'physics_body.kind', 'velocity'], writes: ['path', 'velocity.linear'] },
});
