/** Routes of the tag Audio: sounds of entities, buses, and the listener. */

import * as z from 'zod';
import { namesAsset } from '../contract/asset-mark.ts';
import { type ExampleCall, route } from '../contract/route.ts';
import {
	entityId,
	entityReference,
	flag,
	generation,
	integer,
	listLength,
	message,
	number,
	optional,
	text,
	vec3,
	word,
} from '../contract/values.ts';
import { BUSES, FALLOFFS, MIXER_BUSES, soundFields } from '../media/sound.ts';
import { warnings } from './world.ts';

const shared = { tag: 'Audio' } as const;
/** WAV file with five milliseconds of a tone. */
const BEEP =
	'UklGRkwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSgAAACAut/fuoBFICBFf7rf37qARSAgRX+639+6gEUgIEV/ut/fuoBFICBF';
const uploadBeep: ExampleCall = { path: '/asset/upload?name=sounds/beep.wav', body: { data: BEEP } };
const playBeep: ExampleCall = { path: '/audio/play', body: { path: 'sounds/beep.wav' } };

export const playAudio = route({
	...shared,
	id: 'audio.play',
	method: 'POST',
	path: '/audio/play',
	cli: ['audio', 'play'],
	summary: 'Plays a sound, on a new or a given entity',
	description:
		'With a position or an entity, the sound comes from there and is softer with distance; otherwise it is the same everywhere. The page plays it after a person has clicked there; a bare host only stores it. The entity stays after the sound ends: POST /despawn removes it. For a sound that leaves no entity, use the rule action play_sound.',
	effect: 'write',
	body: z.strictObject({
		path: optional(
			text(
				'The sound: a WAV, Ogg or MP3 file of the data folder or of public/, or the name or hash of an asset',
				400,
			).meta(namesAsset('sound')),
		),
		...soundFields,
		position: optional(vec3('Position it comes from')),
		entity_id: optional(entityId.describe('Entity it comes from, instead of a new one')),
		entity_generation: optional(generation),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: entityId.describe('Entity with the sound'),
		entity_generation: generation,
		clip: z.int().describe('Number of the file: the first 31 bits of its hash'),
		hash: z.string().describe('Hash of the asset'),
		spatial: z.boolean().describe('true: it comes from a position'),
		seconds: number('Duration at normal speed', { unit: 's', min: 0 }),
		warnings,
	}),
	makes: { thing: 'entity', named: { entity: '$response.body#/entity_id' } },
	errors: ['entity_not_found', 'stale_handle', 'world_full'],
	inside: ['asset_missing', 'asset_refused'],
	examples: [
		{ name: 'Once, everywhere', given: [uploadBeep], body: playBeep.body },
		{
			name: 'Repeat from a position',
			given: [uploadBeep],
			body: { path: 'sounds/beep.wav', loop: true, position: [4, 1, 0], max_distance: 20 },
		},
		{
			name: 'Music that fades in',
			given: [uploadBeep],
			body: { path: 'sounds/beep.wav', loop: true, bus: 'music', fade_in: 60 },
		},
	],
});

export const stopAudio = route({
	...shared,
	id: 'audio.stop',
	method: 'POST',
	path: '/audio/stop',
	cli: ['audio', 'stop'],
	summary: 'Stops the sound of an entity; the entity keeps it',
	effect: 'view',
	body: z.strictObject(entityReference),
	answer: message,
	errors: ['no_sound'],
	inside: ['entity_not_found', 'stale_handle'],
	examples: [{ name: 'Stop one', given: [uploadBeep, playBeep], body: { entity_id: 0 } }],
});

