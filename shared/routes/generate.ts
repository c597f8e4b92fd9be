/** Routes of the tag Assets that generate models from words. The server runs them, because it alone holds keys. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import { nullMeansDefault, text, word } from '../contract/values.ts';

const shared = { tag: 'Assets', world: false, batch: false } as const;

const STATUSES = ['pending', 'complete', 'failed', 'cancelled'] as const;

const taskId = text('Task id from POST /asset/generate', 100).meta(namesThing('task'));

const task = {
	task_id: z.string(),
	status: z.enum(STATUSES),
	progress: z.number().optional().describe('While pending: progress from 0 to 1'),
	file_path: z
		.string()
		.optional()
		.describe('When complete: path of the model below the data folder, for the "mesh" of POST /spawn'),
	error: z.string().optional().describe('When failed: the reason'),
};

const requestFields = {
	prompt: z.string(),
	provider: z.string(),
	quality: z.string(),
};

const SERVER_ERRORS = ['no_relay'] as const;

/** A completed task. */
const completedTask = {
	task_id: 'gen_0',
	status: 'complete',
	file_path: 'generated/gen_0.glb',
	prompt: 'a small red wooden house',
	provider: 'procedural',
	quality: 'medium',
};

/** Fields of the same task without its result. */
const { file_path: _, ...orderedTask } = completedTask;
const startedTask = { ...orderedTask, status: 'pending', progress: 0 };

export const generateAsset = route({
	...shared,
	id: 'asset.generate',
	method: 'POST',
	path: '/asset/generate',
	cli: ['asset', 'generate'],
	summary: 'Starts to generate a model from a text',
	description:
		'GET /asset/status/{task_id} shows the progress and, when complete, the path for the "mesh" of POST /spawn. The server polls the provider, continues after a restart, and checks the result. The provider procedural makes small models immediately, without a key or network: the text sets kind, colour, material and size, and equal texts give equal models. Other providers cost the operator money: the server orders from them within a daily budget, or as --help describes.',
	effect: 'view',
	body: z.strictObject(
		nullMeansDefault({
			prompt: text('Description of the model, such as "a small red wooden house"', 2000)
				.min(1)
				.refine((text) => text.trim() !== '', 'the prompt must have a word'),
			provider: text('Provider: tripo, meshy, rodin, hunyuan or procedural', 50).default('tripo'),
			quality: word(['low', 'medium', 'high'], 'Level of detail').default('medium'),
		}),
	),
	makes: { thing: 'task', named: { task: '$response.body#/task_id' } },
	answer: z.strictObject({ ok: z.literal(true), ...task, ...requestFields }),
	errors: [...SERVER_ERRORS, 'too_many_tasks', 'budget_spent', 'file_failed'],
	inside: ['unknown_provider', 'no_provider_key'],
	examples: [
		{
			name: 'A house, generated locally',
			body: { prompt: 'a small red wooden house', provider: 'procedural' },
			needs: 'relay',
			answer: { ok: true, ...startedTask },
		},
	],
});

export const generationStatus = route({
	...shared,
	id: 'asset.status',
	method: 'GET',
	path: '/asset/status/{task_id}',
	cli: ['asset', 'status'],
	summary: 'Progress of a model generated from a text',
	effect: 'read',
	params: z.strictObject({ task_id: taskId }),
	answer: z.strictObject({ ok: z.literal(true), ...task, ...requestFields }),
	errors: SERVER_ERRORS,
	inside: ['unknown_task'],
	examples: [
		{
			name: 'The first one',
			path: '/asset/status/gen_0',
			needs: 'relay',
			answer: { ok: true, ...completedTask },
		},
	],
});

export const listGenerated = route({
	...shared,
	id: 'asset.generated',
	method: 'GET',
	path: '/asset/generated',
	cli: ['asset', 'generated'],
	summary: 'All tasks that generate models, oldest first',
	effect: 'read',
	answer: z.array(z.strictObject({ ...task, ...requestFields })),
	errors: SERVER_ERRORS,
	examples: [{ name: 'List them', needs: 'relay', answer: [completedTask] }],
});

export const cancelGeneration = route({
	...shared,
	id: 'asset.cancel',
	method: 'DELETE',
	path: '/asset/generated/{task_id}',
	cli: ['asset', 'cancel'],
	summary: 'Cancels the generation of a model',
	effect: 'view',
	params: z.strictObject({ task_id: taskId }),
	answer: z.strictObject({ ok: z.literal(true), ...task, ...requestFields }),
	errors: [...SERVER_ERRORS, 'unknown_task', 'task_over', 'file_failed'],
	examples: [
		{
			name: 'The first one',
			path: '/asset/generated/gen_0',
			needs: 'relay',
			answer: { ok: true, ...orderedTask, status: 'cancelled' },
		},
	],
});

export const listProviders = route({
	...shared,
	id: 'asset.providers',
	method: 'GET',
	path: '/asset/providers',
	cli: ['asset', 'providers'],
	summary: 'Providers that generate models from texts, and their availability',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		providers: z.array(
			z.strictObject({
				name: z.string(),
				available: z.boolean(),
				hint: z.string().optional().describe('If not available: how to enable it'),
			}),
		),
	}),
	errors: SERVER_ERRORS,
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
