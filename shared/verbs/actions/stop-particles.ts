/** The action `stop_particles`: stops the emitters of entities. */

import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder } from './words.ts';

export const stopParticles = action({
	kind: 'stop_particles',
	when: AT_ONCE,
	fields: { target },
	doc: 'Stops the emitter of each entity; existing particles live to their end',
	form: 'TARGET',
	...inOrder(aimWord),
	access: { reads: ['particles'], writes: ['particles'], emits: ['action_failed'] },
});
