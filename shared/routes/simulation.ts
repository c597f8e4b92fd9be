/** Routes of the tag Simulation: step, play, pause. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { digest, flag, integer, message } from '../contract/values.ts';
import { entityCount, moment } from './entity-view.ts';

const whole = z.string().regex(/^\d+$/);
const fraction = z.strictObject({ num: whole, den: whole }).describe('Exact fraction in lowest terms');

const choice = {
	rule: z
		.union([z.int(), z.string()])
		.describe('Id of the rule, or the name of what the engine leaves to chance'),
	entity: z.int().nullable().describe('Entity it is about, or null'),
	outcome: z.int().describe('Index of the outcome'),
	label: z.string().describe('Label of the outcome'),
};

const probability = {
	probability: fraction,
	p: z.number().describe('The same as the nearest 64-bit number'),
};

export const sampledChoice = z.strictObject({ ...choice, ...probability });

const peeked = {
	...probability,
	choices: z.array(z.strictObject(choice)).describe('What chance decides, in order'),
};

/** Most ways that one peek lists. */
export const MAX_BRANCHES = 65_536;

export const peek = route({
	id: 'simulation.peek',
	tag: 'Simulation',
	method: 'POST',
	path: '/peek',
	cli: ['sim', 'peek'],
	summary: 'The exact distribution of what the next tick brings, without making it',
	description:
		'`distribution` lists every way the tick can go, with the digest it leads to, up to `max_branches` and to a million choices in all; `exact` says whether that is all. ' +
		'`factors` are groups of draws that have no say in each other: their product is the joint distribution, however large that is.',
	effect: 'read',
	body: z.strictObject({
		max_branches: integer('Most ways to list', { min: 1, max: MAX_BRANCHES }).default(4096),
		merge: flag('Adds up ways that lead to the same digest').default(false),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		tick: z.int().describe('Ticks completed'),
		next_tick: z.int().describe('Ticks completed after the tick that is peeked at'),
		state_digest: digest,
		exact: z.boolean().describe('Whether every way is listed'),
		covered: z.number().describe('Probability of what is listed; 1 when exact'),
		covered_fraction: fraction,
		distribution: z.array(z.strictObject({ ...peeked, state_digest: digest })),
		factors: z
			.array(
				z.strictObject({
					exact: z.boolean().describe('Whether every way is listed, so that the probabilities sum to 1'),
					covered_fraction: fraction.optional().describe('Probability of what is listed, when not exact'),
					outcomes: z.array(z.strictObject(peeked)),
				}),
			)
			.describe('Independent groups of draws, each with the ways it can come out, at most 4096'),
		distribution_digest: digest.describe(
			'Digest of the factors; /step reports the same for the tick it makes',
		),
	}),
	errors: {},
	examples: [
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
	],
});

/** Most ticks of one call. */
export const MAX_TICKS = 10_000;

export const tickCount = integer('How many ticks of 1/60 s', { unit: 'ticks', max: MAX_TICKS });

export const step = route({
	id: 'simulation.step',
	tag: 'Simulation',
	method: 'POST',
	path: '/step',
	cli: ['sim', 'step'],
	summary: 'Advances the world by whole ticks, deterministically',
	description:
		'Works whether or not the world plays. While a long step runs, reads are answered from the last whole tick and writes wait.',
	effect: 'step',
	body: z.strictObject({
		ticks: tickCount.default(1),
		trace: flag('Also answers what chance decided on every tick, not only on the last').default(false),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		ticks_advanced: z.int().describe('Ticks done by this call'),
		new_tick: z.int().describe('Ticks completed now'),
		entity_count: entityCount,
		...moment,
		sampled: z.array(sampledChoice).describe('What chance decided on the last tick, in order'),
		distribution_digest: digest.describe(
			'Digest of the distribution the last tick was drawn from, as /peek announced it',
		),
		trace: z
			.array(
				z.strictObject({
					tick: z.int().describe('Ticks completed before it'),
					sampled: z.array(sampledChoice),
					distribution_digest: digest,
				}),
			)
			.optional()
			.describe('The same for every tick on which chance decided anything'),
	}),
	errors: {},
	examples: [
		{ name: 'One second', body: { ticks: 60 } },
		{ name: 'One tick', body: {} },
	],
});

const playing = message.extend({ playing: z.boolean().describe('Whether time passes by itself') });

export const play = route({
	id: 'simulation.play',
	tag: 'Simulation',
	method: 'POST',
	path: '/play',
	cli: ['sim', 'play'],
	summary: 'Lets time pass by itself, 60 ticks a second',
	effect: 'write',
	answer: playing,
	errors: {},
	examples: [{ name: 'Let it run', body: {} }],
});

export const pause = route({
	id: 'simulation.pause',
	tag: 'Simulation',
	method: 'POST',
	path: '/pause',
	cli: ['sim', 'pause'],
	summary: 'Holds time; /step still works',
	effect: 'write',
	answer: playing,
	errors: {},
	examples: [{ name: 'Hold it', body: {} }],
});
