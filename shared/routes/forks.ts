/** Routes of the tag Forks: counterfactual simulation on cloned worlds. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import { digest, flag, integer, optional, queryFlag, word } from '../contract/values.ts';
import { stepInput } from '../documents/input.ts';
import { refuseTakenNames, requestDocument } from '../documents/request.ts';
import { untilDocument } from '../rules/assertion.ts';
import { environmentName, environmentState } from '../rules/environment.ts';
import { filterDocument } from '../verbs/conditions/index.ts';
import { entities, entityCount, ruleCount, worldName, worldStamp } from './entity-view.ts';
import { memory, memoryBytes } from './memory-view.ts';
import { MAX_INPUTS, stepAnswer, stepBody, stepErrors, tickCount, verificationErrors } from './simulation.ts';
import { diffLimit, worldDiff } from './snapshots.ts';
import { fieldNames, tableRows } from './world.ts';

export const forkName = z
	.string()
	.min(1)
	.max(64)
	.regex(/^[^/?#%\s]+$/, 'a fork id must not have a slash, space, "?", "#" or "%"')
	.refine((id) => id !== 'main' && id !== 'list', '"main" and "list" are reserved')
	// A client that resolves addresses turns /fork/../step into /step, which steps main.
	.refine((id) => id !== '.' && id !== '..', '"." and ".." mean folders in addresses')
	.describe('Id of a fork: 1 to 64 characters, no slash or space. One that begins with a dot is not listed')
	.meta({ not: { enum: ['main', 'list', '.', '..'] } });
const seed = z.int().describe('Seed of all draws');
const params = z.strictObject({ id: z.string().describe('Id of the fork').meta(namesThing('fork')) });
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
	description:
		'Forks whose id begins with a dot are kept states, such as checkpoints of episodes. They are left out.',
	effect: 'read',
	world: false,
	query: z.strictObject({
		details: queryFlag('false: only the ids, and details is empty').default(true),
		all: queryFlag('true: also forks whose id begins with a dot').default(false),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		forks: z.array(forkId).describe('Ids, sorted'),
		count: z.int().describe('Number of listed forks'),
		details: z.array(
			z.strictObject({
				fork_id: forkId,
				world_name: worldName,
				parent: z.string(),
				parent_tick: z.int().describe('Tick of the parent when it was cloned'),
				parent_gone: z
					.boolean()
					.describe('true: the parent was deleted; a world with its name is a different one'),
				seed,
				entity_count: entityCount,
				rule_count: ruleCount,
				playing: z.boolean(),
				environment: environmentName,
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
	description: 'Many in one call: POST /batch with one DELETE for each.',
	effect: 'fork',
	world: false,
	params,
	answer: z.strictObject({ ok: z.literal(true), deleted: forkId }),
	errors: [],
	inside: ['unknown_fork'],
	examples: [{ name: 'Drop a fork', given, path: '/fork/plan' }],
});

const forkStepErrors = stepErrors.filter((code) => code !== 'only_in_forks');

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
	answer: z.strictObject({ ok: z.literal(true), fork_id: forkId, ...stepAnswer }),
	errors: forkStepErrors,
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

/** Maximum number of steps of one call. */
const MAX_STEPS = 10_000;
/** Maximum number of requests of one step. */
const MAX_STEP_REQUESTS = 100;
/** Maximum number of conditions in `where`. */
const MAX_CONDITIONS = 50;
/** Maximum number of rows of values of one call. */
export const MAX_VALUE_ROWS = 100_000;

const oneStep = z.strictObject({
	fork_id: forkName,
	from: optional(
		z
			.string()
			.describe(
				'World that the fork becomes a clone of, first: another fork, or main. The fork is created, or replaced with its snapshots',
			),
	),
	seed: optional(integer('New seed of the fork', { max: Number.MAX_SAFE_INTEGER })),
	requests: optional(
		z
			.array(requestDocument.omit({ answer: true }))
			.max(MAX_STEP_REQUESTS)
			.superRefine(refuseTakenNames)
			.describe(
				'Calls to the fork before its ticks, as in /batch, without ?world=. They apply all or not at all',
			),
	),
	inputs: optional(z.array(stepInput).max(MAX_INPUTS).describe('Inputs during the ticks, as in /step')),
	ticks: optional(tickCount.describe('Ticks of this fork, if not those of the call')),
});

