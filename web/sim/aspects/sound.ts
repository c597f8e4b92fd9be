/** Aspect: the clip of a sound is an asset that can be played. */

import { Sound } from '../../../shared/components/sound.ts';
import { get } from '../core/world.ts';
import { requireStoredClip, startSound } from '../sound/sounds.ts';
import type { Aspect } from './aspect.ts';

export const sound: Aspect = {
	components: [Sound],
	require(world, { document }) {
		if (document.sound != null) requireStoredClip(world, document.sound.clip);
	},
	begin(world, { id }, { document }) {
		if (document.sound != null && document.sound.playing !== false) startSound(world, id);
		return undefined;
	},
	requireExisting(world, ids) {
		for (const id of ids) requireStoredClip(world, get(world, id, Sound)!.clip);
	},
};
