/** Routes of the tag Journal: its state, the history, forks of the past, undo and redo. */

import * as z from 'zod';
import { METHODS, route } from '../contract/route.ts';
import {
	digest,
	integer,
	isGiven,
	listLength,
	optional,
	queryFlag,
	text,
	ticks,
	word,
} from '../contract/values.ts';
import { eventView } from '../documents/event.ts';
import { reading } from '../rules/assertion.ts';
import { KEPT_HOURS } from '../transport/journal-entry.ts';
import { entityCount, worldStamp } from './entity-view.ts';
import { forkName } from './forks.ts';
import { journalState } from './journal-view.ts';
import { warnings } from './warnings.ts';
import { tableRows } from './world.ts';

const undoErrors = ['journal_cut', 'nothing_to_undo', 'depended_on', 'asset_missing'] as const;

const shared = { tag: 'Journal', world: false, batch: false } as const;
const entry = z.int().describe('Number of the entry, from 0');
const appliedAt = z.string().describe('Time it was applied, in ISO 8601');
const anyWorld = z.string().min(1).max(64);

export const getJournal = route({
	...shared,
	id: 'journal.status',
	method: 'GET',
	path: '/journal',
	cli: ['journal', 'status'],
	summary: 'State and extent of the journal; with a key, the state of that call',
	description:
		`A call that changes something may have a header Idempotency-Key. If it is sent again with the same key within ${KEPT_HOURS} hours, it is not applied twice: it returns the same answer, with idempotency-replayed: true. ` +
		'So send a call again unchanged if its answer was lost. If the lost connection ended a step, this answer is `cancelled`, with `ticks_advanced`. A refused call that changed nothing runs again. With sign-in, a key belongs to its agent.',
	effect: 'read',
	query: z.strictObject({ key: optional(text('Idempotency-Key of a call')) }),
	answer: z.strictObject({
		ok: z.literal(true),
		...journalState,
		first: entry.describe('Oldest stored entry'),
		next: entry.describe('Number of the next entry'),
		states: z.array(entry).describe('Entries with a full state before them, ascending'),
		bytes: z.number().describe('Size, in bytes'),
		call: z
			.strictObject({
				state: z
					.enum(['unknown', 'running', 'applied'])
					.describe(
						'running: in progress, or not yet stored; unknown: never received, refused without a change, or too old',
					),
				entry: entry.nullable().optional(),
				applied_at: appliedAt.optional(),
				status: z.int().optional().describe('Status of its answer'),
				world: z.string().optional().describe('World of the call'),
				tick: z.int().nullable().optional().describe('Tick of that world after the call'),
				state_digest: digest.nullable().optional(),
			})
			.optional()
			.describe('The call with the given key'),
	}),
	errors: ['bad_key', 'journal_unreadable'],
	examples: [{ name: 'State of the journal' }, { name: 'State of a call', path: '/journal?key=move-17' }],
});

export const getHistory = route({
	...shared,
	id: 'journal.history',
	method: 'GET',
	path: '/history',
	cli: ['journal', 'history'],
	summary: 'Applied calls, and ticks of play between them, oldest first',
	description:
		'`next` of one answer is `from` of the next; null at the end. An answer examines at most 100 000 entries, so a page may be short.',
	effect: 'read',
	query: z.strictObject({
		from: optional(integer('First entry to examine; left out: the oldest')),
		limit: integer('Maximum number of lines', { min: 1, max: 1000 }).default(100),
		of: optional(anyWorld.describe('Only changes of this world')),
		sender: optional(text('Only calls of this sender: its full X-Agent, User-Agent or agent id')),
		path: optional(text('Only calls whose path starts with this')),
		from_tick: optional(integer('Only entries in which a world reached this tick or a later one')),
		to_tick: optional(integer('Only entries in which a world reached this tick or an earlier one')),
		bodies: queryFlag('Adds the request bodies of calls').default(false),
		bytes: integer(
			'With bodies: maximum size of all bodies together. The page ends before it. A larger body is omitted',
			{
				unit: 'bytes',
				min: 1024,
				max: 1024 * 1024,
			},
		).default(32 * 1024),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		lines: z.array(
			z.strictObject({
				entry,
				applied_at: appliedAt,
				kind: z.enum(['call', 'play']),
				sender: z.string().optional().describe('For a call: its sender'),
				door: z.string().optional().describe('For a call: its transport'),
				method: z.string().optional(),
				path: z.string().optional().describe('Path with its query'),
				body: z
					.unknown()
					.optional()
					.describe('With bodies: the JSON of the request; omitted if too large or not JSON'),
				body_bytes: z.int().optional().describe('With bodies: size of the body (bytes)'),
				status: z.int().optional().describe('For a call: status of its answer'),
				stopped: z.enum(['cancelled', 'paused', 'diverged']).optional().describe('Reason it ended early'),
				worlds: z
					.array(
						z.strictObject({
							world: z.string(),
							tick: z.int().describe('Tick of the world after the entry'),
							state_digest: digest.optional().describe('Missing in some entries of large worlds'),
							ticks: z.int().optional().describe('For play: number of ticks'),
						}),
					)
					.describe('Worlds it changed or created'),
				deleted: z.array(z.string()).optional().describe('Worlds it deleted'),
			}),
		),
		count: listLength,
		next: entry.nullable().describe('Entry to continue from'),
	}),
	errors: ['journal_cut', 'journal_unreadable'],
	examples: [
		{ name: 'The oldest', path: '/history?limit=10' },
		{ name: 'With request bodies', path: '/history?bodies=true&limit=10' },
	],
});

