/** Routes of the tag Journal: what was applied, where it is kept, and going back to it. */

import * as z from 'zod';
import { KEPT_HOURS } from '../contract/journal-entry.ts';
import { route } from '../contract/route.ts';
import { digest, integer, isGiven, listLength, optional, text } from '../contract/values.ts';
import { reading } from '../documents/assertion.ts';
import { entityCount, worldStamp } from './entity-view.ts';
import { forkName } from './forks.ts';
import { journalWorks } from './journal-view.ts';
import { warnings } from './warnings.ts';

const undoErrors = ['no_journal', 'journal_cut', 'nothing_to_undo', 'depended_on', 'asset_missing'] as const;

const shared = { tag: 'Journal', world: false, batch: false } as const;
const entry = z.int().describe('Number of the entry, from 0 on');
const appliedAt = z.string().describe('When it was applied, in ISO 8601');
const anyWorld = z.string().min(1).max(64);

export const getJournal = route({
	...shared,
	id: 'journal.status',
	method: 'GET',
	path: '/journal',
	cli: ['journal', 'status'],
	summary: 'Whether everything that is applied is kept, and what was; with a key, whether that call ran',
	description:
		`Every call that changes something may come with a header Idempotency-Key: sent again with the same key within ${KEPT_HOURS} hours it is not done again, and has the same answer, with idempotency-replayed: true. ` +
		'So a call whose answer was lost is sent again as it was. What was refused and changed nothing is tried anew. A key belongs to the agent that has signed in.',
	effect: 'read',
	query: z.strictObject({ key: optional(text('Idempotency-Key of a call')) }),
	answer: z.strictObject({
		ok: z.literal(true),
		...journalWorks,
		first: entry.describe('Oldest entry that is kept'),
		next: entry.describe('The number that the next entry gets'),
		states: z.array(entry).describe('Entries before which there is a whole state, ascending'),
		bytes: z.number().describe('What it takes, in bytes'),
		call: z
			.strictObject({
				state: z
					.enum(['unknown', 'running', 'applied'])
					.describe(
						'running: is being done, or was done and is not kept yet; unknown: never came, was refused and changed nothing, or is too long ago',
					),
				entry: entry.nullable().optional(),
				applied_at: appliedAt.optional(),
				status: z.int().optional().describe('Status of its answer'),
				world: z.string().optional().describe('World that it was about'),
				tick: z.int().nullable().optional().describe('Tick of that world after it'),
				state_digest: digest.nullable().optional(),
			})
			.optional()
			.describe('The call with the key that was asked for'),
	}),
	errors: ['bad_key', 'journal_unreadable'],
	examples: [
		{ name: 'Whether everything is kept' },
		{ name: 'Whether a call ran', path: '/journal?key=move-17' },
	],
});

export const getHistory = route({
	...shared,
	id: 'journal.history',
	method: 'GET',
	path: '/history',
	cli: ['journal', 'history'],
	summary: 'What was applied, oldest first: calls, and ticks of play between them',
	description:
		'`next` of one answer is `from` of the next; null at the end. At most 100 000 entries are looked at for one answer, so a page may be short.',
	effect: 'read',
	query: z.strictObject({
		from: optional(integer('First entry to look at; default the oldest that is kept')),
		limit: integer('Most lines', { min: 1, max: 1000 }).default(100),
		of: optional(anyWorld.describe('Only what changed this world')),
		sender: optional(text('Only what this sender sent: its whole X-Agent, User-Agent or agent id')),
		path: optional(text('Only calls whose path begins so')),
		from_tick: optional(integer('Only where a world came to this tick or a later one')),
		to_tick: optional(integer('Only where a world came to this tick or an earlier one')),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		lines: z.array(
			z.strictObject({
				entry,
				applied_at: appliedAt,
				kind: z.enum(['call', 'play']),
				sender: z.string().optional().describe('Of a call: who sent it'),
				door: z.string().optional().describe('Of a call: the way it came'),
				method: z.string().optional(),
				path: z.string().optional().describe('With its query'),
				status: z.int().optional().describe('Of a call: status of its answer'),
				stopped: z.enum(['cancelled', 'paused', 'diverged']).optional().describe('Why it ended early'),
				worlds: z
					.array(
						z.strictObject({
							world: z.string(),
							tick: z.int().describe('Its tick after it'),
							state_digest: digest.optional().describe('Of large worlds not every entry has it'),
							ticks: z.int().optional().describe('Of play: ticks that were made'),
						}),
					)
					.describe('Worlds that it changed or made'),
				deleted: z.array(z.string()).optional().describe('Worlds that it deleted'),
			}),
		),
		count: listLength,
		next: entry.nullable().describe('Where to go on'),
	}),
	errors: ['no_journal', 'journal_cut', 'journal_unreadable'],
	examples: [{ name: 'The oldest', path: '/history?limit=10', needs: 'journal' }],
});

