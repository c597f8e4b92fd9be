/**
 * The sounds of entities: which file each plays, since when, and until when.
 * Owns: the check that an asset is playable, and the end of a sound. Never: outputs audio.
 */

import { Listener } from '../../../shared/components/listener.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Sound } from '../../../shared/components/sound.ts';
import type { Row } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { soundLength } from '../../../shared/documents/sound-length.ts';
import { TICKS_PER_SECOND } from '../core/clock.ts';
import { each, type World, write } from '../core/world.ts';

type SoundRow = Row<typeof Sound.fields>;

/** Length of each asset (s). Cached, because the bytes of an asset never change. */
const lengths = new WeakMap<Uint8Array, number | null>();

function secondsOf(bytes: Uint8Array): number | null {
	let seconds = lengths.get(bytes);
	if (seconds === undefined) {
		seconds = soundLength(bytes, mediaTypeOf(bytes));
		lengths.set(bytes, seconds);
	}
	return seconds;
}

/**
 * Returns the length of a sound at normal speed (s). Throws `asset_refused` if the asset is not a sound. `reference`:
 * the caller's name for the asset.
 */
export function requireClip(bytes: Uint8Array, reference: string): number {
	const seconds = secondsOf(bytes);
	if (seconds !== null) return seconds;
	throw new ApiError(
		'asset_refused',
		`The asset "${reference}" (${mediaTypeOf(bytes)}) is not a playable sound.`,
		{
			fix: 'Upload a WAV, Ogg or MP3 file with POST /asset/upload and send its name or hash.',
			path: 'sound',
		},
	);
}

/** Throws `asset_missing` or `asset_refused` unless a clip, named by its hash, can be played. */
export function requireStoredClip(world: World, clip: string): void {
	if (clip === '') return;
	const bytes = world.assets.find(clip);
	if (bytes === undefined)
		throw new ApiError(
			'asset_missing',
			`The sound uses the asset "${clip}", which this engine does not have.`,
			{
				fix: 'Upload it with POST /asset/upload, then send the call again.',
				path: 'sound.clip',
			},
		);
	requireClip(bytes, clip);
}

/** Begins the sound of an entity now. */
export function startSound(world: World, id: number): void {
	write(world, Sound, 'started')[id] = world.tick;
	write(world, Sound, 'playing')[id] = 1;
}

/** Stops the sound of an entity. The component remains. */
export function stopSound(world: World, id: number): void {
	write(world, Sound, 'playing')[id] = 0;
}

/** Returns the length of a sound in ticks, or null if it plays until it is stopped. */
export function ticksOf(world: World, { clip, loop, pitch }: SoundRow): number | null {
	if (loop === 1) return null;
	const bytes = world.assets.find(clip);
	const seconds = bytes === undefined ? null : secondsOf(bytes);
	return seconds === null ? null : Math.ceil((seconds / pitch) * TICKS_PER_SECOND);
}

/** Returns true if a sound can be heard on this tick: it is neither stopped nor finished. */
export function isPlaying(world: World, row: SoundRow): boolean {
	if (row.playing === 0) return false;
	const ticks = ticksOf(world, row);
	return ticks === null || world.tick < row.started + ticks;
}

/** Returns the slot of the listener entity, or -1 if the camera is the listener. */
export function listenerSlot(world: World): number {
	let listener = -1;
	each(world, [Listener, LocalTransform], (slot) => {
		if (listener < 0) listener = slot;
	});
	return listener;
}