export const firstTick = route({
	...shared,
	id: 'journal.first',
	method: 'GET',
	path: '/history/first',
	cli: ['journal', 'first'],
	summary: 'First tick at which a condition held, within the journal',
	description:
		'Re-runs the journal and checks the condition after each tick and call. Without `from_tick` it searches only the current world: since the last reset, load, restore, undo or promote. `from_tick` also searches the earlier worlds, whose ticks may repeat. After about 15 seconds the answer has `finished: false`; send `next` as `after` to continue. Conditions on deaths, scores and match phases (death, event:death, event:score, event:match), also joined by & with others, use an index and are fast. Ticks of a probe with fork: true are not searched. DELETE /calls/{id} ends the search.',
	effect: 'read',
	query: z.strictObject({
		condition: text('Any condition as a text, such as any field health < 50 team:1', 2000),
		of: anyWorld.default('main').describe('World, by its id at that time'),
		from_tick: optional(
			integer('First tick to search, also in earlier worlds; 0: the whole journal', { unit: 'ticks' }),
		),
		after: optional(
			z
				.string()
				.regex(/^\d{1,15}\.\d{1,15}$/, 'it must be the `next` of an answer')
				.describe('Continues a search: `next` of its last answer'),
		),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		found: z.boolean().describe('true: it held on a tick up to `searched_to`'),
		finished: z
			.boolean()
			.describe('true: the search is complete. If false, `found: false` does not mean never'),
		searched_to: z.int().nullable().describe('Last tick that was searched; null: none'),
		reading,
		warnings,
		since: entry
			.nullable()
			.describe(
				'Entry that created the current world. Earlier entries were not searched. null: all were searched',
			),
		next: z
			.string()
			.nullable()
			.describe('Value for `after` to continue; null: found, or nothing left to search'),
		of: z.string(),
		tick: z.int().nullable().describe('The tick; POST /history/fork restores the world as a fork'),
		entry: entry.nullable().describe('Entry after which, or within which, it held'),
		state_digest: digest
			.nullable()
			.describe('Null if the index answered: POST /history/fork with the tick shows it'),
		entity_count: entityCount.nullable().describe('Null if the index answered'),
	}),
	errors: ['journal_cut', 'journal_unreadable', 'invalid_assertion', 'too_many_actions'],
	examples: [
		{
			name: 'First time any entity had less than 50 HP',
			path: '/history/first?condition=any+field+health+%3C+50',
		},
	],
});