const source = z.strictObject({
	entity_id: entityId,
	entity_generation: generation,
	clip: z.int().describe('Number of the file: the first 31 bits of its hash'),
	hash: z.string().describe('Hash of the asset'),
	path: z.string().nullable().describe('Name that was sent when it was played'),
	volume: number("Loudness, as a factor of the file's own", { unit: 'factor' }),
	pitch: number('Playback speed, as a factor', { unit: 'factor' }),
	spatial: z.boolean().describe('true: it comes from the position of the entity'),
	position: vec3('Position it comes from').nullable(),
	max_distance: number('Distance beyond which it is silent', { unit: 'm' }),
	falloff: z.enum(FALLOFFS).describe('How its loudness falls with distance'),
	bus: z.enum(BUSES).describe('Bus it plays on'),
	priority: z.int().describe('Priority when too many play: lower numbers are heard first'),
	playing: z.boolean().describe('false: it was stopped or has ended'),
	looping: z.boolean().describe('true: it repeats'),
	started: integer('Tick of its start', { unit: 'tick' }),
	ends: integer('Tick of its end; null: when it is stopped', { unit: 'tick' }).nullable(),
	gain: number('Loudness at the listener, as a factor; 0: not heard, also if 32 others play', {
		unit: 'factor',
	}),
});

export const listAudio = route({
	...shared,
	id: 'audio.list',
	method: 'GET',
	path: '/audio/list',
	cli: ['audio', 'list'],
	summary: 'Sounds of all entities, ended ones too, in id order',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		sources: z.array(source),
		count: listLength,
		voices: z.int().describe('Number of audible sounds, at most 32'),
	}),
	errors: [],
	examples: [{ name: 'List them', given: [uploadBeep, playBeep] }],
});

const bus = z.strictObject({
	bus: z.enum(MIXER_BUSES),
	volume: number('Loudness', { unit: 'factor', min: 0, max: 1 }),
	muted: z.boolean().describe('Silent at any volume'),
});
const buses = z.strictObject({ ok: z.literal(true), buses: z.array(bus), count: listLength });

export const getBuses = route({
	...shared,
	id: 'audio.buses',
	method: 'GET',
	path: '/audio/bus',
	cli: ['audio', 'buses'],
	summary: 'Volume of the buses',
	effect: 'read',
	answer: buses,
	errors: [],
	examples: [{ name: 'Read them' }],
});

export const setBus = route({
	...shared,
	id: 'audio.bus',
	method: 'POST',
	path: '/audio/bus',
	cli: ['audio', 'bus'],
	summary: 'Sets the volume of a bus; master applies to all',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject({
		bus: word(MIXER_BUSES, 'The bus'),
		volume: optional(number('Loudness; left out: unchanged', { unit: 'factor', min: 0, max: 1 })),
		muted: optional(flag('Silent at any volume; left out: unchanged')),
	}),
	answer: buses,
	errors: [],
	examples: [
		{ name: 'Softer music', body: { bus: 'music', volume: 0.4 } },
		{ name: 'Silence', body: { bus: 'master', muted: true } },
	],
});

const listener = z.strictObject({
	ok: z.literal(true),
	entity_id: entityId.nullable().describe('Entity where sounds are heard; null: the camera'),
	entity_generation: generation.nullable(),
	position: vec3('Position of the listener'),
});

export const getListener = route({
	...shared,
	id: 'audio.listener',
	method: 'GET',
	path: '/audio/listener',
	cli: ['audio', 'listener'],
	summary: 'Position of the listener',
	effect: 'read',
	answer: listener,
	errors: [],
	examples: [{ name: 'The camera' }],
});

export const setListener = route({
	...shared,
	id: 'audio.listen',
	method: 'POST',
	path: '/audio/listener',
	cli: ['audio', 'listen'],
	summary: 'Sets the listener: an entity, or the camera',
	effect: 'view',
	owner: ['entity'],
	body: z.strictObject({
		entity_id: entityId.nullable().describe('The entity; null: the camera'),
		entity_generation: optional(generation),
	}),
	answer: listener,
	errors: ['entity_not_found', 'stale_handle'],
	examples: [
		{
			name: 'From a hero',
			given: [{ path: '/spawn', body: { position: [5, 0, 0] } }],
			body: { entity_id: 0 },
		},
	],
});
