/** Routes of the tag Simulation: peek, step, play, pause. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { digest, flag, integer, isGiven, message, number, optional, text, word } from '../contract/values.ts';
import { writtenFraction } from '../contract/written-fraction.ts';
import { eventSelection, eventView } from '../documents/event.ts';
import { stepInput } from '../documents/input.ts';
import { reading, untilDocument } from '../rules/assertion.ts';
import { filterDocument } from '../verbs/conditions/index.ts';
import { pictureErrors, pictureQuery } from './camera.ts';
import { entityCount, worldStamp } from './entity-view.ts';
import { inputErrors } from './input.ts';
import { scriptErrors } from './scripts.ts';
import { fieldNames, observeBody, tableRows, warnings } from './world.ts';

const choice = {
	rule: z
		.union([z.int(), z.string()])
		.describe('Id of the rule, or the name of a draw of the engine, such as crit'),
	entity: z.int().nullable().describe('Entity of the draw, or null'),
	outcome: z.int().describe('Index of the outcome'),
	label: z.string().describe('Label of the outcome'),
};

const probability = {
	probability: writtenFraction,
	p: z.number().describe('The same as the nearest 64-bit number'),
};

/**
 * Errors of a tick: too many bodies, or too many in one place; too much work of rules; a navigation mesh that is too
 * large.
 */
export const tickErrors = [
	'too_crowded',
	'world_full',
	'too_many_spawned',
	'too_many_actions',
	'bad_navmesh',
] as const;

/** Errors of heavy mode, which verifies ticks. */
export const verificationErrors = ['diverged'] as const;

export const sampledChoice = z.strictObject({ ...choice, ...probability });

const peekedBranch = {
	...probability,
	choices: z.array(z.strictObject(choice)).describe('Outcomes of the draws, in order'),
};

/** Maximum number of ticks of one call. */
export const MAX_TICKS = 10_000;

/** Maximum number of ticks that one peek computes. */
const MAX_PEEK_TICKS = 1_000_000;

const witness = z
	.strictObject({
		tick: z.int().describe('Ticks completed when the answer is decided'),
		draws: z
			.array(
				z.strictObject({
					tick: z.int().describe('Ticks completed before'),
					choices: z.array(z.strictObject(choice)),
				}),
			)
			.describe('Draws on the way that could have come out otherwise, for `choices` of /fork/step'),
	})
	.nullable();

const peekFields = {
	exact: z.boolean().describe('true: every branch is known, so the probability is exact'),
	probability: writtenFraction.describe('The probability; a lower bound if not exact'),
	p: z.number().nullable().describe('The same as a number; null unless both bounds are equal'),
	at_most: writtenFraction.optional().describe('If not exact: the upper bound'),
	reading,
	yes: witness.optional().describe('Several ticks: one way to it, or null if there is none'),
	no: witness.optional().describe('Several ticks: one way without it, or null if there is none'),
};

/** Maximum number of branches that one peek lists. */
export const MAX_BRANCHES = 65_536;

