/** Routes of the tag Discovery and ops: schema, diagnosis, events, timing, GPU. */

import * as z from 'zod';
import { CURSOR_PATTERN } from '../contract/event-cursor.ts';
import { EVENT_STREAM_PATH, EVENT_STREAM_TYPE } from '../contract/event-stream.ts';
import { END_ENGINE_PATH } from '../contract/relay-paths.ts';
import { route } from '../contract/route.ts';
import {
	entityId,
	integer,
	listLength,
	message,
	optional,
	queryFlag,
	text,
	word,
} from '../contract/values.ts';
import { eventView, sentEvent } from '../documents/event.ts';
import { entityCount, ruleCount, worldName } from './entity-view.ts';
import { lastWorld } from './last-world-view.ts';
import { compactText, searchResults, wholeSchema } from './schema-view.ts';

const anyObject = z.record(z.string(), z.unknown());

export const getSchema = route({
	id: 'operations.schema',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/schema',
	cli: ['schema'],
	summary: 'Every route and component, with fields, types, units, defaults and allowed words',
	description:
		'`form=compact` is the form for language models: every route in 12 KB, with `path=/rule/create` one route in at most 6 KB, as text if Accept allows it. `Accept: text/plain` chooses this form, too. The whole schema as JSON Schema is long: `brief=true` gives an overview, `path=/rule/create` all about one route. Longer definitions are given as addresses, such as /schema?definition=Action.',
	effect: 'read',
	world: false,
	query: z.strictObject({
		path: optional(
			text(
				'Only the routes with this path, such as /rule/create. A path that ends with a slash, such as /rule/, or that no route has, also selects the routes below it',
			),
		),
		definition: optional(
			text('Only this definition, such as Action, and those it refers to').meta({ format: 'definition' }),
		),
		component: optional(text('Only this component, such as Collider').meta({ format: 'component' })),
		brief: queryFlag('Only the lists of routes, components and errors, without JSON Schemas').default(false),
		form: word(
			['full', 'compact'],
			'full: JSON Schema; compact: short texts, one line per route or field',
		).default('full'),
		q: optional(
			text(
				'Finds routes, fields, conditions, actions, components, events, error codes, recipes and guide pages by words, such as "gold for a kill"',
			).min(1),
		),
	}),
	answer: z.union([wholeSchema, compactText, searchResults]),
	media: ['text/plain'],
	errors: ['no_such_route'],
	examples: [
		{ name: 'List of all routes, as text', path: '/schema?form=compact' },
		{ name: 'One route, as text', path: '/schema?form=compact&path=/spawn' },
		{ name: 'Search', path: '/schema?q=gold+for+a+kill' },
		{ name: 'Read the schema' },
		{ name: 'Overview', path: '/schema?brief=true' },
		{ name: 'All about one route', path: '/schema?path=/rule/create' },
		{ name: 'A definition', path: '/schema?definition=Action' },
		{ name: 'A component', path: '/schema?component=Collider' },
	],
});

export const getRecipes = route({
	id: 'operations.recipes',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/recipes',
	cli: ['recipes'],
	summary: 'Short, complete, tested examples of common parts of games',
	description:
		'Without `name`: one line per recipe, those that `q` finds first. With `name`: the body of POST /batch, which runs as it is in an empty world.',
	effect: 'read',
	world: false,
	query: z.strictObject({
		q: optional(text('Only recipes with these words, best first, such as "door key"').min(1)),
		name: optional(text('Name of a recipe', 100)),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		recipes: z.array(
			z.strictObject({
				name: z.string(),
				title: z.string().describe('Thing that it builds'),
				about: z.string().describe('How it works'),
				holds: z.string().optional().describe('With name: a condition that holds after it in an empty world'),
				batch: z
					.strictObject({ requests: z.array(anyObject) })
					.optional()
					.describe('With name: body of POST /batch'),
			}),
		),
		count: listLength,
	}),
	errors: [],
	examples: [
		{ name: 'All recipes' },
		{ name: 'Search', path: '/recipes?q=door+key' },
		{ name: 'One recipe', path: '/recipes?name=falling-ball' },
	],
});

