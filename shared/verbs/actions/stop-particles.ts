/** The action `stop_particles`: stops the emitters of entities. */

import { AT_ONCE, action, aimed, target } from './action.ts';

export const stopParticles = action({
	kind: 'stop_particles',
	when: AT_ONCE,
	fields: { target },
	doc: 'Stops the emitter of each entity; the particles that are there last as long as they would have',
	form: 'TARGET',
	most: 1,
	read: ([whom]) => aimed(whom),
	access: { reads: ['particles'], writes: ['particles'], emits: ['action_failed'] },
});
