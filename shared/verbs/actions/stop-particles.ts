/** The action `stop_particles`: stops the emitters of entities. */

import { AT_ONCE, action, aimed, target } from './action.ts';

export const stopParticles = action({
	kind: 'stop_particles',
	when: AT_ONCE,
	fields: { target },
	doc: 'Stops the emitter of each entity; existing particles live to their end',
	form: 'TARGET',
	most: 1,
	read: ([whom]) => aimed(whom),
	access: { reads: ['particles'], writes: ['particles'], emits: ['action_failed'] },
});
