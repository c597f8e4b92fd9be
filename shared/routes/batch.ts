/** Routes of the tag Batch: many requests as one. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { digest, flag, text, ticks } from '../contract/values.ts';
import {
	refuseTakenNames,
	requestAnswer,
	requestDocument,
	shortRequestAnswer,
} from '../documents/request.ts';
import { verificationErrors } from './simulation.ts';
import { diffLimit, worldDiff } from './snapshots.ts';

/** Maximum number of requests of one batch. */
export const MAX_REQUESTS = 1000;

const requests = z.array(requestDocument).min(1).max(MAX_REQUESTS).superRefine(refuseTakenNames);

export const batch = route({
	id: 'batch.run',
	tag: 'Batch',
	method: 'POST',
	path: '/batch',
	cli: ['batch'],
	summary: 'Runs a list of requests in order, as one call; no other call runs in between',
	description:
		'Later requests may use earlier answers: {"as": "hero"} on a spawn makes "$hero.id" its id. ' +
		'If one is refused, the others still run; the answer then starts with `all_ok` false and `warnings`. ' +
		'`atomic`: all or nothing; if one request is refused, the batch is refused (409) and changes nothing. ' +
		'`dry_run`: runs on a copy; the answer lists the differences and the resulting digest. ' +
		'?world= is the world of requests that name none. Batches and pictures cannot be in a batch.',
	effect: 'replace',
	owner: [{ none: 'each request has the rule of its own route' }],
	stepwise: true,
	batch: false,
	runs: 'requests',
	document: true,
	body: z.strictObject({
		requests,
		atomic: flag('All or nothing').default(false),
		dry_run: flag('Reports the effects without applying them').default(false),
		limit: diffLimit,
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		results: z
			.array(z.union([requestAnswer, shortRequestAnswer]))
			.describe(
				'One per request, in order; for an accepted request with `answer`, only the values of its fields',
			),
		count: z.int().describe('Number of answered requests'),
		succeeded: z.int().describe('Number of accepted requests'),
		failed: z.int().describe('Number of refused requests'),
		all_ok: z.boolean().describe('true: no request was refused'),
		warnings: z
			.array(text('Number of refused requests, and the first with its reason', 3000))
			.optional()
			.describe('One text if requests were refused and the others ran'),
		stopped: z
			.enum(['paused', 'full'])
			.optional()
			.describe(
				'Reason why the other requests did not run: the world was paused, or the answer is full. The last result has the details',
			),
		committed: z.boolean().describe('true: the changes were applied'),
		world: z.string().describe('World of the batch, for requests that name none'),
		tick: ticks
			.nullable()
			.describe('Ticks completed by the world of the batch, after it; null: it was deleted'),
		state_digest: digest
			.nullable()
			.describe('State digest of that world, after the batch; null: it was deleted'),
		changes: worldDiff.optional().describe('With dry_run: differences in the world of the batch'),
		snapshots: z
			.array(z.strictObject({ world: z.string(), labels: z.array(z.string()) }))
			.optional()
			.describe('With dry_run: snapshots of worlds whose snapshots would change'),
		files: z.array(z.string()).optional().describe('With dry_run: files that the batch would write'),
		other_worlds: z
			.array(
				z.strictObject({
					world: z.string(),
					change: z.enum(['created', 'deleted', 'changed']),
					state_digest: digest.nullable(),
				}),
			)
			.optional()
			.describe('With dry_run: effects on other worlds'),
	}),
	errors: ['batch_failed', 'unknown_reference', 'file_failed', 'file_refused', ...verificationErrors],
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
			name: 'Only some fields of each answer',
			given: [{ path: '/fork', body: { fork_id: 'a' } }],
			body: {
				requests: [
					{ path: '/step?world=a', body: { ticks: 60 }, answer: ['state_digest'] },
					{ path: '/observe?world=a', body: {}, answer: ['entity_count', 'entities.0.health'] },
				],
			},
		},
		{
			name: 'Effects of one second, without applying them',
			given: [{ path: '/spawn', body: { velocity: { linear: [1, 0, 0] }, physics_body: 'Kinematic' } }],
			body: { dry_run: true, requests: [{ path: '/step', body: { ticks: 60 } }] },
		},
	],
});
