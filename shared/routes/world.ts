/** Routes of the tag World: status, observe, entities, spawn and despawn, reset. */

import * as z from 'zod';
import { components } from '../components/index.ts';
import { agentNumber } from '../components/owner.ts';
import { readoutKey } from '../contract/component.ts';
import { HEALTH_PATH, STATUS_PATH } from '../contract/relay-paths.ts';
import { route } from '../contract/route.ts';
import {
	digest,
	entityId,
	entityReference,
	existingEntityId,
	flag,
	generation,
	integer,
	message,
	optional,
	position,
	queryFlag,
	rotation,
	scale,
	text,
	ticks,
	vec3,
	word,
} from '../contract/values.ts';
import { spawnDocument, spawnFields } from '../documents/spawn.ts';
import { environmentName } from '../rules/environment.ts';
import { filterDocument } from '../verbs/conditions/index.ts';
import { entities, entityCount, entityView, worldName, worldStamp } from './entity-view.ts';
import { journalState } from './journal-view.ts';
import { lastWorld } from './last-world-view.ts';
import { memory } from './memory-view.ts';
import { warnings } from './warnings.ts';

export { warnings };

/** Errors for an entity that does not exist or no longer exists. */
export const entityErrors = ['entity_not_found', 'stale_handle'] as const;

/** Errors for an asset that is missing or cannot be used. */
export const assetErrors = ['asset_missing', 'asset_refused', 'file_refused', 'file_failed'] as const;

/** Errors for a spawn document with a part that an entity cannot have: a collider, body, emitter or asset. */
export const documentErrors = [
	'too_crowded',
	'static_only',
	'too_many_emitters',
	'world_full',
	...assetErrors,
] as const;

const seed = z.int().describe('Seed of all draws');

export const getHealth = route({
	id: 'world.health',
	tag: 'World',
	method: 'GET',
	path: HEALTH_PATH,
	cli: ['health'],
	summary: 'Reports if an engine answers, for load balancers and scripts that wait',
	description:
		'200 if an engine answers, else 503 with the reason, within about two seconds. `orrery wait` polls until it is 200.',
	effect: 'read',
	world: false,
	answer: z.strictObject({
		ok: z.literal(true),
		status: z.literal('ready').describe('An engine answers'),
		version: text('Version of the engine and of this interface'),
		tick: ticks.describe('Ticks that main has completed (ticks)'),
	}),
	errors: [],
	examples: [{ name: 'Is it up?' }],
});

export const getStatus = route({
	id: 'world.status',
	tag: 'World',
	method: 'GET',
	path: STATUS_PATH,
	cli: ['status'],
	summary: 'State of the engine and its world',
	description: 'A browser that asks for text/html gets the page instead.',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		engine: text('Name of the engine'),
		version: text('Version of the engine and of this interface'),
		profile: z.enum(['full', 'bare']).describe('Features of the host'),
		runs_in: z
			.enum(['browser', 'node'])
			.describe('Host of the engine: a browser, which draws, or Node, which does not'),
		world_name: worldName,
		entity_count: entityCount,
		archetype_count: z.int().describe('Distinct sets of components among the living entities'),
		...worldStamp,
		playing: z.boolean().describe('true: the world runs in real time'),
		environment: environmentName,
		halted: z
			.strictObject({
				tick: ticks.describe('Ticks completed when it stopped (ticks)'),
				message: text('Reason the next tick failed', 2000),
				fix: text('How to fix it', 2000),
			})
			.optional()
			.describe('Reason it stopped playing by itself; left out after it plays, steps or is replaced'),
		seed,
		memory,
		journal: z.strictObject(journalState).describe('State of the journal; GET /journal says more'),
		verify: z
			.strictObject({
				every: z.int().describe('Interval of verified ticks: those whose number is a multiple of it'),
				ticks: z.int().describe('Number of verified ticks'),
				diverged: z
					.strictObject({
						world: text('The world'),
						tick: ticks.describe('Ticks completed before it (ticks)'),
						message: text('The difference', 2000),
					})
					.nullable()
					.describe('First tick that gave two different results; null if none did'),
			})
			.nullable()
			.describe(
				'Heavy mode (start the server with --verify N): ticks are re-run on a fork, and on the world saved and loaded; null if it is off',
			),
		last_world: lastWorld.nullable().describe('Previous world that was lost; null without one'),
		help: text('Next steps'),
	}),
	errors: [],
	examples: [{ name: 'Read the status' }],
});

/** Schema of the names of fields in a request for a table. */
export const fieldNames = z.array(text('Name of a field', 100)).min(1).max(50);

/** Schema of the rows of a table, each a list of values. Another field has the names of the columns. */
export const tableRows = z.array(z.array(z.unknown()));

