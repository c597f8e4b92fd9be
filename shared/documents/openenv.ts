/**
 * Bodies and answers of the OpenEnv server: actions, resets, observations, states and checkpoints.
 * Owns: their shapes. The engine checks calls and inputs itself.
 */

import * as z from 'zod';
import { METHODS } from '../contract/route.ts';

const innerRequest = z.strictObject({
	method: z.enum(METHODS).default('POST'),
	path: z.string().startsWith('/').describe('Path of a call to the world, with its query'),
	body: z.record(z.string(), z.unknown()).optional(),
	as: z.string().optional().describe('Name for later requests, as in /batch'),
});

const ticks = z.int().min(0).describe('Ticks of 1/60 s');

export const openEnvAction = z
	.strictObject({
		name: z.string().optional().describe('Action that the scenario declares'),
		parameters: z.record(z.string(), z.unknown()).optional().describe('Parameters of the named action'),
		requests: z
			.array(innerRequest)
			.max(100)
			.default([])
			.describe('Calls before the ticks; all or nothing. In a task: one by one, up to the first refused one'),
		inputs: z
			.array(z.record(z.string(), z.unknown()))
			.optional()
			.describe('Inputs during the ticks, as in POST /step'),
		ticks: ticks.optional().describe('Ticks of 1/60 s; left out: those of the reset, in a task none'),
		answer: z.unknown().optional().describe('Ends a task with this answer; null if it asks for none'),
		metadata: z.record(z.string(), z.unknown()).optional().describe('Ignored'),
	})
	.refine(({ name, parameters }) => name !== undefined || parameters === undefined, {
		message: '"parameters" needs the "name" of an action',
	});
export type OpenEnvAction = z.output<typeof openEnvAction>;

const observeShape = z.strictObject({
	filter: z.string().optional().describe('Entities to observe, such as alive+team:1'),
	fields: z.array(z.string()).min(1).max(50).default(['tags', 'team', 'health', 'position']),
	limit: z.int().min(1).max(10_000).default(100),
});

const rewardShape = z.strictObject({
	field: z.string().describe('Number of an entity, such as gold or health.current'),
	filter: z.string().optional().describe('Entities whose numbers are added; left out: all'),
});

export const openEnvReset = z.strictObject({
	seed: z
		.int()
		.min(0)
		.max(Number.MAX_SAFE_INTEGER)
		.nullish()
		.describe('Seed of all draws; left out: a new one'),
	episode_id: z.string().min(1).max(255).nullish().describe('Name of the episode; left out: a new one'),
	scene: z.string().max(100).nullish().describe('Scene to open; left out: a copy of `world`'),
	task: z.string().max(100).nullish().describe('Task of the suite, by its id'),
	split: z.string().max(100).nullish().describe('Group of tasks; with `index` it names a task'),
	index: z.int().min(0).nullish().describe('Position of the task in its group'),
	world: z.string().max(64).default('main').describe('World to copy'),
	ticks: ticks.default(1).describe('Ticks of a step that names none'),
	observe: observeShape.prefault({}).describe('Contents of an observation'),
	reward: rewardShape.nullish().describe('The reward of a step is the change of this sum'),
	done: z.string().min(1).nullish().describe('Condition that ends the episode, such as "none team:2+alive"'),
	handle: z.string().nullish().describe('Handle of a state of this server: continue exactly there'),
	checkpoint: z
		.record(z.string(), z.unknown())
		.nullish()
		.describe('Exported checkpoint, also of another server: continue exactly there'),
});
export type OpenEnvReset = z.output<typeof openEnvReset>;

/** Settings of an episode. Its checkpoints contain them. */
export type EpisodeSettings = Pick<OpenEnvReset, 'ticks' | 'observe' | 'reward' | 'done'>;

/** Content of a handle. */
export const episodeHandle = z.strictObject({
	/** Key of the episode's forks. */
	key: z.string().regex(/^[0-9a-f]{12}$/),
	episode_id: z.string(),
	attempt: z.int().min(1),
	/** Random part of the attempt's fork. No later attempt has it. */
	nonce: z.string().regex(/^[0-9a-f]{8}$/),
	step_count: z.int().min(0),
	total_reward: z.number(),
	done: z.boolean(),
	seed: z.number().nullable(),
	future_digest: z.string(),
	settings: openEnvReset.pick({ ticks: true, observe: true, reward: true, done: true }),
});

export type EpisodeHandle = z.output<typeof episodeHandle>;

/** Content of a handle of a task. The calls in it rebuild the world exactly. */
export const taskHandle = z.strictObject({
	key: z.string().regex(/^[0-9a-f]{12}$/),
	episode_id: z.string(),
	attempt: z.int().min(1),
	task: z.string(),
	seed: z.int().min(0),
	step_count: z.int().min(0),
	calls: z.array(innerRequest.omit({ as: true })),
	/** Result of the episode; null until it ends. `spent`: true if the budget ended it. */
	ended: z.strictObject({ answer: z.unknown(), spent: z.boolean() }).nullable(),
	future_digest: z.string(),
});
export type TaskHandle = z.output<typeof taskHandle>;

/** A checkpoint that can be carried to another server. */
export const openEnvCheckpoint = z.strictObject({
	format: z.literal('orrery-openenv-checkpoint'),
	handle: z.string(),
	scenario: z.record(z.string(), z.unknown()).describe('The world, exactly'),
	assets: z.array(z.string()).describe('Models, textures and sounds that the world may use, as base64'),
});
export type OpenEnvCheckpoint = z.output<typeof openEnvCheckpoint>;

export const openEnvObservation = z.object({
	tick: z.int().describe('Ticks completed'),
	state_digest: z.string().describe('Digest of the state'),
	entity_count: z.int(),
	columns: z.array(z.string()).optional().describe('id and the observed fields; not in a task'),
	rows: z.array(z.array(z.unknown())).optional().describe('One row per entity; not in a task'),
	left_out: z.int().optional().describe('Entities beyond the limit'),
	values: z.record(z.string(), z.number()).optional().describe('Numbers that the scenario declares'),
	task: z
		.object({
			id: z.string(),
			group: z.string(),
			title: z.string(),
			prompt: z.string().describe('The whole instruction'),
			budget: z.object({ calls: z.int(), bytes: z.int() }),
			moves: z.array(z.string()).optional().describe('Calls that may change main; left out: any'),
			used: z.object({ calls: z.int(), bytes: z.int() }),
		})
		.optional()
		.describe('The task that is played'),
	results: z
		.array(z.object({ status: z.int(), body: z.unknown() }))
		.optional()
		.describe('Answers to the calls of the step, in a task'),
	verdict: z
		.object({
			passed: z.boolean(),
			failure: z.string().nullable(),
			spent: z.boolean().describe('true: the budget ended the task'),
		})
		.nullable()
		.optional()
		.describe('Verdict on a task that has ended'),
});

export const openEnvState = z.object({
	episode_id: z.string(),
	step_count: z.int(),
	attempt: z.int().describe('Increases with every reset that continues the episode'),
	tick: z.int(),
	state_digest: z.string(),
	future_digest: z.string().describe('Equal digests mean equal futures'),
	done: z.boolean(),
	total_reward: z.number(),
	seed: z.int().nullable(),
	handle: z.string().describe('Value of `handle` in a reset that continues exactly here'),
});