export const peek = route({
	id: 'simulation.peek',
	tag: 'Simulation',
	method: 'POST',
	path: '/peek',
	cli: ['sim', 'peek'],
	summary: 'The exact probability distribution of the next tick, or of many, without advancing the world',
	description:
		'One tick: `distribution` lists every branch of the tick (one combination of choices) with its resulting digest. `exact` is true if all branches are listed. Limits: `max_branches` branches, 32 times as many choices (at least 131 072), and probabilities of 65 536 bits. ' +
		'`factors` are groups of draws that are independent of each other: their product is the joint distribution, however large it is. ' +
		'With `ticks` or `until`: all states that the world can reach, each with its probability; equal states are merged tick by tick. If there are more than `max_branches`, the least probable are dropped and `exact` is false. `warnings` names each limit that the answer reached. GET /calls shows the progress, and DELETE /calls/{id} ends it.',
	effect: 'read',
	body: z
		.strictObject({
			ticks: optional(
				integer('Ticks to look ahead; with `until` 600 unless given', {
					unit: 'ticks',
					min: 1,
					max: MAX_TICKS,
				}),
			),
			until: optional(
				untilDocument.describe(
					'Any condition: the answer has the probability that it holds at the end of one of the ticks, or now, and on which tick it first does',
				),
			),
			condition: optional(
				untilDocument.describe('Any condition: the answer has its probability after the last tick'),
			),
			merge: z
				.union([z.boolean(), z.literal('observable')])
				.describe(
					'true: merges branches that have the same digest. "observable": also merges states whose difference can never change the probability of the condition',
				)
				.default(false),
			max_branches: integer('Largest number of branches to list, and of states on one tick', {
				min: 1,
				max: MAX_BRANCHES,
			}).default(4096),
			max_ticks: integer('Largest number of ticks to compute, of all states together', {
				min: 1,
				max: MAX_PEEK_TICKS,
			}).default(100_000),
			limit: integer('Outcomes of several ticks to list, the most probable first', {
				max: MAX_BRANCHES,
			}).default(100),
		})
		.refine(({ until, condition }) => until == null || condition == null, 'send until or condition, not both')
		.refine(
			({ merge, until, condition }) => merge !== 'observable' || (until ?? condition) != null,
			'merge "observable" needs until or condition',
		),
	answer: z.strictObject({
		ok: z.literal(true),
		tick: z.int().describe('Ticks completed'),
		next_tick: z
			.int()
			.describe('Ticks completed in the states of the answer: fewer than asked if a limit stopped it'),
		state_digest: digest,
		exact: z.boolean().describe('true: every branch is listed'),
		covered: z
			.number()
			.describe(
				'Probability of all branches or states known at `next_tick`. Below 1, some were dropped. Ticks after `next_tick` are unknown, also if this is 1',
			),
		covered_fraction: writtenFraction,
		condition: z
			.strictObject(peekFields)
			.optional()
			.describe(
				'Probability that the given condition holds after the last tick; a lower bound if not exact. Events are those of that tick',
			),
		until: z
			.strictObject({
				...peekFields,
				by_tick: z
					.array(z.strictObject({ tick: z.int().describe('Ticks completed'), ...probability }))
					.describe('Probability that it first holds then, for each tick on which that is possible'),
			})
			.optional()
			.describe('Probability that the condition holds on one of the ticks; a lower bound if not exact'),
		warnings,
		outcome_count: z.int().optional().describe('Several ticks: number of outcomes, listed or not'),
		ticks_computed: z.int().optional().describe('Several ticks: ticks computed, of all states together'),
		distribution: z.array(
			z.strictObject({
				...peekedBranch,
				tick: z.int().optional().describe('Several ticks: ticks completed, fewer where `until` holds'),
				state_digest: digest.describe('Digest of the state, or of one of the merged states'),
				merged: z.int().optional().describe('Number of states merged as observable'),
				holds: z.boolean().optional().describe('true: the given condition holds in this branch'),
			}),
		),
		factors: z
			.array(
				z.strictObject({
					exact: z.boolean().describe('true: every branch is listed, so the probabilities sum to 1'),
					covered_fraction: writtenFraction
						.optional()
						.describe('Probability of the listed branches, if not exact'),
					outcomes: z.array(z.strictObject(peekedBranch)),
				}),
			)
			.describe(
				'Of one tick: independent groups of draws, each with its branches: at most 4 096, fewer in worlds of more than 1 024 entities. A group of more than 65 536 branches stays whole',
			),
		distribution_digest: digest.describe(
			'Digest of the factors; /step reports the same for its tick. Several ticks: of all outcomes, listed or not',
		),
	}),
	errors: [...tickErrors, 'invalid_assertion'],
	examples: [
		{
			name: 'Probability of low health',
			given: [{ path: '/spawn', body: { health: 40, team: 1 } }],
			body: { condition: 'field:health<50 & team:1' },
		},
		{
			name: 'The odds of a coin',
			given: [
				{
					path: '/rule/create',
					body: {
						name: 'coin',
						when: { kind: 'tick', every: 1 },
						outcomes: [
							{ label: 'heads', weight: 1, do: [{ action: 'emit', name: 'heads' }] },
							{ label: 'tails', weight: 1 },
						],
					},
				},
			],
			body: {},
		},
		{
			name: 'Chance of three heads within ten ticks',
			given: [
				{ path: '/spawn', body: { gold: 0, tags: ['purse'] } },
				{
					path: '/rule/create',
					body: {
						name: 'coin',
						when: { kind: 'tick', every: 1 },
						outcomes: [
							{ label: 'heads', weight: 1, do: ['add_field tag:purse gold 1'] },
							{ label: 'tails', weight: 1 },
						],
					},
				},
			],
			body: { until: 'field:gold>=3 & tag:purse', ticks: 10, merge: 'observable', limit: 0 },
		},
	],
});