export const getOpenApi = route({
	id: 'operations.openapi',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/openapi.json',
	cli: ['openapi'],
	summary: 'This interface as an OpenAPI 3.1 document',
	effect: 'read',
	world: false,
	answer: anyObject,
	errors: [],
	examples: [{ name: 'Read the OpenAPI document' }],
});

export const diagnose = route({
	id: 'operations.diagnose',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/diagnose',
	cli: ['diagnose'],
	summary: 'Finds mistakes in the world that keep it from working as intended',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		warnings: z.array(z.string()).describe('Likely mistakes; an entity is written E<id>'),
		warning_count: z.int().describe('Number of warnings'),
		info: z.array(z.string()).describe('Further remarks'),
		rules: z
			.array(
				z.strictObject({
					id: entityId,
					name: z.string().nullable(),
					fired: z.int().describe('Firings, each for one entity or for none'),
					last_fired: z.int().nullable().describe('Ticks completed when it last fired'),
					passing: z.int().describe('Entities that now pass its filter'),
					parts: z
						.array(
							z.strictObject({
								part: z.string().describe('A part of the condition, as a text'),
								holds_for: z
									.int()
									.nullable()
									.describe(
										'Number of those entities for which it now holds; null: it is not about an entity',
									),
								holds: z.boolean(),
							}),
						)
						.describe('Current result of each part of its condition; events are those of the last tick'),
					warnings: z.array(z.string()),
				}),
			)
			.describe('Reasons that rules fire or do not: at most 100 rules, those that never fired first'),
		entity_count: entityCount,
	}),
	errors: [],
	examples: [{ name: 'Diagnose', given: [{ path: '/spawn', body: { velocity: { linear: [1, 0, 0] } } }] }],
});

export const getEvents = route({
	id: 'operations.events',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/events',
	cli: ['events', 'list'],
	summary: 'Events of this tick and the last; reading does not consume them',
	description: 'To get the events of many ticks, step with `events`, or read GET /events/stream.',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		events: z.array(eventView).describe('By type, damage and deaths first, each type oldest first'),
		count: listLength,
	}),
	errors: [],
	examples: [
		{
			name: 'See queued damage',
			given: [
				{ path: '/spawn', body: { health: 100 } },
				{ path: '/entity/damage', body: { entity_id: 0, amount: 30 } },
			],
		},
	],
});

export const streamEvents = route({
	id: 'operations.stream_events',
	tag: 'Discovery and ops',
	method: 'GET',
	path: EVENT_STREAM_PATH,
	cli: ['events', 'stream'],
	batch: false,
	summary: 'Events as they happen, as a stream or in pieces; a reader that comes back misses none',
	description:
		'Server-sent events if Accept allows them, such as with curl -N or EventSource; each has an id, with which a reader continues. With `Accept: application/json`, one piece. The last ten minutes are kept, at most 100,000 events of a world. Other events: `gap`: requested events are no longer kept, or the world began later; `replaced`: another world took the place, by an undo, load, restore, reset or promotion; `end`: the stream has ended, and why. Events sent between ticks come with the next tick.',
	effect: 'read',
	query: z.strictObject({
		since: optional(
			text(
				'Id of an event, to begin after it, or a tick, to begin with it; without it, with what happens from now on',
			).regex(CURSOR_PATTERN),
		),
		events: optional(text('Only these kinds, separated by commas, such as damage,death')),
		entity: optional(integer('Only events that name this entity id')),
		wait: integer('Longest wait for an event if there is none yet', { unit: 's', max: 25 }).default(0),
		limit: integer('Largest number of events in a piece', { min: 1, max: 10_000 }).default(1000),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		tick: z.int().describe('Ticks completed'),
		events: z
			.array(eventView.extend({ id: z.string().describe('Id of the event') }))
			.describe('In the order in which they were sent. WorldReplaced: another world took the place'),
		count: listLength,
		gap: z
			.strictObject({
				from: z.string().describe('Id after which events are missing'),
				to: z.string().describe('Id up to which events are missing'),
				message: z.string(),
			})
			.nullable()
			.describe('Missing events; null if there are none'),
		next: z.string().describe('Value of `since` for the next piece'),
		more: z.boolean().describe('true: more events are there already'),
	}),
	media: [EVENT_STREAM_TYPE],
	errors: [],
	examples: [
		{
			name: 'A fight, from its beginning',
			given: [
				{ path: '/spawn', body: { health: 100 } },
				{ path: '/entity/damage', body: { entity_id: 0, amount: 30 } },
				{ path: '/step', body: { ticks: 2 } },
			],
			path: '/events/stream?since=0&events=damage',
		},
	],
});

