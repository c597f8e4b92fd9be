/** The action `apply_effect`. */

import { looksOf, mostStacked, applyEffect as putOn } from '../../effects/effect.ts';
import { type ActionBehaviour, credited } from './action.ts';

export const applyEffect: ActionBehaviour<'apply_effect'> = {
	act: (world, applied, entity, occurrence) => {
		const { action: _, target: __, by: ___, ...effect } = applied;
		putOn(world, entity, effect, credited(applied, occurrence));
	},
	most: (action) => ({ effects: 1, looks: looksOf(action) * mostStacked(action) }),
};
