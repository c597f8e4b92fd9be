/** The action `stop_sound`: stops the sounds of entities. */

import { AT_ONCE, action, aimed, target } from './action.ts';

export const stopSound = action({
	kind: 'stop_sound',
	when: AT_ONCE,
	fields: { target },
	doc: 'Stops the sounds of entities',
	form: 'TARGET',
	most: 1,
	read: ([whom]) => aimed(whom),
	access: { writes: ['sound'] },
});