export const historyEvents = route({
	...shared,
	id: 'journal.events',
	method: 'GET',
	path: '/history/events',
	cli: ['journal', 'events'],
	summary: 'Events of the past, and numbers of entities over time, from the journal',
	description:
		'Re-runs the journal from the newest state before `from_tick`, so it also has events that GET /events/stream no longer keeps. It reads only the current world: since the last reset, load, restore, undo or promote. After about 15 seconds, or with `limit` events or rows, the answer has `finished: false`; send `next` as `from_tick` to continue. DELETE /calls/{id} ends it.',
	effect: 'read',
	query: z.strictObject({
		of: anyWorld.default('main').describe('World, by its id at that time'),
		from_tick: integer('First tick', { unit: 'ticks' }).default(0),
		to_tick: optional(integer('Tick before which it ends; left out: the newest', { unit: 'ticks' })),
		events: optional(text('Kinds of events, separated by commas, such as damage,death; left out: none')),
		fields: optional(text('Numbers of entities, separated by commas, such as gold,position.x', 2000)),
		filter: text('With fields: entities to read, such as tag:hero', 2000).default('any'),
		every: integer('With fields: ticks between two samples', { unit: 'ticks', min: 1 }).default(60),
		limit: integer('Number of events, and of rows, after which the answer ends', {
			min: 1,
			max: 10_000,
		}).default(10_000),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		of: z.string(),
		events: z.array(eventView).describe('Oldest first'),
		rows: tableRows.describe('With fields: tick, entity and its numbers; null: it has no such field'),
		count: listLength,
		since: z
			.int()
			.nullable()
			.describe('First tick that was read; earlier ones are no longer stored. null: none was read'),
		finished: z.boolean().describe('true: complete up to `to_tick`, or to the newest tick'),
		next: z.int().nullable().describe('Value for `from_tick` to continue; null: finished'),
	}),
	errors: ['journal_cut', 'journal_unreadable', 'invalid_assertion'],
	examples: [
		{
			name: 'Deaths, and the gold of heroes each second',
			given: [
				{ path: '/spawn', body: { health: 10, gold: 5, role: 'hero' } },
				{ path: '/entity/damage', body: { entity_id: 0, amount: 30 } },
				{ path: '/step', body: { ticks: 120 } },
			],
			path: '/history/events?events=death&fields=gold&filter=role:hero',
		},
	],
});

export const forkHistory = route({
	...shared,
	id: 'journal.fork',
	method: 'POST',
	path: '/history/fork',
	cli: ['journal', 'fork'],
	summary: 'Creates a fork of a world at an earlier time in the journal',
	description:
		'Re-runs the journal from the nearest earlier state, which may take a while; other calls run meanwhile. A tick can occur in several entries, or more than once in a world: the last one counts.',
	effect: 'fork',
	body: z
		.strictObject({
			fork_id: forkName,
			entry: optional(integer('Entry after which to fork, as GET /history numbers them')),
			tick: optional(integer('Tick at which to fork', { unit: 'ticks' })),
			of: anyWorld.default('main').describe('World, by its id at that time'),
		})
		.refine(({ entry, tick }) => (entry == null) !== (tick == null), {
			message: 'send either "entry" or "tick"',
			path: ['entry'],
		})
		.meta({ oneOf: [isGiven('entry'), isGiven('tick')] }),
	answer: z.strictObject({
		ok: z.literal(true),
		fork_id: z.string().describe('Id of the fork'),
		of: z.string().describe('World that was forked'),
		entry: entry.describe('Entry after which, or within which, the world was in this state'),
		entity_count: entityCount,
		...worldStamp,
	}),
	makes: { thing: 'fork', named: { fork: '$response.body#/fork_id' } },
	errors: ['journal_cut', 'journal_unreadable', 'no_moment', 'fork_exists', 'too_many_forks', 'out_of_room'],
	examples: [{ name: 'Fork the start', body: { fork_id: 'past', tick: 0 } }],
});

const otherRequest = z.strictObject({
	method: word(METHODS, 'Method').default('POST'),
	path: text('Path with its query', 2000).min(1),
	body: z.unknown().optional().describe('Body of a POST or PATCH'),
});
const outlook = z.strictObject({
	tick: ticks.describe('Ticks completed at the end'),
	state_digest: digest,
	conditions: z
		.array(z.strictObject({ passed: z.boolean(), message: z.string() }))
		.describe('Result of each condition'),
	rows: tableRows.describe('With fields: id and fields of each entity, at most 1000'),
});
const MAX_CHANGES = 100;