/** Maximum number of draws whose outcome a call may choose. */
const MAX_CHOICES = 10_000;

export const tickCount = integer('Number of ticks of 1/60 s', { unit: 'ticks', max: MAX_TICKS });

const requestedChoice = z.strictObject({
	rule: z.union([integer('Id of a rule'), text('Name of a draw of the engine, such as crit', 100)]),
	entity: integer('Entity of the draw').nullable().describe('Entity of the draw, or null'),
	outcome: integer('Index of the outcome', { max: 1e6 }),
	label: optional(text('For people; ignored by the engine', 1000)),
});

/** Maximum number of inputs of one call. */
export const MAX_INPUTS = 1000;
/** Maximum number of captures of one call. */
const MAX_CAPTURES = 100;

const requestedCapture = z
	.strictObject({
		at: integer('Ticks of this call before it; 0: before the first', {
			unit: 'ticks',
			max: MAX_TICKS,
		}),
		observe: optional(observeBody.describe('Observes the world, as /observe does; {}: all of it')),
		picture: optional(pictureQuery.describe('Takes a picture, as /screenshot does; {}: with defaults')),
	})
	.refine(({ observe, picture }) => observe != null || picture != null, 'send observe, picture or both')
	.meta({ anyOf: [isGiven('observe'), isGiven('picture')] });

/** Schema of the body of a step. */
export const stepBody = z.strictObject({
	ticks: tickCount.default(1),
	trace: z
		.union([flag('Every tick'), word(['draws'], 'Only ticks with draws')])
		.describe(
			'Also lists the outcomes of the draws of every tick, not only of the last; "draws": only of ticks with draws. A call that makes more than 100 000 draws ends there, with answer_too_large',
		)
		.default(false),
	record: optional(
		z
			.strictObject({
				fields: fieldNames.describe('Fields to record, as /observe names them'),
				filter: optional(filterDocument.describe('Entities to record; left out: all')),
				every: integer('Ticks between two records', { unit: 'ticks', min: 1, max: MAX_TICKS }).default(1),
			})
			.describe('Records fields of entities during the call, as one table'),
	),
	events: optional(eventSelection.describe('Kinds of events that the answer lists')),
	choices: optional(
		z
			.array(requestedChoice)
			.max(MAX_CHOICES)
			.describe(
				'In forks only: outcomes for draws of the first tick, as /peek lists them. Other draws are random as usual',
			),
	),
	inputs: optional(
		z
			.array(stepInput)
			.max(MAX_INPUTS)
			.describe('Input of players during these ticks, as for /input/press, /input/release and /input/axis'),
	),
	capture: optional(
		z
			.array(requestedCapture)
			.max(MAX_CAPTURES)
			.describe('Ticks of this call after which to observe the world or take a picture'),
	),
});

/** Fields of the answer of a step. */
export const stepAnswer = {
	ticks_advanced: z.int().describe('Ticks made by this call'),
	stopped: z
		.literal('paused')
		.optional()
		.describe('Set if the world was paused before all ticks were made; completed ticks are kept'),
	start_tick: z.int().describe('Ticks completed before'),
	new_tick: z.int().describe('Ticks completed now'),
	entity_count: entityCount,
	...worldStamp,
	sampled: z.array(sampledChoice).describe('Outcomes of the draws of the last tick, in order'),
	distribution_digest: digest.describe('Digest of the distribution of the last tick, as /peek reports it'),
	trace: z
		.array(
			z.strictObject({
				tick: z.int().describe('Ticks completed before it'),
				sampled: z.array(sampledChoice),
				distribution_digest: digest,
			}),
		)
		.optional()
		.describe('The same for every tick of this call, or for those with draws'),
	recorded: z
		.strictObject({
			columns: z.array(z.string()).describe('tick, id, and the fields'),
			rows: tableRows.describe('One row per tick and entity, at most 10 000'),
			left_out: z.int().optional().describe('Number of further rows'),
		})
		.optional()
		.describe('Result of `record`'),
	events: z.array(eventView).optional().describe('The requested events, oldest first, at most 10 000'),
	event_count: z.int().optional().describe('Number of events of these kinds, listed or not'),
	captures: z
		.array(
			z.strictObject({
				tick: z.int().describe('Ticks completed'),
				observed: z.unknown().optional().describe('Answer of /observe'),
				picture: z.unknown().optional().describe('Answer of /screenshot, with the path of the picture'),
			}),
		)
		.optional()
		.describe('Results of `capture`, in the order of its ticks; fewer if the step ended early'),
	warnings,
	...scriptErrors,
};

