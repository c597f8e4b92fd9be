/**
 * Settings of sounds, and their loudness at the listener.
 * Owns: the limits, the buses, and the choice of audible sounds. Answers and the page use the same functions.
 * Never: plays a sound.
 */

import * as z from 'zod';
import { flag, integer, number, optional, word } from '../contract/values.ts';

/** Groups of sounds with a common volume. */
export const BUSES = ['sfx', 'music', 'voice', 'ui'] as const;
export type Bus = (typeof BUSES)[number];
export const MIXER_BUSES = ['master', ...BUSES] as const;
export type MixerBus = (typeof MIXER_BUSES)[number];

export const FALLOFFS = ['square', 'linear', 'none'] as const;
export type Falloff = (typeof FALLOFFS)[number];

/** Maximum number of audible sounds at the same time. */
export const MAX_VOICES = 32;

/** Default values of a sound. */
export const DEFAULT_SOUND = {
	volume: 1,
	pitch: 1,
	loop: false,
	max_distance: 50,
	falloff: 'square',
	bus: 'sfx',
	priority: 128,
	fade_in: 0,
} as const;

export const soundFields = {
	volume: optional(
		number("Loudness, as a factor of the file's own; left out: 1", { unit: 'factor', min: 0, max: 10 }),
	),
	pitch: optional(
		number('Playback speed, which also changes the pitch; left out: 1', {
			unit: 'factor',
			min: 0.1,
			max: 10,
		}),
	),
	loop: optional(flag('Repeats; left out: false')),
	max_distance: optional(
		number('Distance beyond which it is silent; left out: 50', { unit: 'm', min: 0.01, max: 1e5 }),
	),
	falloff: optional(
		word(
			FALLOFFS,
			'How its loudness falls with the distance d. square: (1 - d/max_distance)^2; linear: 1 - d/max_distance; none: it does not. Left out: square',
		),
	),
	bus: optional(word(BUSES, 'Bus it plays on; left out: sfx')),
	priority: optional(
		integer(`Priority when more than ${MAX_VOICES} play: lower numbers are heard first; left out: 128`, {
			max: 255,
		}),
	),
	fade_in: optional(
		integer('Ticks until it has its full volume; left out: 0', { unit: 'ticks', max: 36_000 }),
	),
};

/** Fields of a sound that determine its loudness. */
export interface Audible {
	readonly volume: number;
	/** Position of its source. With null, it comes from everywhere. */
	readonly position: readonly [number, number, number] | null;
	readonly max_distance: number;
	readonly falloff: Falloff;
	readonly bus: Bus;
	readonly priority: number;
}

/** Volume of each bus, 0 to 1, and the muted buses. */
export interface MixerSettings {
	readonly volumes: Readonly<Record<MixerBus, number>>;
	readonly muted: readonly MixerBus[];
}

export const DEFAULT_MIXER: MixerSettings = {
	volumes: { master: 1, sfx: 1, music: 1, voice: 1, ui: 1 },
	muted: [],
};

export const mixerSettings: z.ZodType<MixerSettings> = z.strictObject({
	volumes: z.strictObject(
		Object.fromEntries(MIXER_BUSES.map((bus) => [bus, z.number().min(0).max(1)])) as Record<
			MixerBus,
			z.ZodNumber
		>,
	),
	muted: z.array(z.enum(MIXER_BUSES)),
});

/** Returns the volume of a bus times that of the master, 0 to 1. */
export function busGain({ volumes, muted }: MixerSettings, bus: Bus): number {
	return muted.includes(bus) || muted.includes('master') ? 0 : volumes[bus] * volumes.master;
}

function distance(from: readonly number[], to: readonly number[]): number {
	const [dx, dy, dz] = [from[0]! - to[0]!, from[1]! - to[1]!, from[2]! - to[2]!];
	return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** Returns the share of a sound's volume at a distance, 0 to 1. */
export function falloffAt(falloff: Falloff, distance: number, maxDistance: number): number {
	if (distance >= maxDistance) return 0;
	if (falloff === 'none') return 1;
	const remaining = 1 - distance / maxDistance;
	return falloff === 'linear' ? remaining : remaining * remaining;
}

/** Returns the gain of a sound for a listener at a position, as a factor of the file's own loudness. */
export function gainOf(sound: Audible, listener: readonly number[], mixer: MixerSettings): number {
	const { position, falloff, max_distance, volume, bus } = sound;
	const share = position === null ? 1 : falloffAt(falloff, distance(position, listener), max_distance);
	return volume * share * busGain(mixer, bus);
}

/**
 * Returns the sounds to play, with their gains. There are at most `MAX_VOICES`, chosen by priority, then by distance,
 * then by order.
 */
export function voicesOf<S extends Audible>(
	sounds: readonly S[],
	listener: readonly number[],
	mixer: MixerSettings,
): { readonly sound: S; readonly gain: number }[] {
	return sounds
		.map((sound) => ({
			sound,
			gain: gainOf(sound, listener, mixer),
			distance: sound.position === null ? 0 : distance(sound.position, listener),
		}))
		.filter(({ gain }) => gain > 0)
		.sort((a, b) => a.sound.priority - b.sound.priority || a.distance - b.distance)
		.slice(0, MAX_VOICES)
		.map(({ sound, gain }) => ({ sound, gain }));
}