export const observeBody = z.strictObject({
	filter: optional(
		filterDocument.describe('Entities to list, such as alive+team:1 or field:health.percent<50 & !tag:boss'),
	),
	fields: optional(
		fieldNames.describe(
			'Only these, as a table: numbers as in conditions (health, position.x), position, and keys of an entity (tags, transform.rotation)',
		),
	),
	near: optional(
		z
			.union([vec3('Point'), entityId.describe('Id of an entity')])
			.describe('Nearest first: distance to this point or entity'),
	),
	since: optional(
		integer(
			'Changed since this tick: only entities that differ from their last state then, which the journal rebuilds',
			{ unit: 'ticks' },
		),
	),
	limit: optional(integer('Largest number of entities', { max: 1_000_000 })),
	cursor: optional(text('`next` of the last answer: continues the same call after it', 60)),
	budget: optional(
		integer(
			'Maximum number of tokens of the answer, of 4 characters each. What changed on the last tick comes first, unless `near` or `since` is given',
			{ unit: 'tokens', min: 1, max: 10_000_000 },
		),
	),
});

export const observe = route({
	id: 'world.observe',
	tag: 'World',
	method: 'POST',
	path: '/observe',
	cli: ['entity', 'list'],
	summary: 'The full state of the world, exactly, without stepping',
	description:
		'`viewer` limits the answer to what that entity sees. That is itself, the entities it saw on the last tick, and those without visibility. Rules are listed by id only; GET /rule/list shows them.',
	effect: 'read',
	query: z.strictObject({
		viewer: optional(entityId.describe('Id of the observing entity')),
	}),
	body: observeBody.default({}),
	answer: z.strictObject({
		ok: z.literal(true),
		...worldStamp,
		entity_count: entityCount,
		matched: z.int().optional().describe('With a filter: number of entities that match it, visible or not'),
		warnings,
		left_out: z.int().optional().describe('Entities beyond limit or budget'),
		next: z.string().optional().describe('With left_out: cursor for the rest'),
		columns: z.array(z.string()).optional().describe('With fields: id and the fields, in the order of a row'),
		rows: tableRows.optional().describe('With fields: one row per entity; null: it lacks the field'),
		entities: entities.describe('Entities in id order, or as near and budget order them; empty with fields'),
	}),
	errors: ['entity_not_found', 'invalid_assertion', 'journal_cut', 'no_moment'],
	examples: [
		{
			name: 'Read everything',
			given: [{ path: '/spawn', body: { mesh: 'cube', health: 100, team: 1 } }],
			body: {},
		},
		{
			name: 'Read hurt entities of a team',
			given: [{ path: '/spawn', body: { health: 40, team: 1 } }],
			body: { filter: 'field:health<50+team:1' },
		},
		{
			name: 'Read the nearest two as a table',
			given: [1, 2, 3].map((x) => ({ path: '/spawn', body: { position: [x, 0, 0] } })),
			body: { fields: ['health'], near: [0, 0, 0], limit: 2 },
		},
		{
			name: 'Read what entity 0 sees',
			given: [{ path: '/spawn', body: {} }],
			path: '/observe?viewer=0',
			body: {},
		},
	],
});

export const getEntity = route({
	id: 'world.entity',
	tag: 'World',
	method: 'GET',
	path: '/entities/{id}',
	cli: ['entity', 'get'],
	summary: 'One entity, exactly',
	effect: 'read',
	params: z.strictObject({ id: existingEntityId }),
	query: z.strictObject({ generation: optional(generation) }),
	answer: entityView.extend({ ok: z.literal(true) }),
	errors: ['entity_not_found', 'stale_handle'],
	examples: [{ name: 'Read entity 0', given: [{ path: '/spawn', body: { team: 1 } }], path: '/entities/0' }],
});

const removableNames = components
	.filter((component) => component.removable !== false)
	.map((component) => readoutKey(component) ?? component.name) as [string, ...string[]];

export const patchComponents = route({
	id: 'world.change',
	tag: 'World',
	method: 'POST',
	path: '/entities/{id}/components',
	cli: ['entity', 'update'],
	summary: 'Adds, changes and removes components of an entity',
	description:
		'Takes the same fields as POST /spawn. Fields left out do not change. Health and mana become full, an inventory and equipment replace the former ones, and effects are added. All changes are made, or none.',
	effect: 'write',
	params: z.strictObject({ id: existingEntityId }),
	body: z.strictObject({
		...spawnFields,
		agent_id: optional(
			agentNumber.describe('Agent that makes the call: the owner of the entity, if it has one'),
		),
		generation: optional(generation),
		entity_generation: optional(generation),
		transform: optional(
			z
				.strictObject({ position: optional(position), rotation: optional(rotation), scale: optional(scale) })
				.describe('Local pose; parts left out are kept'),
		),
		remove: optional(
			z
				.array(word(removableNames, 'Component, named as in the answer'))
				.max(50)
				.describe('Components to remove'),
		),
	}),
	answer: message.extend({ warnings }),
	errors: ['entity_not_found', 'stale_handle', 'cycle', ...documentErrors, 'unknown_item', 'inventory_full'],
	inside: ['not_owner'],
	examples: [
		{
			name: 'Move an entity and let it fall',
			given: [{ path: '/spawn', body: { mesh: 'cube' } }],
			path: '/entities/0/components',
			body: { transform: { position: [0, 5, 0] }, physics_body: 'Dynamic' },
		},
	],
});