export const replayHistory = route({
	...shared,
	id: 'journal.replay',
	method: 'POST',
	path: '/history/replay',
	cli: ['journal', 'replay'],
	summary:
		'Replays the history in a fork: without a call, with another call instead, or with an additional one',
	description:
		'Re-runs the journal twice, unchanged and with the change, and compares a world at each tick. Without `fork_id` the fork is dropped. Undone calls stay undone. The added requests have the rights of the caller. They may not need files or pictures. It may take a while; other calls run meanwhile.',
	effect: 'fork',
	body: z
		.strictObject({
			of: anyWorld.default('main').describe('World, by its id at that time'),
			without: optional(
				z
					.union([entry, z.array(entry).max(MAX_CHANGES)])
					.describe('Entries of calls to omit, as GET /history numbers them'),
			),
			replace: optional(
				z.strictObject({ seq: entry, request: otherRequest }).describe('Request that replaces an entry'),
			),
			insert: optional(
				z.strictObject({ before: entry, request: otherRequest }).describe('Request to add before an entry'),
			),
			from: optional(entry.describe('First entry to compare; left out: the first change')),
			to: optional(entry.describe('Last entry to replay; left out: the newest')),
			conditions: z
				.array(text('Condition as a text', 2000))
				.max(50)
				.default([])
				.describe('Conditions to check at the end'),
			fields: z
				.array(text('Name of a number, such as health or position.x', 100))
				.max(50)
				.default([])
				.describe('Fields to read at the end'),
			filter: optional(text('With fields: entities to read, such as tag:hero; left out: all', 2000)),
			fork_id: optional(forkName.describe('Keeps the result as this fork')),
		})
		.refine(({ without, replace, insert }) => without != null || replace != null || insert != null, {
			message: 'send "without", "replace" or "insert"',
			path: ['without'],
		})
		.meta({ anyOf: ['without', 'replace', 'insert'].map(isGiven) }),
	answer: z.strictObject({
		ok: z.literal(true),
		of: z.string(),
		from: entry,
		to: entry,
		equal: z.boolean().describe('true: both worlds have the same digest at the end'),
		first_difference: z
			.strictObject({ tick: ticks.describe('Ticks completed'), entry })
			.nullable()
			.describe('First tick at which the worlds differ, and its entry; null: they never do'),
		original: outlook.describe('The world without the change'),
		replayed: outlook.describe('The world with the change'),
		calls: z
			.array(
				z.strictObject({
					entry,
					call: z.string().describe('Method and path'),
					was: z.int().nullable().describe('Its former status; null: an added request'),
					status: z.int().describe('Its status in the replay'),
					fix: z.string().nullable(),
				}),
			)
			.describe('Added requests, and calls with another status than before, at most 100'),
		call_count: z.int().describe('Number of these calls, listed or not'),
		fork_id: z.string().nullable().describe('Fork that was created'),
	}),
	makes: { thing: 'fork', named: { fork: '$response.body#/fork_id' } },
	errors: [
		'journal_cut',
		'journal_unreadable',
		'no_moment',
		'depended_on',
		'invalid_assertion',
		'fork_exists',
		'too_many_forks',
		'out_of_room',
	],
	examples: [
		{
			name: 'Without the first call',
			given: [
				{ path: '/spawn', body: { mesh: 'cube' } },
				{ path: '/spawn', body: { mesh: 'sphere' } },
			],
			body: { without: 0, conditions: ['any component:mesh'], fields: ['position.x'], fork_id: 'without' },
		},
	],
});

const undoAnswer = z.strictObject({
	ok: z.literal(true),
	entry: entry.describe('Entry of the undone or redone call'),
	call: z.string().describe('Its method and path'),
	remade: z.int().describe('Later entries that were re-run'),
	previous_tick: z.int().describe('Ticks completed before'),
	entity_count: entityCount,
	...worldStamp,
});

const undoShared = { tag: 'Journal', batch: false, effect: 'replace', errors: undoErrors } as const;
const spawnCube = { path: '/spawn', body: { mesh: 'cube' } };

export const undo = route({
	...undoShared,
	id: 'journal.undo',
	method: 'POST',
	path: '/undo',
	cli: ['journal', 'undo'],
	summary: 'Undoes the last call of the sender that changed the world, and re-runs later calls without it',
	description:
		'The sender is identified by agent id, X-Agent or User-Agent. Repeat it to undo earlier calls. Later ticks are re-run without the call, for all senders. ' +
		'Refused (depended_on) if a later call of another sender would have another result: other fields, values, ids or numbers of ticks. Also refused if the world has since been replaced by a snapshot or fork that contains the undone change. Refused (asset_missing) if the world would use an asset that has been deleted. ' +
		'Only this world changes: forks, snapshots and files made by the call stay. The duration depends on the calls since the nearest earlier state; the newest changes of a person in the page need no re-run.',
	answer: undoAnswer,
	examples: [{ name: 'Undo a cube', given: [spawnCube], body: {} }],
});

export const redo = route({
	...undoShared,
	id: 'journal.redo',
	method: 'POST',
	path: '/redo',
	cli: ['journal', 'redo'],
	summary:
		'Repeats the last undone call of the sender at its former position; impossible after a new call of the sender',
	description: 'Refused (depended_on, asset_missing) by the same rules as POST /undo.',
	answer: undoAnswer,
	examples: [
		{
			name: 'Redo the cube',
			given: [spawnCube, { path: '/undo', body: {} }],
			body: {},
		},
	],
});
