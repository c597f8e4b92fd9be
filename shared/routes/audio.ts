/** Routes of the tag Audio: sounds of entities, buses, and where sounds are heard from. */

import * as z from 'zod';
import { namesAsset } from '../contract/asset-mark.ts';
import { type ExampleCall, route } from '../contract/route.ts';
import { BUSES, FALLOFFS, MIXER_BUSES, soundFields } from '../contract/sound.ts';
import {
	entityId,
	flag,
	generation,
	integer,
	listLength,
	message,
	namedEntity,
	number,
	optional,
	text,
	vec3,
	word,
} from '../contract/values.ts';
import { warnings } from './world.ts';

const shared = { tag: 'Audio' } as const;
/** Five milliseconds of a tone. */
const BEEP =
	'UklGRkwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSgAAACAut/fuoBFICBFf7rf37qARSAgRX+639+6gEUgIEV/ut/fuoBFICBF';
const beep: ExampleCall = { path: '/asset/upload?name=sounds/beep.wav', body: { data: BEEP } };
const played: ExampleCall = { path: '/audio/play', body: { path: 'sounds/beep.wav' } };

export const playAudio = route({
	...shared,
	id: 'audio.play',
	method: 'POST',
	path: '/audio/play',
	cli: ['audio', 'play'],
	summary: 'Plays a sound: a new entity has it, or the one that is named',
	description:
		'With a position, or with an entity, the sound comes from there and gets softer with the distance; without, it is the same everywhere. It is heard in the page, once a person has clicked there; on a bare host it is stored and nothing is heard. The entity stays when the sound is over: POST /despawn removes it. For a sound that leaves nothing behind, rules have the action play_sound.',
	effect: 'write',
	body: z.strictObject({
		path: optional(
			text(
				'The sound: a WAV, Ogg or MP3 file of the data folder or of public/, or the name or hash of an asset',
				400,
			).meta(namesAsset('sound')),
		),
		...soundFields,
		position: optional(vec3('Where it comes from')),
		entity_id: optional(entityId.describe('Entity that it comes from, in place of a new one')),
		entity_generation: optional(generation),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: entityId.describe('Entity that has the sound'),
		entity_generation: generation,
		clip: z.int().describe('A number for the file: the first 31 bits of its hash'),
		hash: z.string().describe('Hash of the asset'),
		spatial: z.boolean().describe('Whether it comes from a place'),
		seconds: number('How long it plays at its own speed', { unit: 's', min: 0 }),
		warnings,
	}),
	makes: { thing: 'entity', named: { entity: '$response.body#/entity_id' } },
	errors: ['entity_not_found', 'stale_handle', 'world_full'],
	inside: ['asset_missing', 'asset_refused'],
	examples: [
		{ name: 'Once, everywhere', given: [beep], body: played.body },
		{
			name: 'Over and over, from a place',
			given: [beep],
			body: { path: 'sounds/beep.wav', loop: true, position: [4, 1, 0], max_distance: 20 },
		},
		{
			name: 'Music that sets in softly',
			given: [beep],
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
	summary: 'Stops the sound of an entity, which keeps it',
	effect: 'view',
	body: z.strictObject(namedEntity),
	answer: message,
	errors: ['no_sound'],
	inside: ['entity_not_found', 'stale_handle'],
	examples: [{ name: 'Stop one', given: [beep, played], body: { entity_id: 0 } }],
});

const source = z.strictObject({
	entity_id: entityId,
	entity_generation: generation,
	clip: z.int().describe('A number for the file: the first 31 bits of its hash'),
	hash: z.string().describe('Hash of the asset'),
	path: z.string().nullable().describe('What it was called when it was played'),
	volume: number("Loudness, as a factor of the file's own", { unit: 'factor' }),
	pitch: number('Speed at which it is played', { unit: 'factor' }),
	spatial: z.boolean().describe('Whether it comes from where the entity is'),
	position: vec3('Where it comes from').nullable(),
	max_distance: number('Distance from which on it is not heard', { unit: 'm' }),
	falloff: z.enum(FALLOFFS).describe('How it gets softer with the distance'),
	bus: z.enum(BUSES).describe('Bus that it plays on'),
	priority: z.int().describe('Which are heard when too many play: 0 comes first'),
	playing: z.boolean().describe('False when it was stopped, or is over'),
	looping: z.boolean().describe('Whether it begins again when it ends'),
	started: integer('Tick at which it began', { unit: 'tick' }),
	ends: integer('Tick at which it is over; null: when it is stopped', { unit: 'tick' }).nullable(),
	gain: number(
		'How loud it is where it is heard, as a factor; 0: not heard, also if 32 others have a voice',
		{
			unit: 'factor',
		},
	),
});

export const listAudio = route({
	...shared,
	id: 'audio.list',
	method: 'GET',
	path: '/audio/list',
	cli: ['audio', 'list'],
	summary: 'All sounds of entities, those that are over too, in id order',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		sources: z.array(source),
		count: listLength,
		voices: z.int().describe('How many of them are heard: 32 at most'),
	}),
	errors: [],
	examples: [{ name: 'List them', given: [beep, played] }],
});

const bus = z.strictObject({
	bus: z.enum(MIXER_BUSES),
	volume: number('Loudness', { unit: 'factor', min: 0, max: 1 }),
	muted: z.boolean().describe('Silent, whatever its volume'),
});
const buses = z.strictObject({ ok: z.literal(true), buses: z.array(bus), count: listLength });

export const getBuses = route({
	...shared,
	id: 'audio.buses',
	method: 'GET',
	path: '/audio/bus',
	cli: ['audio', 'buses'],
	summary: 'How loud the buses are',
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
	summary: 'Makes the sounds of a bus louder or softer; master is over all',
	effect: 'view',
	body: z.strictObject({
		bus: word(MIXER_BUSES, 'The bus'),
		volume: optional(number('Loudness; left out: as it is', { unit: 'factor', min: 0, max: 1 })),
		muted: optional(flag('Silent, whatever its volume; left out: as it is')),
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
	entity_id: entityId.nullable().describe('Entity that sounds are heard from; null: the camera'),
	entity_generation: generation.nullable(),
	position: vec3('Where sounds are heard from'),
});

export const getListener = route({
	...shared,
	id: 'audio.listener',
	method: 'GET',
	path: '/audio/listener',
	cli: ['audio', 'listener'],
	summary: 'Where sounds are heard from',
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
	summary: 'Hears sounds from where an entity is, or from the camera again',
	effect: 'view',
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
