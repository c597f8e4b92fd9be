/** The action `apply_effect`. */

import { applyEffect as applyToEntity, looksOfEffect, maxStacked } from '../../effects/effect.ts';
import { type ActionBehaviour, creditOf } from './action.ts';

export const applyEffect: ActionBehaviour<'apply_effect'> = {
	act: (world, action, entity, occurrence) => {
		const { action: _, target: __, by: ___, ...effect } = action;
		applyToEntity(world, entity, effect, creditOf(action, occurrence));
	},
	maximum: (action) => ({ effects: 1, looks: looksOfEffect(action) * maxStacked(action) }),
};
