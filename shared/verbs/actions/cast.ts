/** The action `cast`: entities cast an ability. */

import { SLOTS } from '../../components/abilities.ts';
import { optional, vec3, word } from '../../contract/values.ts';
import { readTarget, writeTarget } from '../targets/index.ts';
import { readVector } from '../verb-text.ts';
import { action, readTargetField, target } from './action.ts';

export const cast = action({
	kind: 'cast',
	when: 'on this tick, after all rules. Its damage is applied on the next tick',
	fields: {
		target,
		slot: word(SLOTS, 'Slot of the ability'),
		at: optional(target.describe('Entity to aim at; of several, the first')),
		point: optional(vec3('Position to aim at')),
	},
	doc: 'The target casts an ability on this tick, as with POST /ability/use',
	form: 'TARGET SLOT [TARGET|X,Y,Z]',
	maxWords: 3,
	read: ([target, slot, aim]) => ({
		...readTargetField(target),
		slot: slot ?? '',
		...(aim === undefined
			? {}
			: /^[-+.\d]/.test(aim)
				? { point: readVector(aim, 'the aim') }
				: { at: readTarget(aim) }),
	}),
	write: ({ target, slot, at, point }) => [
		writeTarget(target),
		slot,
		at == null ? point?.join(',') : writeTarget(at),
	],
	targetFields: ['at'],
	access: ({ at }) => ({
		reads: ['abilities', 'mana', 'dead', 'crowd_control', ...(at == null ? [] : ['local_transform'])],
		writes: ['abilities'],
		emits: ['cast_failed'],
	}),
});
