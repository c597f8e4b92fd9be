/** Routes of the tag Assets that make models from words. The server runs them: it alone holds keys. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { names } from '../contract/thing.ts';
import { nullMeansDefault, text, word } from '../contract/values.ts';

const shared = { tag: 'Assets', world: false, batch: false } as const;

const STATUSES = ['pending', 'complete', 'failed', 'cancelled'] as const;

const taskId = text('Task, as POST /asset/generate answered it', 100).meta(names('task'));

const task = {
	task_id: z.string(),
	status: z.enum(STATUSES),
	progress: z.number().optional().describe('While it is pending: from 0 to 1'),
	file_path: z
		.string()
		.optional()
		.describe('Once it is complete: the model, below the data folder. POST /spawn takes it as "mesh"'),
	error: z.string().optional().describe('Of one that failed: why'),
};

const about = {
	prompt: z.string(),
	provider: z.string(),
	quality: z.string(),
};

const NO_SERVER = ['no_relay'] as const;

/** A task as its provider ends it. */
const house = {
	task_id: 'gen_0',
	status: 'complete',
	file_path: 'generated/gen_0.glb',
	prompt: 'a small red wooden house',
	provider: 'procedural',
	quality: 'medium',
};

/** The same task when it begins. */
const { file_path: _, ...order } = house;
const begun = { ...order, status: 'pending', progress: 0 };

export const generateAsset = route({
	...shared,
	id: 'asset.generate',
	method: 'POST',
	path: '/asset/generate',
	cli: ['asset', 'generate'],
	summary: 'Begins a model from words',
	description:
		'GET /asset/status/{task_id} says how far it is and, when it is complete, the path that POST /spawn takes as "mesh". The server asks the provider by itself, goes on after it was started again, and checks what comes. The provider procedural makes small models at once, without a key or a network: the words choose kind, colour, material and size, and the same words always come to the same model.',
	effect: 'view',
	body: z.strictObject(
		nullMeansDefault({
			prompt: text('What the model shows, such as "a small red wooden house"', 2000)
				.min(1)
				.refine((said) => said.trim() !== '', 'the prompt needs a word'),
			provider: text('Who makes it: tripo, meshy, rodin, hunyuan or procedural', 50).default('tripo'),
			quality: word(['low', 'medium', 'high'], 'How finely it is made').default('medium'),
		}),
	),
	makes: { thing: 'task', named: { task: '$response.body#/task_id' } },
	answer: z.strictObject({ ok: z.literal(true), ...task, ...about }),
	errors: [...NO_SERVER, 'too_many_tasks', 'file_failed'],
	inside: ['unknown_provider', 'no_provider_key'],
	examples: [
		{
			name: 'A house, made here',
			body: { prompt: 'a small red wooden house', provider: 'procedural' },
			needs: 'relay',
			answer: { ok: true, ...begun },
		},
	],
});

export const generationStatus = route({
	...shared,
	id: 'asset.status',
	method: 'GET',
	path: '/asset/status/{task_id}',
	cli: ['asset', 'status'],
	summary: 'How far a model is that is made from words',
	effect: 'read',
	params: z.strictObject({ task_id: taskId }),
	answer: z.strictObject({ ok: z.literal(true), ...task, ...about }),
	errors: NO_SERVER,
	inside: ['unknown_task'],
	examples: [
		{
			name: 'The first one',
			path: '/asset/status/gen_0',
			needs: 'relay',
			answer: { ok: true, ...house },
		},
	],
});

export const listGenerated = route({
	...shared,
	id: 'asset.generated',
	method: 'GET',
	path: '/asset/generated',
	cli: ['asset', 'generated'],
	summary: 'All models that were made from words, or are being made, in the order in which they were begun',
	effect: 'read',
	answer: z.array(z.strictObject({ ...task, ...about })),
	errors: NO_SERVER,
	examples: [{ name: 'List them', needs: 'relay', answer: [house] }],
});

export const cancelGeneration = route({
	...shared,
	id: 'asset.cancel',
	method: 'DELETE',
	path: '/asset/generated/{task_id}',
	cli: ['asset', 'cancel'],
	summary: 'Gives a model up that is being made from words',
	effect: 'view',
	params: z.strictObject({ task_id: taskId }),
	answer: z.strictObject({ ok: z.literal(true), ...task, ...about }),
	errors: [...NO_SERVER, 'unknown_task', 'task_over', 'file_failed'],
	examples: [
		{
			name: 'The first one',
			path: '/asset/generated/gen_0',
			needs: 'relay',
			answer: { ok: true, ...order, status: 'cancelled' },
		},
	],
});

export const listProviders = route({
	...shared,
	id: 'asset.providers',
	method: 'GET',
	path: '/asset/providers',
	cli: ['asset', 'providers'],
	summary: 'Who makes models from words, and whether the server can ask them',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		providers: z.array(
			z.strictObject({
				name: z.string(),
				available: z.boolean(),
				hint: z.string().optional().describe('Of one that is not available: what to do'),
			}),
		),
	}),
	errors: NO_SERVER,
	examples: [
		{
			name: 'List them',
			needs: 'relay',
			answer: {
				ok: true,
				providers: [
					{ name: 'procedural', available: true },
					{
						name: 'tripo',
						available: false,
						hint: 'Start the server with TRIPO_API_KEY in its environment.',
					},
				],
			},
		},
	],
});