export const postEvent = route({
	id: 'operations.inject_event',
	tag: 'Discovery and ops',
	method: 'POST',
	path: '/events',
	cli: ['events', 'inject'],
	summary: 'Sends an event, readable on this tick and the next; its effect is applied once',
	effect: 'write',
	owner: ['entity'],
	body: sentEvent,
	answer: message,
	errors: ['entity_not_found', 'no_health', 'entity_dead'],
	examples: [
		{ name: 'Send a signal', body: { type: 'SignalEvent', name: 'gate-opened', data: { gate: 3 } } },
	],
});

export const getProfile = route({
	id: 'operations.profile',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/profile',
	cli: ['profile'],
	summary: 'Duration of a tick, by system',
	effect: 'read',
	world: false,
	answer: z.strictObject({
		ok: z.literal(true),
		fps: z
			.number()
			.describe('Ticks per second that the engine could make at this speed; 0 before the first tick'),
		frame_ms: z.number().describe('Mean duration of a tick over the last 60 (ms)'),
		sections: z
			.array(
				z.strictObject({
					name: z.string().describe('System'),
					us: z.number().describe('Mean duration over the last 60 timed ticks (microseconds)'),
					kind: z.literal('Cpu'),
				}),
			)
			.describe('In the order they run'),
		ticks: z
			.int()
			.describe('Number of ticks in the means, at most 60. In a call of many ticks, every eighth is timed'),
	}),
	errors: [],
	examples: [{ name: 'Time the systems', given: [{ path: '/step', body: { ticks: 2 } }] }],
});

export const getGpu = route({
	id: 'operations.gpu',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/engine/gpu',
	cli: ['gpu'],
	summary: 'GPU adapter and backend in use',
	effect: 'read',
	world: false,
	answer: z.strictObject({
		ok: z.literal(true),
		backend: z.enum(['webgpu', 'webgl2']),
		device_name: z.string(),
		capabilities: z.record(z.string(), z.union([z.number(), z.boolean()])),
		quality: z
			.strictObject({
				software: z.boolean().describe('true: the CPU draws'),
				sun_shadow_pixels: z.int().describe("Edge of the sun's shadow map (pixels)"),
				local_lights: z
					.int()
					.describe(
						'Largest number of point lights, and of spots, in a picture: the brightest ones in view are drawn',
					),
				shadow_lights: z.int().describe('Largest number of spots that cast shadows'),
				grass_distance: z
					.int()
					.describe('Distance beyond which grass and flowers are not drawn, for all layers (m)'),
				terrain_pixels: z
					.int()
					.describe('Largest width of a terrain triangle on screen, approximately (CSS pixels)'),
				occlusion_samples: z.int().describe('With post-processing: samples of ambient occlusion per pixel'),
				occlusion_scale: z
					.number()
					.describe('Edge of the ambient occlusion buffer, as a fraction of the edge of the picture'),
				particles: z
					.int()
					.describe('Largest number of particles in a picture; emitters beyond that are not drawn'),
				bloom_scale: z
					.number()
					.describe('Edge of the bloom buffer, as a fraction of the edge of the picture'),
				bounce_samples: z.int().describe('With bounced light: samples per pixel'),
				blur_samples: z.int().describe('With depth of field: samples per pixel'),
				shadow_cascades: z.int().describe('Largest number of shadow maps of the sun'),
			})
			.describe('Quality settings that were chosen for the GPU'),
	}),
	errors: [],
	inside: ['no_gpu'],
	examples: [{ name: 'Read the GPU', needs: 'view' }],
});

