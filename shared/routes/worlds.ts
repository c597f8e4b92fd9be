/** Routes of the tag Worlds: worlds beside main. The server runs their engines. */

import * as z from 'zod';
import { WORLDS_PATH } from '../contract/relay-paths.ts';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import { integer, nullMeansDefault, text, word } from '../contract/values.ts';
import { WORLD_NAME } from '../contract/world-name.ts';

const shared = { tag: 'Worlds', world: false, batch: false } as const;

const newWorldName = text('Lowercase letters, digits and hyphens', 63)
	.regex(WORLD_NAME, 'a world name has lowercase letters, digits and hyphens')
	.refine((name) => name !== 'main' && name !== 'list', '"main" and "list" are reserved')
	.meta({ not: { enum: ['main', 'list'] } });

const worldFields = {
	name: z.string(),
	owner: z.string().nullable().describe('Agent that owns it; null: the operators'),
	created: z.string().describe('Time of its creation (ISO 8601)'),
	profile: z.enum(['full', 'bare']).describe('bare: only the logic of the game'),
	seed: integer('Seed with which it began', { max: Number.MAX_SAFE_INTEGER }),
	awake: z.boolean().describe('true: it has an engine. The first call gives it one'),
	journal_bytes: integer('If awake: size of its journal', {
		unit: 'bytes',
		max: Number.MAX_SAFE_INTEGER,
	}).optional(),
};

const byteCount = (description: string) =>
	integer(description, { unit: 'bytes', max: Number.MAX_SAFE_INTEGER });

const arena = {
	name: 'arena',
	owner: null,
	created: '2026-01-01T12:00:00.000Z',
	profile: 'full',
	seed: 7,
	awake: false,
};

export const createWorld = route({
	...shared,
	id: 'worlds.create',
	method: 'POST',
	path: WORLDS_PATH,
	cli: ['world', 'create'],
	summary: 'Creates an empty world beside main, with its own journal and engine',
	description:
		'Every route works on it with ?world=NAME, and on a fork of it with ?world=NAME/FORK. In its own answers the world is called main. It belongs to the caller, and a world and a fork of main cannot have the same name.',
	effect: 'view',
	body: z.strictObject({
		name: newWorldName,
		...nullMeansDefault({
			profile: word(['full', 'bare'], 'bare: only the logic of the game').default('full'),
			seed: integer('Seed of all draws', { max: Number.MAX_SAFE_INTEGER }).default(0),
		}),
	}),
	makes: { thing: 'world', named: { world: '$response.body#/name' } },
	answer: z.strictObject({ ok: z.literal(true), ...worldFields }),
	errors: ['no_relay', 'world_exists', 'too_many_worlds', 'file_failed'],
	examples: [
		{
			name: 'A world for one episode',
			body: { name: 'arena', seed: 7 },
			needs: 'relay',
			answer: { ok: true, ...arena },
		},
	],
});

export const listWorlds = route({
	...shared,
	id: 'worlds.list',
	method: 'GET',
	path: WORLDS_PATH,
	cli: ['world', 'list'],
	summary: 'All worlds beside main, by name, and their limits',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		worlds: z.array(z.strictObject(worldFields)),
		count: integer('Number of worlds'),
		limits: z.strictObject({
			worlds: integer('Worlds that may exist (--worlds)'),
			world_memory: byteCount('Memory of one world with its forks (--world-memory)'),
			worlds_memory: byteCount('Memory of all awake worlds (--worlds-memory)'),
			awake: integer('Worlds that may be awake together'),
		}),
	}),
	errors: ['no_relay'],
	examples: [
		{
			name: 'List them',
			needs: 'relay',
			answer: {
				ok: true,
				worlds: [arena],
				count: 1,
				limits: { worlds: 64, world_memory: 268435456, worlds_memory: 4294967296, awake: 16 },
			},
		},
	],
});

export const deleteWorld = route({
	...shared,
	id: 'worlds.delete',
	method: 'DELETE',
	path: `${WORLDS_PATH}/{name}`,
	cli: ['world', 'delete'],
	summary: 'Deletes a world with its forks and its journal',
	effect: 'view',
	params: z.strictObject({ name: text('Name of the world', 100).meta(namesThing('world')) }),
	answer: z.strictObject({ ok: z.literal(true), deleted: z.string() }),
	errors: ['no_relay', 'unknown_world', 'main_stays', 'file_failed'],
	examples: [
		{
			name: 'Delete one',
			path: `${WORLDS_PATH}/arena`,
			needs: 'relay',
			answer: { ok: true, deleted: 'arena' },
		},
	],
});