export const spawn = route({
	id: 'world.spawn',
	tag: 'World',
	method: 'POST',
	path: '/spawn',
	compact: 4 * 1024,
	cli: ['entity', 'create'],
	summary: 'Creates an entity',
	description:
		'`transform` of the new entity is [0,0,0] until the first step; `local_transform` is current immediately.',
	effect: 'write',
	body: spawnDocument,
	status: 201,
	answer: z.strictObject({
		ok: z.literal(true),
		id: entityId,
		generation,
		entity_id: entityId,
		entity_generation: generation,
		warnings,
	}),
	makes: { thing: 'entity', named: { entity: '$response.body#/id' } },
	errors: ['entity_not_found', ...documentErrors, 'unknown_item', 'inventory_full'],
	examples: [
		{
			name: 'A box that falls',
			body: {
				mesh: 'cube',
				color: 'gold',
				position: [0, 5, 0],
				physics_body: 'Dynamic',
				collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
			},
		},
		{ name: 'A fighter', body: { mesh: 'sphere', health: 500, team: 1, combat: true, role: 'hero' } },
	],
});

export const despawn = route({
	id: 'world.despawn',
	tag: 'World',
	method: 'POST',
	path: '/despawn',
	cli: ['entity', 'delete'],
	summary: 'Removes an entity',
	effect: 'write',
	body: z.strictObject({
		...entityReference,
		agent_id: optional(agentNumber),
	}),
	answer: message,
	errors: [],
	inside: ['entity_not_found', 'stale_handle', 'not_owner'],
	examples: [
		{
			name: 'Remove entity 0',
			given: [{ path: '/spawn', body: {} }],
			body: { entity_id: 0, entity_generation: 0 },
		},
	],
});

export const reset = route({
	id: 'world.reset',
	tag: 'World',
	method: 'POST',
	path: '/reset',
	cli: ['sim', 'reset'],
	summary: 'Removes every entity, or resets the world',
	description:
		'Removes entities, rules and assertions, but keeps the tick, match, tuning, registries, HUD and camera: `kept` lists all differences from a new world. With `fresh: true` the world is like a new one, at tick 0, and the same calls then always lead to the same digests. Forks and snapshots are kept in both cases.',
	effect: 'replace',
	body: z.strictObject({
		fresh: flag('Resets the world instead of only removing its entities').default(false),
		seed: optional(
			integer('With fresh: seed of all draws; left out: the current seed', { max: Number.MAX_SAFE_INTEGER }),
		),
	}),
	answer: message.extend({
		despawned: z.int().describe('Entities removed'),
		kept: z
			.array(z.string())
			.describe(
				'Differences from a new world: tick, slots (used ids and generations), events, and settings by name',
			),
		seed,
		...worldStamp,
	}),
	errors: ['seed_needs_fresh'],
	examples: [
		{ name: 'Empty the world', given: [{ path: '/spawn', body: {} }], body: {} },
		{ name: 'Reset the world', given: [{ path: '/spawn', body: {} }], body: { fresh: true, seed: 0 } },
	],
});

export const renameWorld = route({
	id: 'world.rename',
	tag: 'World',
	method: 'POST',
	path: '/rename',
	cli: ['sim', 'rename'],
	summary: 'Names the world',
	description: 'A name is for people: it changes nothing in the simulation. Scenarios contain it.',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject({ name: text('Name of the world; empty: none') }),
	answer: message.extend({ world_name: worldName }),
	errors: [],
	examples: [{ name: 'Name it', body: { name: 'Hills' } }],
});

export const getDigest = route({
	id: 'world.digest',
	tag: 'World',
	method: 'GET',
	path: '/digest',
	cli: ['digest'],
	summary: 'The digest of the state: equal digests mean equal observable state',
	description:
		'The seed is not part of the state: a fork with its own seed starts with the digest of its parent and draws differently. ' +
		'`?future=true` adds a digest of state, seed and the internal state of the physics library. Worlds with equal future digests make equal ticks after the same calls.',
	query: z.strictObject({
		future: queryFlag('Also returns future_digest; it costs about as much as creating a fork').default(false),
	}),
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		world: text('main, or the id of a fork'),
		...worldStamp,
		seed,
		future_digest: digest.optional().describe('Digest of everything that determines the future'),
	}),
	errors: [],
	examples: [{ name: 'Prove the state' }, { name: 'Prove the future', path: '/digest?future=true' }],
});