export const getNetStatus = route({
	id: 'operations.net',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/net/status',
	cli: ['net', 'status'],
	summary: 'Status of network replication, which this engine does not have',
	effect: 'read',
	world: false,
	answer: z.strictObject({ ok: z.literal(true), active: z.literal(false), message: z.string() }),
	errors: [],
	examples: [{ name: 'Ask' }],
});

export const watch = route({
	id: 'operations.watch',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/watch',
	cli: ['watch'],
	batch: false,
	summary: 'State of the main world, and the newest calls to the engine',
	effect: 'read',
	world: false,
	query: z.strictObject({
		after: integer('Only calls with a higher number; -1: all stored calls', {
			min: -1,
			max: Number.MAX_SAFE_INTEGER,
		}).default(-1),
		change: integer('`change` of the last answer', { min: -1, max: Number.MAX_SAFE_INTEGER }).default(-1),
		wait: integer('Longest wait for an answer with another `change`', { unit: 's', max: 25 }).default(0),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		change: z
			.int()
			.describe('Differs after anything changed, a call was answered, or the engine was restarted'),
		world_name: worldName,
		tick: z.int().describe('Ticks completed'),
		state_digest: z.string().describe('Digest of the state'),
		entity_count: entityCount,
		rule_count: ruleCount,
		playing: z.boolean().describe('true: the world runs in real time'),
		dropped_ticks: z.int().describe('Ticks skipped because the engine was too slow, since the last play'),
		forks: z.array(z.string()).describe('Ids of the forks, sorted'),
		calls: z
			.array(
				z.strictObject({
					number: z.int().describe('Increases by one per call'),
					tick: z.int().describe('Tick of its world at the answer'),
					door: z.enum(['process', 'page', 'worker', 'relay']),
					sender: z.string().describe('From the header x-agent or user-agent'),
					method: z.string(),
					path: z.string(),
					world: z.string(),
					status: z.int().describe('HTTP status'),
					ms: z.number().describe('From arrival to answer (ms)'),
					fix: z.string().optional().describe('For a refused call: its fix'),
				}),
			)
			.describe('Oldest first; the newest 200 are stored'),
	}),
	errors: [],
	examples: [{ name: 'Read the newest calls' }],
});

/** The relay itself answers this route, because an engine that hangs answers nothing. */
export const endEngine = route({
	id: 'operations.end_engine',
	tag: 'Discovery and ops',
	method: 'DELETE',
	path: END_ENGINE_PATH,
	cli: ['engine', 'end'],
	summary: 'Ends an engine that hangs; another one starts immediately',
	description:
		'For an engine that never reaches the end of a tick. It is ended from outside, and its calls are refused with `engine_lost`. The next engine resumes from the journal, which the server keeps. Only the server can do this: a tab refuses the call.',
	effect: 'write',
	access: 'admin',
	world: false,
	batch: false,
	params: z.strictObject({
		held_world: text('Identity of the world to end, from the header X-Orrery-World of any answer'),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		last_world: lastWorld.nullable().describe('World that was lost; null if none was: the journal has it'),
	}),
	errors: [],
	examples: [
		{
			name: 'End the engine of a world',
			path: '/engine/worker/0123456789abcdef',
			needs: 'relay',
			answer: { ok: true, last_world: null },
		},
	],
});
