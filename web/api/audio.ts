/** Handlers of the tag Audio. */

import { Listener } from '../../shared/components/listener.ts';
import { LocalTransform } from '../../shared/components/local-transform.ts';
import { Sound } from '../../shared/components/sound.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { gainOf, MIXER_BUSES, voicesOf } from '../../shared/media/sound.ts';
import * as routes from '../../shared/routes/audio.ts';
import { stillCamera } from '../sim/camera/camera.ts';
import { entityAt, handleOf } from '../sim/core/entities.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import { add, each, get, has, remove, type World } from '../sim/core/world.ts';
import { changeBus, mixer } from '../sim/sound/mixer.ts';
import { isPlaying, listenerSlot, requireClip, stopSound, ticksOf } from '../sim/sound/sounds.ts';
import { globalPosition } from '../sim/space/global-position.ts';
import { changeEntity } from '../sim/spawn/change-entity.ts';
import { spawnEntity } from '../sim/spawn/spawn-entity.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';
import { warningsField } from './warnings-field.ts';

type Vec3 = [number, number, number];

/** Returns a number for a sound file, from its hash. */
const clipNumberOf = (hash: string): number => Number.parseInt(hash.slice(0, 8), 16) >>> 1;

const listenerAt = (world: World): Vec3 => {
	const slot = listenerSlot(world);
	return slot < 0 ? [...stillCamera(world).eye] : globalPosition(world, slot);
};

function listenerView(world: World) {
	const slot = listenerSlot(world);
	const handle = slot < 0 ? null : handleOf(world, slot);
	return {
		entity_id: handle?.id ?? null,
		entity_generation: handle?.generation ?? null,
		position: listenerAt(world),
	};
}

function busesView(world: World) {
	const { volumes, muted } = mixer(world);
	const buses = MIXER_BUSES.map((bus) => ({ bus, volume: volumes[bus], muted: muted.includes(bus) }));
	return { buses, count: buses.length };
}

/** Returns a source as answers show it. `gain` is the value for a source that has a voice. */
function sourceView(world: World, slot: number, ear: Vec3) {
	const row = get(world, slot, Sound)!;
	const { clip, called, loop, spatial, playing: _, fade_in: __, started, ...rest } = row;
	const hasPosition = spatial === 1 && has(world, slot, LocalTransform);
	const position = hasPosition ? globalPosition(world, slot) : null;
	const ticks = ticksOf(world, row);
	const playing = isPlaying(world, row);
	const { id, generation } = handleOf(world, slot);
	return {
		entity_id: id,
		entity_generation: generation,
		clip: clipNumberOf(clip),
		hash: clip,
		path: called,
		...rest,
		volume: shortestFloat32(rest.volume),
		pitch: shortestFloat32(rest.pitch),
		max_distance: shortestFloat32(rest.max_distance),
		spatial: hasPosition,
		position,
		playing,
		looping: loop === 1,
		started,
		ends: ticks === null ? null : started + ticks,
		gain: playing
			? gainOf({ ...rest, volume: shortestFloat32(rest.volume), position }, ear, mixer(world))
			: 0,
	};
}

export const handlers = [
	handler(routes.playAudio, async ({ host, world }, { body }) => {
		const { path, position, entity_id, entity_generation, ...settings } = body;
		if (path == null || path === '')
			throw new ApiError('asset_missing', 'The path of the sound is missing.', {
				fix: 'Send "path": the path of a WAV, Ogg or MP3 file, or the name or hash of an asset.',
				path: 'path',
			});
		const entity = entity_id == null ? null : entityAt(world, entity_id, entity_generation);
		const { hash, bytes } = await host.assets.load(path);
		const seconds = requireClip(bytes, path);
		const spatial = entity !== null || position != null;
		const sound = { ...settings, clip: hash, name: path, spatial };
		const spawned = entity === null ? spawnEntity(world, { sound, position: position ?? null }) : null;
		const warnings = spawned?.warnings ?? changeEntity(world, entity!, { sound, position: position ?? null });
		const { id, generation } = spawned?.handle ?? entity!;
		return {
			entity_id: id,
			entity_generation: generation,
			clip: clipNumberOf(hash),
			hash,
			spatial,
			seconds,
			...warningsField(warnings),
		};
	}),

	handler(routes.stopAudio, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		if (!has(world, id, Sound)) throw new ApiError('no_sound', `Entity ${id} has no sound.`);
		stopSound(world, id);
		return { message: `The sound of entity ${id} was stopped at tick ${world.tick}.` };
	}),

	handler(routes.listAudio, ({ world }) => {
		const ear = listenerAt(world);
		const sources: ReturnType<typeof sourceView>[] = [];
		each(world, [Sound], (slot) => {
			sources.push(sourceView(world, slot, ear));
		});
		const playing = sources.filter((source) => source.playing);
		const voices = new Set(voicesOf(playing, ear, mixer(world)).map(({ sound }) => sound));
		const audibleSources = sources.map((source) => (voices.has(source) ? source : { ...source, gain: 0 }));
		return { sources: audibleSources, count: audibleSources.length, voices: voices.size };
	}),

	handler(routes.getBuses, ({ world }) => busesView(world)),

	handler(routes.setBus, ({ world }, { body }) => {
		changeBus(world, body);
		return busesView(world);
	}),

	handler(routes.getListener, ({ world }) => listenerView(world)),

	handler(routes.setListener, ({ world }, { body: { entity_id, entity_generation } }) => {
		const entity = entity_id === null ? null : entityAt(world, entity_id, entity_generation);
		each(world, [Listener], (slot) => {
			remove(world, slot, Listener);
		});
		if (entity !== null) add(world, entity.id, Listener);
		return listenerView(world);
	}),
];
