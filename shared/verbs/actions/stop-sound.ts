/** The action `stop_sound`: stops the sounds of entities. */

import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder } from './words.ts';

export const stopSound = action({
	kind: 'stop_sound',
	when: AT_ONCE,
	fields: { target },
	doc: 'Stops the sounds of entities',
	form: 'TARGET',
	...inOrder(aimWord),
	access: { writes: ['sound'] },
});
