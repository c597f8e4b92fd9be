/** The action `stop_sound`. */

import { Sound } from '../../../../shared/components/sound.ts';
import { has } from '../../core/world.ts';
import { stopSound as stop } from '../../sound/sounds.ts';
import type { ActionBehaviour } from './action.ts';

export const stopSound: ActionBehaviour<'stop_sound'> = {
	act: (world, _, { id }) => {
		if (has(world, id, Sound)) stop(world, id);
	},
};
