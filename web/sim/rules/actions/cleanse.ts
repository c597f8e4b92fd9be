/** The action `cleanse`. */

import { dispelCrowdControl } from '../../crowd-control/crowd-control.ts';
import { removeEffects } from '../../effects/effect.ts';
import type { ActionBehaviour } from './action.ts';

export const cleanse: ActionBehaviour<'cleanse'> = {
	act: (world, { filter, dispel }, { id }) => {
		removeEffects(world, id, ({ tag }) => tag.includes(filter));
		if (dispel != null) dispelCrowdControl(world, id, dispel);
	},
};