/** Errors of a step, including those of its ticks. */
export const stepErrors = [
	'no_such_draw',
	'only_in_forks',
	...inputErrors,
	...pictureErrors,
	'invalid_assertion',
	...tickErrors,
	...verificationErrors,
] as const;

export const step = route({
	id: 'simulation.step',
	tag: 'Simulation',
	method: 'POST',
	path: '/step',
	cli: ['sim', 'step'],
	summary: 'Steps the world by whole ticks, deterministically',
	description:
		'Works while the world plays or is paused. During a long step, reads return the last completed tick and writes wait; ' +
		'POST /pause and DELETE /calls/{id} do not wait, and end the step after the current tick.',
	effect: 'step',
	owner: [{ none: 'time in main passes for all who write; inputs need the owner of their entity' }],
	stepwise: true,
	body: stepBody,
	answer: z.strictObject({ ok: z.literal(true), ...stepAnswer }),
	errors: stepErrors,
	examples: [
		{ name: 'One second', body: { ticks: 60 } },
		{ name: 'One tick', body: {} },
		{
			name: 'A fall, as a table of every tenth tick',
			given: [
				{
					path: '/spawn',
					body: {
						physics_body: 'Dynamic',
						collider: { shape: 'Sphere', radius: 0.5 },
						position: [0, 9, 0],
						tags: ['ball'],
					},
				},
			],
			body: { ticks: 30, record: { fields: ['position.y'], filter: 'tag:ball', every: 10 } },
		},
		{ name: 'Deaths and scores', body: { ticks: 600, events: ['death', 'score'] } },
		{
			name: 'Walk for half a second, and look in the middle of it',
			given: [{ path: '/spawn', body: { player: true, position: [0, 0, 0] } }],
			body: {
				ticks: 60,
				inputs: [{ at: 10, key: 'ArrowRight', ticks: 30 }],
				capture: [{ at: 25, observe: { filter: 'component:player' } }],
			},
		},
	],
});

const playAnswer = message.extend({
	playing: z.boolean().describe('true: the world runs in real time'),
	speed: z.number().describe('Current or last speed, as a multiple of real time'),
});

export const play = route({
	id: 'simulation.play',
	tag: 'Simulation',
	method: 'POST',
	path: '/play',
	cli: ['sim', 'play'],
	summary: 'Runs the world in real time, 60 ticks per second, or faster or slower',
	description:
		'Speed changes the number of ticks per second, never the result of a tick. If the engine is too slow, ticks are skipped, not made up for.',
	effect: 'write',
	owner: [{ none: 'time in main passes for all who write' }],
	body: z.strictObject({
		speed: number('Speed as a multiple of real time; 1: 60 ticks per second', {
			min: 0.25,
			max: 8,
		}).default(1),
	}),
	answer: playAnswer,
	errors: [],
	examples: [
		{ name: 'Let it run', body: {} },
		{ name: 'Twice as fast', body: { speed: 2 } },
	],
});

export const pause = route({
	id: 'simulation.pause',
	tag: 'Simulation',
	method: 'POST',
	path: '/pause',
	cli: ['sim', 'pause'],
	summary: 'Pauses the world; /step still works',
	description:
		'Does not wait for other calls: a step or batch that advances this world ends after the current tick. An atomic batch or dry run is refused as cancelled and changes nothing. On a server with sign-in, calls of other agents go on unless an operator pauses.',
	effect: 'write',
	owner: [{ none: 'time in main passes for all who write; ends running calls of the caller only' }],
	overtakes: true,
	answer: playAnswer.extend({
		stepping: z
			.int()
			.optional()
			.describe(
				'Number of calls of other agents that still step the world. Only they and operators end those',
			),
	}),
	errors: [],
	examples: [{ name: 'Pause it', body: {} }],
});
