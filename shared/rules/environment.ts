/**
 * The environment of a game for learning agents: observations, actions and rewards.
 * Owns: the section of a scenario, and its numbers in a world.
 */

import * as z from 'zod';
import { nearest } from '../contract/nearest.ts';
import { flag, integer, number, optional, text, word } from '../contract/values.ts';
import { stepInput } from '../documents/input.ts';
import { filterDocument } from '../verbs/conditions/index.ts';
import { isMeasure, MEASURES } from '../verbs/measure-name.ts';
import { untilDocument } from './assertion.ts';

const MAX_AGENTS = 64;
const MAX_OBSERVED = 200;
const MAX_ACTIONS = 1000;
const MAX_TERMS = 50;

/** Words for the choice of one number from several matching entities. */
export const CHOICES = ['first', 'nearest', 'sum', 'mean', 'min', 'max'] as const;

const fieldName = text('Number of an entity, such as health.current, gold or position.x', 100).superRefine(
	(name, context) => {
		if (isMeasure(name)) return;
		const near = nearest(name, MEASURES);
		context.addIssue({
			code: 'custom',
			message: `there is no number of this name${near === undefined ? '' : `; did you mean "${near}"?`}`,
		});
	},
);

const quantity = {
	field: optional(fieldName),
	of: optional(filterDocument.describe('With `field`: entities to read; left out: the agent')),
	pick: word(CHOICES, 'With `of`: which of them counts; nearest: to the agent').default('first'),
	relative: flag('With `field`: minus the same field of the agent').default(false),
	count: optional(filterDocument.describe('Number of entities that match')),
	condition: optional(untilDocument.describe('1 if it holds, otherwise 0')),
	score: optional(integer('Points of this team in the match')),
};

const SOURCES = ['field', 'count', 'condition', 'score'] as const;

/** Returns true if a number has exactly one source. */
const hasOneSource = (fields: Readonly<Record<string, unknown>>) =>
	SOURCES.filter((name) => fields[name] != null).length === 1;
const ONE_SOURCE = `send exactly one of ${SOURCES.join(', ')}`;

const observedNumber = z
	.strictObject({
		name: text('Name of the number', 100).min(1),
		...quantity,
		low: number('Smallest value; smaller ones are shown as this'),
		high: number('Largest value; larger ones are shown as this'),
		missing: number('Value if no entity has the field').default(0),
	})
	.refine(hasOneSource, ONE_SOURCE)
	.refine(({ low, high }) => low < high, 'low must be less than high');

const term = z
	.strictObject({
		...quantity,
		weight: number('Factor of the reward'),
		change: flag(
			'true: the difference between this step and the one before counts; false: the value after each step',
		).default(true),
	})
	.refine(hasOneSource, ONE_SOURCE);

const action = z.strictObject({
	name: text('Name of the action', 100).min(1),
	inputs: z
		.array(stepInput)
		.max(20)
		.default([])
		.describe('Inputs of the step, as in /step; without an entity they are those of the agent'),
	requests: z
		.array(
			z.strictObject({
				method: word(['GET', 'POST', 'DELETE'], 'Method').default('POST'),
				path: text('Path with its query', 4000).regex(/^\//, 'a path begins with /'),
				body: optional(z.record(z.string(), z.unknown()).describe('Body of the request')),
			}),
		)
		.max(20)
		.default([])
		.describe('Calls before the step, as in /batch'),
});

const observation = z.array(observedNumber).min(1).max(MAX_OBSERVED);
const actions = z.array(action).min(1).max(MAX_ACTIONS);
const reward = z.array(term).max(MAX_TERMS);

const agent = z.strictObject({
	name: text('Name of the agent', 100).min(1),
	entity: filterDocument.describe('Its entity: the first that matches'),
	observation: optional(observation.describe('Its own observation, in place of the shared one')),
	actions: optional(actions.describe('Its own actions, in place of the shared ones')),
	start: action.shape.requests.describe('Calls at the start of an episode in which it is played'),
	reward: optional(reward.describe('Its own reward, in place of the shared one')),
});

const name = text('Name of the environment, such as Arena', 100);

/** Schema of the name in other answers. */
export const environmentName = name.nullable().describe('Name of the declared environment; null without one');

export const environmentDocument = z
	.strictObject({
		name: name.min(1),
		description: optional(text('Goal of the agents', 2000)),
		frame_skip: integer('Ticks of a step', { unit: 'ticks', min: 1, max: 10_000 }).default(6),
		agents: z
			.array(agent)
			.min(1)
			.max(MAX_AGENTS)
			.refine(
				(list) => new Set(list.map(({ name }) => name)).size === list.length,
				'two agents share a name',
			),
		observation: observation.describe('Numbers that an agent observes, in order'),
		actions: actions.describe('Actions to choose from'),
		reward: reward.default([]).describe('Terms whose sum is the reward of a step'),
		start: action.shape.requests.describe('Calls at the start of an episode'),
		terminated: optional(untilDocument.describe('Ends an episode: the game is over')),
		truncated: optional(untilDocument.describe('Ends an episode early')),
		max_ticks: optional(integer('Ticks after which an episode ends early', { unit: 'ticks', min: 1 })),
	})
	.describe('Observations, actions and rewards of learning agents')
	.meta({ id: 'Environment' });

export type EnvironmentDocument = z.output<typeof environmentDocument>;
export type EnvironmentQuantity = Pick<EnvironmentDocument['reward'][number], keyof typeof quantity>;

/** Values of a world for its environment. The reward of a step is the change of `potential`, plus `bonus`. */
export const environmentState = z.strictObject({
	observation: z.array(z.array(z.number())).describe('Observation of each agent, in order'),
	potential: z.array(z.number()).describe('Weighted sum of the terms whose change counts, for each agent'),
	bonus: z.array(z.number()).describe('Weighted sum of the other terms, for each agent'),
	terminated: z.boolean().describe('true: the game is over'),
	truncated: z.boolean().describe('true: the episode ends early. `max_ticks` is left to the caller'),
});

export type EnvironmentState = z.output<typeof environmentState>;
