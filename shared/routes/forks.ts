/** Routes of the tag Forks: counterfactual simulation on cloned worlds. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { names } from '../contract/thing.ts';
import { integer, optional } from '../contract/values.ts';
import { entities, entityCount, worldStamp } from './entity-view.ts';
import { memory, memoryBytes } from './memory-view.ts';
import { refusedStep, stepBody, stepped } from './simulation.ts';
import { diffLimit, worldDiff } from './snapshots.ts';

export const forkName = z
	.string()
	.min(1)
	.max(64)
	.regex(/^[^/?#%\s]+$/, 'a fork id must not have a slash, space, "?", "#" or "%"')
	.refine((id) => id !== 'main' && id !== 'list', '"main" and "list" are reserved')
	// A client that resolves addresses would make /step of /fork/../step, and step main.
	.refine((id) => id !== '.' && id !== '..', '"." and ".." mean folders in addresses')
	.describe('Id of a fork: 1 to 64 characters, no slash or space')
	.meta({ not: { enum: ['main', 'list', '.', '..'] } });
const seed = z.int().describe('Seed of all draws');
const params = z.strictObject({ id: z.string().describe('Id of the fork').meta(names('fork')) });
const forkId = z.string().describe('Id of the fork');
const given = [{ path: '/fork', body: { fork_id: 'plan' } }];

export const createFork = route({
	id: 'forks.create',
	tag: 'Forks',
	method: 'POST',
	path: '/fork',
	cli: ['fork', 'create'],
	summary: 'Clones a world; the clone evolves bit for bit as the original would',
	description:
		'Clones `from`, or the world of ?world=, or main, with its snapshots. Every route works on the fork with ?world=<fork_id>.',
	effect: 'fork',
	body: z.strictObject({
		fork_id: forkName,
		from: optional(z.string().describe('Fork to clone, or main; left out: the world of ?world=, else main')),
		seed: optional(integer('New seed: same state, other draws', { max: Number.MAX_SAFE_INTEGER })),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		fork_id: forkId,
		parent: z.string().describe('World that was cloned'),
		parent_tick: z.int().describe('Tick of the parent when it was cloned'),
		seed,
		entity_count: entityCount,
		...worldStamp,
	}),
	makes: { thing: 'fork', named: { fork: '$response.body#/fork_id' } },
	errors: ['unknown_fork', 'too_many_forks'],
	inside: ['fork_exists'],
	examples: [{ name: 'Branch off', body: { fork_id: 'plan' } }],
});

export const listForks = route({
	id: 'forks.list',
	tag: 'Forks',
	method: 'GET',
	path: '/fork/list',
	cli: ['fork', 'list'],
	summary: 'All forks',
	effect: 'read',
	world: false,
	answer: z.strictObject({
		ok: z.literal(true),
		forks: z.array(forkId).describe('Ids, sorted'),
		count: z.int().describe('Number of forks'),
		details: z.array(
			z.strictObject({
				fork_id: forkId,
				parent: z.string(),
				parent_tick: z.int().describe('Tick of the parent when it was cloned'),
				parent_gone: z
					.boolean()
					.describe('true: the parent was deleted; a world with its name is a different one'),
				seed,
				entity_count: entityCount,
				playing: z.boolean(),
				bytes: memoryBytes('Memory that deleting the fork with its snapshots frees'),
				...worldStamp,
			}),
		),
		memory,
	}),
	errors: [],
	examples: [{ name: 'List the forks', given }],
});

export const deleteFork = route({
	id: 'forks.delete',
	tag: 'Forks',
	method: 'DELETE',
	path: '/fork/{id}',
	cli: ['fork', 'delete'],
	summary: 'Deletes a fork',
	effect: 'fork',
	world: false,
	params,
	answer: z.strictObject({ ok: z.literal(true), deleted: forkId }),
	errors: [],
	inside: ['unknown_fork'],
	examples: [{ name: 'Drop a fork', given, path: '/fork/plan' }],
});

const refusedInFork = refusedStep.filter((code) => code !== 'only_in_forks');

export const stepFork = route({
	id: 'forks.step',
	tag: 'Forks',
	method: 'POST',
	path: '/fork/{id}/step',
	cli: ['fork', 'step'],
	summary: 'Steps only this fork',
	description:
		'Like POST /step for main. With `choices`, the fork takes a branch that peek listed, however unlikely: one fork per branch covers all that can happen next.',
	effect: 'fork',
	stepwise: true,
	world: false,
	params,
	body: stepBody,
	answer: z.strictObject({ ok: z.literal(true), fork_id: forkId, ...stepped }),
	errors: refusedInFork,
	inside: ['unknown_fork'],
	examples: [
		{ name: 'Step the fork', given, path: '/fork/plan/step', body: { ticks: 10 } },
		{
			name: 'Take the unlikely branch',
			given: [
				{
					path: '/rule/create',
					body: {
						when: { kind: 'tick', every: 1 },
						outcomes: [
							{ label: 'win', weight: 1, do: [{ action: 'emit', name: 'win' }] },
							{ label: 'lose', weight: 999 },
						],
					},
				},
				...given,
			],
			path: '/fork/plan/step',
			body: { choices: [{ rule: 0, entity: null, outcome: 0 }] },
		},
	],
});

export const observeFork = route({
	id: 'forks.observe',
	tag: 'Forks',
	method: 'GET',
	path: '/fork/{id}/observe',
	cli: ['fork', 'observe'],
	summary: 'The full state of a fork, exactly',
	effect: 'read',
	world: false,
	params,
	answer: z.strictObject({
		ok: z.literal(true),
		fork_id: forkId,
		...worldStamp,
		entity_count: entityCount,
		entities,
	}),
	errors: [],
	inside: ['unknown_fork'],
	examples: [{ name: 'Read the fork', given, path: '/fork/plan/observe' }],
});

export const promoteFork = route({
	id: 'forks.promote',
	tag: 'Forks',
	method: 'POST',
	path: '/fork/{id}/promote',
	cli: ['fork', 'promote'],
	summary: 'Makes a fork the main world',
	description:
		'The former main is deleted, but main keeps its snapshots. With `keep_as` the former main becomes a fork of that name and keeps its snapshots. Main plays or stays paused as before. Forks of the promoted fork become forks of main.',
	effect: 'replace',
	world: false,
	params,
	body: z.strictObject({ keep_as: optional(forkName) }),
	answer: z.strictObject({
		ok: z.literal(true),
		promoted: forkId,
		kept_as: forkId.nullable().describe('Fork that was main before, or null'),
		previous_tick: z.int().describe('Ticks that main had completed'),
		entity_count: entityCount,
		...worldStamp,
	}),
	errors: ['unknown_fork', 'fork_exists', 'too_many_forks'],
	examples: [
		{
			name: 'Choose a future and keep the other',
			given: [...given, { path: '/fork/plan/step', body: { ticks: 10 } }],
			path: '/fork/plan/promote',
			body: { keep_as: 'road-not-taken' },
		},
	],
});

export const diffFork = route({
	id: 'forks.diff',
	tag: 'Forks',
	method: 'GET',
	path: '/fork/{id}/diff',
	cli: ['fork', 'diff'],
	summary: 'Differences between a fork and its parent, by entity and field',
	description:
		'Compares the current states; in the answer `from` is the other world and `to` the fork. Worlds that differ only in the seed are equal, but have different futures.',
	effect: 'read',
	world: false,
	params,
	query: z.strictObject({
		limit: diffLimit,
		against: z.string().optional().describe('World to compare with; left out: its parent'),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		fork_id: forkId,
		against: z.string().describe('World it was compared with'),
		from: z.strictObject({ ...worldStamp, seed }),
		to: z.strictObject({ ...worldStamp, seed }),
		...worldDiff.shape,
	}),
	errors: ['unknown_fork', 'no_fork_parent'],
	examples: [
		{
			name: 'See the effect of ten ticks',
			given: [
				{ path: '/spawn', body: { velocity: { linear: [1, 0, 0] }, physics_body: 'Kinematic' } },
				...given,
				{ path: '/fork/plan/step', body: { ticks: 10 } },
			],
			path: '/fork/plan/diff',
		},
	],
});
