/** Routes of the tag Discovery and ops: schema, diagnosis, events, timing, GPU. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { entityId, integer, listLength, message, optional, queryFlag, text } from '../contract/values.ts';
import { eventView, sentEvent } from '../documents/event.ts';
import { entityCount, worldName } from './entity-view.ts';
import { lastWorld } from './last-world-view.ts';

const anyObject = z.record(z.string(), z.unknown());

export const getSchema = route({
	id: 'operations.schema',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/schema',
	cli: ['schema'],
	summary: 'Every route and component with its fields, types, units, defaults and allowed words',
	description:
		'The whole schema is long: `brief=true` gives an overview, `path=/rule/create` everything about one route. Definitions that are too long for such an answer are referred to by their address, such as /schema?definition=Action.',
	effect: 'read',
	world: false,
	query: z.strictObject({
		path: optional(
			text(
				'Only the routes of this path, such as /rule/create; with a slash at its end, or when no route has it, those below it too: /rule/',
			),
		),
		definition: optional(
			text('Only this definition, such as Action, and what it refers to').meta({ format: 'definition' }),
		),
		component: optional(text('Only this component, such as Collider').meta({ format: 'component' })),
		brief: queryFlag('Only the lists of routes, components and errors, without JSON Schemas').default(false),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		version: text('Version of the interface'),
		components: z
			.record(z.string(), z.record(z.string(), z.unknown()))
			.describe(
				'Component -> field -> description; besides the fields, a description (`note`), the list of fields (`fields`), and for a component with several forms these forms (`variants`)',
			),
		endpoints: z
			.record(z.string(), z.string())
			.describe('"METHOD /path" -> summary; in the whole schema also with :id for {id}'),
		component_schemas: z
			.array(anyObject)
			.describe('Every component: scope, fields, JSON Schema of its output'),
		events: z
			.array(anyObject)
			.describe(
				'Every event: its kind, its fields, which field is the affected entity and which one is its cause, and what it keeps about entities that may no longer exist',
			),
		routes: z.array(anyObject).describe('Every route: effect, JSON Schemas, error codes, examples'),
		definitions: z
			.record(z.string(), anyObject)
			.describe('Named schemas, referred to as #/definitions/<name>'),
		errors: z.array(anyObject).describe('Every error code with its status and what to do'),
	}),
	errors: ['no_such_route'],
	examples: [
		{ name: 'Read the schema' },
		{ name: 'See what there is', path: '/schema?brief=true' },
		{ name: 'Everything about one route', path: '/schema?path=/rule/create' },
		{ name: 'A definition', path: '/schema?definition=Action' },
		{ name: 'A component', path: '/schema?component=Collider' },
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
	summary: 'Looks for things in the world that cannot work as intended',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		warnings: z.array(z.string()).describe('What looks wrong; an entity is written E<id>'),
		warning_count: z.int().describe('How many there are'),
		info: z.array(z.string()).describe('Further remarks'),
		rules: z
			.array(
				z.strictObject({
					id: entityId,
					name: z.string().nullable(),
					fired: z.int().describe('Firings, each for one entity or for none'),
					last_fired: z.int().nullable().describe('Ticks completed when it last fired'),
					passing: z.int().describe('Entities that pass its filter now'),
					parts: z
						.array(
							z.strictObject({
								part: z.string().describe('A part of the condition, in words'),
								holds_for: z
									.int()
									.nullable()
									.describe('Entities among those for which it holds now; null: it is about no entity'),
								holds: z.boolean(),
							}),
						)
						.describe('What each part of its condition finds now; events are those of the last tick'),
					warnings: z.array(z.string()),
				}),
			)
			.describe('Why rules fire or do not: at most 100, those that never fired first'),
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
	description: 'To get the events of many ticks, step with `events`.',
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

export const postEvent = route({
	id: 'operations.inject_event',
	tag: 'Discovery and ops',
	method: 'POST',
	path: '/events',
	cli: ['events', 'inject'],
	summary: 'Sends an event: readable on this tick and the next, taking effect once',
	effect: 'write',
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
	summary: 'How long a tick takes, system by system',
	effect: 'read',
	world: false,
	answer: z.strictObject({
		ok: z.literal(true),
		fps: z
			.number()
			.describe('Ticks per second that the engine could do at this speed; 0 before the first tick'),
		frame_ms: z.number().describe('Mean duration of a tick over the last 60 (ms)'),
		sections: z
			.array(
				z.strictObject({
					name: z.string().describe('System'),
					us: z.number().describe('Mean duration over the last 60 ticks that were timed (microseconds)'),
					kind: z.literal('Cpu'),
				}),
			)
			.describe('In the order in which they run'),
		ticks: z
			.int()
			.describe('Number of ticks in the means, at most 60. Of the ticks of one call every eighth is timed'),
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
	summary: 'What draws',
	effect: 'read',
	world: false,
	answer: z.strictObject({
		ok: z.literal(true),
		backend: z.enum(['webgpu', 'webgl2']),
		device_name: z.string(),
		capabilities: z.record(z.string(), z.union([z.number(), z.boolean()])),
		quality: z
			.strictObject({
				software: z.boolean().describe('Whether a processor draws'),
				sun_shadow_pixels: z.int().describe("Edge of the sun's shadow map (pixels)"),
				local_lights: z
					.int()
					.describe(
						'Most points of light, and most spots, in a picture: the brightest where the camera looks',
					),
				shadow_lights: z.int().describe('Most spots that cast shadows'),
				grass_distance: z
					.int()
					.describe('Distance beyond which grass and flowers are not drawn, whatever their layer says (m)'),
				terrain_pixels: z
					.int()
					.describe('About how wide a triangle of a terrain is at most on screen (CSS pixels)'),
				occlusion_samples: z
					.int()
					.describe('Of post-processing: how often ambient occlusion looks round each place'),
				occlusion_scale: z
					.number()
					.describe("Edge of the picture of ambient occlusion, as a share of the picture's"),
				particles: z.int().describe('Most particles in a picture; of the later emitters none are drawn'),
				bloom_scale: z.number().describe("Edge of the picture of bloom, as a share of the picture's"),
			})
			.describe('What was chosen by itself for what draws'),
	}),
	errors: [],
	inside: ['no_gpu'],
	examples: [{ name: 'See what draws the picture', needs: 'view' }],
});

export const getNetStatus = route({
	id: 'operations.net',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/net/status',
	cli: ['net', 'status'],
	summary: 'Whether worlds are replicated over a network; they are not',
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
	summary: 'The state of main and the calls answered since: what the page shows',
	effect: 'read',
	world: false,
	query: z.strictObject({
		after: integer('Only calls with a higher number; -1 for all that are kept', {
			min: -1,
			max: Number.MAX_SAFE_INTEGER,
		}).default(-1),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		world_name: worldName,
		tick: z.int().describe('Ticks completed'),
		state_digest: z.string().describe('Digest of the state'),
		entity_count: entityCount,
		playing: z.boolean().describe('Whether the world runs in real time'),
		dropped_ticks: z.int().describe('Ticks skipped because the engine fell behind, since the last play'),
		forks: z.array(z.string()).describe('Ids of the forks, sorted'),
		calls: z
			.array(
				z.strictObject({
					number: z.int().describe('Rises by one with each call'),
					tick: z.int().describe('Tick of its world when it was answered'),
					door: z.enum(['process', 'page', 'worker', 'relay']),
					sender: z.string().describe('From the header x-agent or user-agent'),
					method: z.string(),
					path: z.string(),
					world: z.string(),
					status: z.int().describe('HTTP status'),
					ms: z.number().describe('From arrival to answer (ms)'),
					fix: z.string().optional().describe('Of a refused call: what to send instead'),
				}),
			)
			.describe('Oldest first; the newest 200 are kept'),
	}),
	errors: [],
	examples: [{ name: 'Look at the newest calls' }],
});

/** Answered by the relay itself: an engine that hangs answers nothing. */
export const endEngine = route({
	id: 'operations.end_engine',
	tag: 'Discovery and ops',
	method: 'DELETE',
	path: '/engine/worker/{held_world}',
	cli: ['engine', 'end'],
	summary: 'Ends an engine that hangs; another one starts at once',
	description:
		'For an engine that never reaches the end of a tick: it is ended from outside, whatever it is at work on, and the calls that it has are refused with `engine_lost`. The next one goes on with what the journal has; without a journal it begins empty, or with the worlds as a tab last handed them over, and `last_world` of GET / says which. Only the server does this: inside a tab the call is refused.',
	effect: 'write',
	access: 'admin',
	world: false,
	batch: false,
	params: z.strictObject({
		held_world: text('Name of the world to be ended, as the header X-Orrery-World of every answer says it'),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		last_world: lastWorld
			.nullable()
			.describe('The world that was lost by it; null where the journal has it, unless one was lost before'),
	}),
	errors: [],
	examples: [
		{
			name: 'End the engine that holds a world',
			path: '/engine/worker/0123456789abcdef',
			needs: 'relay',
			answer: { ok: true, last_world: null },
		},
	],
});