export const firstTick = route({
	...shared,
	id: 'journal.first',
	method: 'GET',
	path: '/history/first',
	cli: ['journal', 'first'],
	summary: 'The first tick at which a condition held, as far as the journal goes back',
	description:
		'What was done is made again from the oldest state, or from the one before `from_tick`, until the condition holds. Where that takes more than some 15 seconds, the answer has `finished: false`, and says in `next` where it came to: the same call with that as `after` goes on there. Deaths, scores and phases of a match (death, event:death, event:score, event:match) are indexed: these are answered at once, and conditions joined with them by & look only at entries that have one. Ticks of a probe with fork: true are of no world, and not looked at. DELETE /calls/{id} ends it. It is looked after each tick of the world and after each call.',
	effect: 'read',
	query: z.strictObject({
		condition: text('Any condition in words, such as any field health < 50 team:1', 2000),
		of: anyWorld.default('main').describe('The world, by the id that it had then'),
		from_tick: optional(integer('Only from this tick on', { unit: 'ticks' })),
		after: optional(
			z
				.string()
				.regex(/^\d{1,15}\.\d{1,15}$/, 'it is what `next` of an answer was')
				.describe('Goes on with a search: `next` of its last answer'),
		),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		found: z.boolean().describe('Whether it has held on a tick up to `searched_to`'),
		finished: z
			.boolean()
			.describe('Whether the search is over. While it is false, `found: false` does not mean never'),
		searched_to: z.int().nullable().describe('Last tick of the world that was looked at; null: none'),
		reading,
		warnings,
		next: z
			.string()
			.nullable()
			.describe(
				'Where it came to without finding it, for `after`; null: found, or there is no more to look at',
			),
		of: z.string(),
		tick: z.int().nullable().describe('The tick; POST /history/fork brings the world back as it was'),
		entry: entry.nullable().describe('The entry after which, or within which, it was so'),
		state_digest: digest
			.nullable()
			.describe('Null where the index answered: POST /history/fork with the tick tells'),
		entity_count: entityCount.nullable().describe('Null where the index answered'),
	}),
	errors: ['no_journal', 'journal_cut', 'journal_unreadable', 'invalid_assertion', 'too_many_actions'],
	examples: [
		{
			name: 'When any entity first had less than 50 HP',
			path: '/history/first?condition=any+field+health+%3C+50',
			needs: 'journal',
		},
	],
});

export const forkHistory = route({
	...shared,
	id: 'journal.fork',
	method: 'POST',
	path: '/history/fork',
	cli: ['journal', 'fork'],
	summary: 'A world as it was at any moment that the journal knows, as a fork',
	description:
		'What it came from since the nearest state before is made again, which may take a while; other calls go on meanwhile. Several entries can be at one tick, and a world can have had a tick more than once: of these the last counts.',
	effect: 'fork',
	body: z
		.strictObject({
			fork_id: forkName,
			entry: optional(integer('As it was after this entry, as GET /history numbers them')),
			tick: optional(integer('As it was at this tick', { unit: 'ticks' })),
			of: anyWorld.default('main').describe('The world, by the id that it had then'),
		})
		.refine(({ entry, tick }) => (entry == null) !== (tick == null), {
			message: 'send either "entry" or "tick"',
			path: ['entry'],
		})
		.meta({ oneOf: [isGiven('entry'), isGiven('tick')] }),
	answer: z.strictObject({
		ok: z.literal(true),
		fork_id: z.string().describe('Id of the fork'),
		of: z.string().describe('World that it was'),
		entry: entry.describe('The entry after which, or within which, it was so'),
		entity_count: entityCount,
		...worldStamp,
	}),
	makes: { thing: 'fork', named: { fork: '$response.body#/fork_id' } },
	errors: [
		'no_journal',
		'journal_cut',
		'journal_unreadable',
		'no_moment',
		'fork_exists',
		'too_many_forks',
		'out_of_room',
	],
	examples: [{ name: 'As it was at the start', body: { fork_id: 'past', tick: 0 }, needs: 'journal' }],
});

const undoAnswer = z.strictObject({
	ok: z.literal(true),
	entry: entry.describe('Entry of the call that is meant'),
	call: z.string().describe('Its method and path'),
	remade: z.int().describe('Entries after it that were made again'),
	previous_tick: z.int().describe('Ticks completed before'),
	entity_count: entityCount,
	...worldStamp,
});

const undoShared = { tag: 'Journal', batch: false, effect: 'replace', errors: undoErrors } as const;
const spawned = { path: '/spawn', body: { mesh: 'cube' } };

export const undo = route({
	...undoShared,
	id: 'journal.undo',
	method: 'POST',
	path: '/undo',
	cli: ['journal', 'undo'],
	summary:
		"Takes back the sender's last call that changed the world: what came later is made again without it",
	description:
		'The sender is who sends this, by agent id, X-Agent or User-Agent. Sent again, it takes back the call before. Ticks are made again as they come out without it, whoever asked for them. ' +
		'Refused (depended_on) when a later call of another sender to this world would not do exactly what it did: change the same fields from the same values to the same values, give the same ids, make as many ticks; and when a snapshot or a fork that still had what was taken back was put in the place of the world since. Refused (asset_missing) when the world would name an asset that was deleted since. ' +
		'Only this world goes back: forks, snapshots and files that the call made stay. Takes as long as it takes to make again what was done since the nearest state before.',
	answer: undoAnswer,
	examples: [{ name: 'Take back a cube', given: [spawned], body: {}, needs: 'journal' }],
});

export const redo = route({
	...undoShared,
	id: 'journal.redo',
	method: 'POST',
	path: '/redo',
	cli: ['journal', 'redo'],
	summary:
		'Does again what the sender took back last, where it stood; a call of the sender after that ends it',
	description: 'Refused (depended_on, asset_missing) by the same rules as POST /undo.',
	answer: undoAnswer,
	examples: [
		{
			name: 'Bring the cube back',
			given: [spawned, { path: '/undo', body: {} }],
			body: {},
			needs: 'journal',
		},
	],
});
