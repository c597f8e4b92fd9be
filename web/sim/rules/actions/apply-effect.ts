/** The action `apply_effect`. */

import { applyEffect as putOn } from '../../effects/effect.ts';
import { type ActionBehaviour, credited } from './action.ts';

export const applyEffect: ActionBehaviour<'apply_effect'> = {
	act: (world, applied, entity, occurrence) => {
		const { action: _, target: __, by: ___, ...effect } = applied;
		putOn(world, entity, effect, credited(applied, occurrence));
	},
};
