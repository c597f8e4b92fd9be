/** The action `emit_particles`: lets particles come out of entities. */

import { MOST_PARTICLES, PRESET_NAMES } from '../../contract/particles.ts';
import { integer, optional, word } from '../../contract/values.ts';
import { readNumber } from '../verb-text.ts';
import { AT_ONCE, action, aimed, target } from './action.ts';

export const emitParticles = action({
	kind: 'emit_particles',
	when: AT_ONCE,
	fields: {
		target,
		count: optional(
			integer('So many at once; left out: the emitter starts and goes on until it is stopped', {
				min: 1,
				max: MOST_PARTICLES,
			}),
		),
		preset: optional(
			word(PRESET_NAMES, 'What comes out of an entity that has no emitter yet; left out: sparks'),
		),
	},
	doc: 'Starts the emitter of each entity, or lets it burst; one that has none gets one by the preset',
	form: 'TARGET [COUNT] [PRESET]',
	most: 3,
	read: ([whom, count, preset]) => ({
		...aimed(whom),
		...(count === undefined || count === '-' ? {} : { count: readNumber(count, 'the count') }),
		...(preset === undefined ? {} : { preset }),
	}),
	access: { reads: ['particles'], writes: ['particles'], emits: ['action_failed'] },
});
