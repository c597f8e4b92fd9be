/** Routes of the tag Gameplay: moves of the game by name. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { digest, listLength, ticks } from '../contract/values.ts';
import { requestAnswer, shortRequestAnswer } from '../documents/request.ts';
import { actionDocument } from '../rules/action.ts';
import { verificationErrors } from './simulation.ts';

const given = [
	{
		path: '/scenario',
		body: {
			entities: [{ health: 100, tags: ['hero'] }],
			actions: [
				{
					name: 'drink',
					description: 'The hero drinks a potion.',
					parameters: { amount: { type: 'number', description: 'HP to restore', min: 1, max: 50 } },
					requests: [{ path: '/entity/heal', body: { entity_id: 0, amount: '$amount' } }],
					ticks: 1,
				},
			],
		},
	},
];

export const listActions = route({
	id: 'action.list',
	tag: 'Gameplay',
	method: 'GET',
	path: '/action/list',
	cli: ['action', 'list'],
	summary: 'Lists the actions of the game: moves by name, which a scenario declares',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		actions: z.array(actionDocument).describe('Actions, by name'),
		count: listLength,
	}),
	errors: [],
	examples: [{ name: 'Which moves are there?', given }],
});

export const runAction = route({
	id: 'action.run',
	tag: 'Gameplay',
	method: 'POST',
	path: '/action/{name}',
	cli: ['action', 'run'],
	summary: 'Makes a move of the game: fills in its parameters and makes its calls, all or nothing',
	description:
		'The scenario declares the action: its parameters, its calls and the ticks to advance afterwards. ' +
		'A match that is over refuses it. Its calls need the rights that they need alone. Pictures and batches cannot be among them.',
	effect: 'replace',
	owner: [{ none: 'each request has the rule of its own route' }],
	stepwise: true,
	batch: 'aside',
	params: z.strictObject({ name: z.string().max(64).describe('Name of the action') }),
	body: z.strictObject({
		parameters: z
			.record(z.string(), z.unknown())
			.default({})
			.describe('Values by name, as GET /action/list describes them'),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		action: z.string().describe('Name of the action'),
		results: z
			.array(z.union([requestAnswer, shortRequestAnswer]))
			.describe('One per request, in order, and one for the ticks'),
		count: z.int().describe('Number of answered requests'),
		succeeded: z.int().describe('Number of accepted requests'),
		failed: z.literal(0).describe('Number of refused requests'),
		all_ok: z.literal(true),
		committed: z.literal(true).describe('The changes were applied'),
		world: z.string().describe('World of the action'),
		tick: ticks.nullable().describe('Ticks completed by that world, after it; null: it was deleted'),
		state_digest: digest.nullable().describe('State digest of that world, after it; null: it was deleted'),
	}),
	errors: [
		'unknown_action',
		'match_over',
		'entity_not_found',
		'batch_failed',
		'unknown_reference',
		'file_failed',
		'file_refused',
		...verificationErrors,
	],
	examples: [{ name: 'Drink a potion', given, path: '/action/drink', body: { parameters: { amount: 20 } } }],
});