export const stepForks = route({
	id: 'forks.stepMany',
	tag: 'Forks',
	method: 'POST',
	path: '/fork/step',
	cli: ['fork', 'step-many'],
	summary: 'Steps many forks: actions in, one small row per fork out',
	description:
		'Steps run in order. With `from`, the fork first becomes a clone of that world, which resets an episode, restores a saved state or creates a fork. ' +
		'A step that is refused has `ok` false and its error, and the others run. A refused request leaves its fork as it was; completed ticks are kept.',
	effect: 'fork',
	owner: ['made', 'fork'],
	stepwise: true,
	runs: 'steps',
	world: false,
	document: true,
	body: z.strictObject({
		steps: z.array(oneStep).min(1).max(MAX_STEPS),
		ticks: tickCount.default(1),
		until: optional(untilDocument.describe('A fork stops as soon as this holds; checked before every tick')),
		where: optional(
			z
				.union([
					z.array(untilDocument).max(MAX_CONDITIONS),
					z
						.record(z.string().max(100), untilDocument)
						.refine(
							(named) => Object.keys(named).length <= MAX_CONDITIONS,
							`send at most ${MAX_CONDITIONS} conditions`,
						),
				])
				.describe('Conditions to check after the ticks, as a list or by name'),
		),
		fields: optional(
			fieldNames.describe('Fields of entities to read after the ticks, as /observe names them'),
		),
		filter: optional(filterDocument.describe('With fields: entities to read; left out: all')),
		digest: flag('Adds the state digest to each row').default(false),
		environment: flag('Adds the numbers of the declared environment to each row').default(false),
		form: word(['rows', 'columns'], 'columns: the rows are lists, in `table`; for many forks').default(
			'rows',
		),
		keep: flag('false: tries the steps on copies, and keeps no change. Workers may share them').default(true),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		columns: z
			.array(z.string())
			.optional()
			.describe('With fields: id and the fields, in the order of `values`'),
		rows: z
			.array(
				z.strictObject({
					fork_id: forkId,
					ok: z.boolean(),
					tick: z.int().nullable().describe('Ticks completed by the fork; null: it does not exist'),
					state_digest: digest.optional(),
					until: z.boolean().optional().describe('With until: true if it holds'),
					where: z
						.union([z.array(z.boolean()), z.record(z.string(), z.boolean())])
						.optional()
						.describe('Results of the conditions, as a list or by name'),
					values: tableRows.optional().describe('Rows of the entities; null: it lacks the field'),
					environment: environmentState.optional(),
					error: z
						.strictObject({ code: z.string(), message: z.string(), fix: z.string() })
						.optional()
						.describe('Reason of the refusal'),
				}),
			)
			.describe('One row per step, in the same order; empty with form columns'),
		table: z
			.strictObject({
				columns: z.array(z.string()).describe('Fields of a row that any row has'),
				rows: tableRows.describe('One per step; null: the row does not have the field'),
			})
			.optional()
			.describe('With form columns: the rows without the names of their fields'),
		failed: z.int().describe('Number of refused steps'),
		left_out: z.int().optional().describe(`Rows of values beyond ${MAX_VALUE_ROWS}`),
		stopped: z
			.literal('paused')
			.optional()
			.describe(
				'Set if the world of a step was paused: the last row has the ticks made, and the rest did not run',
			),
	}),
	errors: ['invalid_assertion', ...verificationErrors],
	examples: [
		{
			name: 'Create or reset two forks and step them',
			given: [{ path: '/spawn', body: { health: 50, tags: ['hero'] } }],
			body: {
				steps: [
					{ fork_id: 'e1', from: 'main', seed: 1 },
					{
						fork_id: 'e2',
						from: 'main',
						seed: 2,
						requests: [{ path: '/entity/damage', body: { entity_id: 0, amount: 30 } }],
					},
				],
				ticks: 10,
				fields: ['health', 'position'],
				filter: 'tag:hero',
				where: { hurt: 'field:health<50' },
			},
		},
		{
			name: 'Try two seeds and keep nothing',
			given: [{ path: '/spawn', body: { health: 50 } }],
			body: {
				steps: [1, 2].map((seed) => ({ fork_id: `try${seed}`, from: 'main', seed })),
				ticks: 60,
				keep: false,
				fields: ['health'],
			},
		},
		{
			name: 'Step both until a condition holds',
			given: [
				{ path: '/spawn', body: { health: 50 } },
				{ path: '/fork', body: { fork_id: 'e1' } },
				{ path: '/fork', body: { fork_id: 'e2' } },
			],
			body: {
				steps: [{ fork_id: 'e1' }, { fork_id: 'e2', ticks: 5 }],
				ticks: 600,
				until: 'tick:60',
				digest: true,
			},
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
