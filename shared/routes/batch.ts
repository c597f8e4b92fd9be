/** Routes of the tag Batch: many requests as one. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { digest, flag, optional, text, ticks, word } from '../contract/values.ts';
import { refusedOnceMore } from './simulation.ts';
import { diffLimit, worldDiff } from './snapshots.ts';

/** Most requests of one batch. */
export const MAX_REQUESTS = 1000;

const inner = z.strictObject({
	method: word(['GET', 'POST', 'DELETE'], 'Method').default('POST'),
	path: text(
		'Path with its query; "$name.field" in it is replaced by a value of an earlier answer',
		4000,
	).regex(/^\//, 'a path starts with /'),
	body: z
		.unknown()
		.optional()
		.describe(
			'Body of a POST. A string that is exactly "$name.field" is replaced by that value; "${name.field}" inside a string is filled in; a further "$" in front keeps it as plain text',
		),
	as: optional(
		text('Name by which later requests refer to the answer', 64).regex(
			/^[A-Za-z_]\w*$/,
			'a name has letters, digits and _',
		),
	),
});

/** Names stand for one answer each. */
const requests = z
	.array(inner)
	.min(1)
	.max(MAX_REQUESTS)
	.superRefine((list, context) => {
		const taken = new Map<string, number>();
		for (const [at, { as }] of list.entries()) {
			if (as == null) continue;
			const first = taken.get(as);
			if (first === undefined) taken.set(as, at);
			else
				context.addIssue({
					code: 'custom',
					message: `the name is taken by requests[${first}]`,
					path: [at, 'as'],
				});
		}
	});

const answer = z.strictObject({
	as: z.string().optional(),
	method: z.string(),
	path: z.string().describe('With its references filled in'),
	status: z.int().describe('HTTP status'),
	ok: z.boolean(),
	body: z.unknown().describe('What the request answered'),
});

export const batch = route({
	id: 'batch.run',
	tag: 'Batch',
	method: 'POST',
	path: '/batch',
	cli: ['batch'],
	summary: 'Runs a list of requests in order, as one call; no other call runs in between',
	description:
		'Later requests may use earlier answers: {"as": "hero"} on a spawn makes "$hero.id" its id. ' +
		'The others are done even when one is refused; the answer says so first, with `all_ok` false and `warnings`, even when all were refused. ' +
		'`atomic`: all or nothing; when one request is refused, the answer is a refusal (409) that names it, and worlds, forks, snapshots and files are as before. ' +
		'`dry_run`: runs on a copy; the answer says what would differ and which digest the world would have. ' +
		'?world= is the world of requests that do not name one. Batches and pictures cannot be in a batch.',
	effect: 'replace',
	stepwise: true,
	batch: false,
	runs: 'requests',
	document: true,
	body: z.strictObject({
		requests,
		atomic: flag('All or nothing').default(false),
		dry_run: flag('Only say what would happen').default(false),
		limit: diffLimit,
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		results: z.array(answer).describe('One for each request, in order'),
		count: z.int().describe('Requests answered'),
		succeeded: z.int().describe('Those that were not refused'),
		failed: z.int().describe('Those that were refused'),
		all_ok: z.boolean().describe('Whether no request was refused'),
		warnings: z
			.array(text('What was refused', 3000))
			.optional()
			.describe(
				'When some requests were refused and the others were done: which ones, and why the first was refused',
			),
		stopped: z
			.enum(['paused', 'full'])
			.optional()
			.describe(
				'Set when the rest were not done: the world was paused, or the answer has no room for more answers; the last of results says so',
			),
		committed: z.boolean().describe('Whether anything was really done'),
		world: z.string().describe('World of the batch: that of requests that do not name one'),
		tick: ticks
			.nullable()
			.describe('Ticks completed by the world of the batch, or that it would have; null when it was deleted'),
		state_digest: digest
			.nullable()
			.describe('Its state digest, or the one it would have; null when it was deleted'),
		changes: worldDiff.optional().describe('With dry_run: what would differ in the world of the batch'),
		snapshots: z
			.array(z.strictObject({ world: z.string(), labels: z.array(z.string()) }))
			.optional()
			.describe('With dry_run: the snapshots that worlds would have, where they would differ'),
		files: z.array(z.string()).optional().describe('With dry_run: files that would be written'),
		other_worlds: z
			.array(
				z.strictObject({
					world: z.string(),
					change: z.enum(['created', 'deleted', 'changed']),
					state_digest: digest.nullable(),
				}),
			)
			.optional()
			.describe('With dry_run: what would happen to the other worlds'),
	}),
	errors: ['batch_failed', 'unknown_reference', 'file_failed', 'file_refused', ...refusedOnceMore],
	examples: [
		{
			name: 'Spawn, damage and step in one call',
			body: {
				atomic: true,
				requests: [
					{ path: '/spawn', body: { health: 100, team: 1 }, as: 'hero' },
					{ path: '/entity/damage', body: { entity_id: '$hero.id', amount: 30 } },
					{ path: '/step', body: { ticks: 1 } },
					{ method: 'GET', path: '/entities/$hero.id' },
				],
			},
		},
		{
			name: 'What would a second do?',
			given: [{ path: '/spawn', body: { velocity: { linear: [1, 0, 0] }, physics_body: 'Kinematic' } }],
			body: { dry_run: true, requests: [{ path: '/step', body: { ticks: 60 } }] },
		},
	],
});
