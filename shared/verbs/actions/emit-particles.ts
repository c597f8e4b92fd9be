/** The action `emit_particles`: emits particles from entities. */

import { integer, optional, word } from '../../contract/values.ts';
import { MAX_PARTICLES, PRESET_NAMES } from '../../media/particles.ts';
import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder, numberWord, optionalWord, plainWord } from './words.ts';

export const emitParticles = action({
	kind: 'emit_particles',
	when: AT_ONCE,
	fields: {
		target,
		count: optional(
			integer('Particles of one burst; left out: the emitter starts and runs until it is stopped', {
				min: 1,
				max: MAX_PARTICLES,
			}),
		),
		preset: optional(word(PRESET_NAMES, 'Preset for an entity without an emitter; left out: sparks')),
	},
	doc: 'Starts the emitter of each entity, or makes a burst; an entity without one gets one from the preset',
	form: 'TARGET [COUNT] [PRESET]',
	...inOrder(aimWord, optionalWord(numberWord('count', 'the count')), optionalWord(plainWord('preset'))),
	access: { reads: ['particles'], writes: ['particles'], emits: ['action_failed'] },
});
