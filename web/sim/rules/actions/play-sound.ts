/** The action `play_sound`. */

import { SoundPlayed } from '../../../../shared/events/sound-played.ts';
import { DEFAULT_SOUND } from '../../../../shared/media/sound.ts';
import { emit } from '../../core/events.ts';
import type { World } from '../../core/world.ts';
import { globalPosition } from '../../space/global-position.ts';
import { resolveTarget } from '../targets/index.ts';
import { type ActionBehaviour, fail } from './action.ts';

const isMissing = (world: World, clip: string): boolean => world.assets.find(clip) === undefined;

export const playSound: ActionBehaviour<'play_sound'> = {
	act: (world, action, _, occurrence) => {
		const { clip, at, volume, pitch, max_distance, falloff, bus, priority } = action;
		if (isMissing(world, clip)) {
			fail(world, action, null, 'asset_missing');
			return;
		}
		const data = {
			clip,
			volume: volume ?? DEFAULT_SOUND.volume,
			pitch: pitch ?? DEFAULT_SOUND.pitch,
			max_distance: max_distance ?? DEFAULT_SOUND.max_distance,
			falloff: falloff ?? DEFAULT_SOUND.falloff,
			bus: bus ?? DEFAULT_SOUND.bus,
			priority: priority ?? DEFAULT_SOUND.priority,
		};
		if (at == null) {
			emit(world, SoundPlayed, { ...data, entity: null, position: null });
			return;
		}
		for (const entity of resolveTarget(world, at, occurrence))
			emit(world, SoundPlayed, { ...data, entity, position: globalPosition(world, entity.id) });
	},
	warn: (world, { clip }) => (isMissing(world, clip) ? [`.clip: there is no asset "${clip}"`] : []),
};
