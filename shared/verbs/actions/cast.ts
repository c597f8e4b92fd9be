/** The action `cast`: lets entities cast an ability. */

import { SLOTS } from '../../components/abilities.ts';
import { optional, vec3, word } from '../../contract/values.ts';
import { readTarget } from '../targets/index.ts';
import { readVector } from '../verb-text.ts';
import { action, aimed, target } from './action.ts';

export const cast = action({
	kind: 'cast',
	fields: {
		target,
		slot: word(SLOTS, 'Slot of the ability'),
		at: optional(target.describe('Whom it is aimed at: the first of these')),
		point: optional(vec3('Place it is aimed at')),
	},
	doc: 'Lets the target cast an ability on this tick, as POST /ability/use does',
	form: 'TARGET SLOT [TARGET|X,Y,Z]',
	most: 3,
	read: ([whom, slot, aim]) => ({
		...aimed(whom),
		slot: slot ?? '',
		...(aim === undefined
			? {}
			: /^[-+.\d]/.test(aim)
				? { point: readVector(aim, 'the aim') }
				: { at: readTarget(aim) }),
	}),
	aims: ['at'],
	access: ({ at }) => ({
		reads: ['abilities', 'mana', 'dead', 'crowd_control', ...(at == null ? [] : ['local_transform'])],
		writes: ['abilities'],
		emits: ['cast_failed'],
	}),
});
