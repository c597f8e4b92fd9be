/** Handlers of the routes that make models from words: the relay does it. */

import { jsonResponse } from '../../shared/contract/dispatch.ts';
import { isOperator } from '../../shared/contract/principal.ts';
import * as routes from '../../shared/routes/generate.ts';
import { handler } from './handler.ts';
import { RawAnswer } from './raw-answer.ts';

export const handlers = [
	handler(routes.generateAsset, ({ host: { desk }, principal }, { body }) => {
		const { id = '', limits } = principal.agent ?? {};
		const by = { agent: id, operator: isOperator(principal), paid_models: limits?.paid_models ?? 0 };
		return desk.ask('generate', { ...body, by });
	}),

	handler(routes.generationStatus, ({ host: { desk } }, { params }) => desk.ask('task', params)),

	// A list, as callers of this route expect.
	handler(
		routes.listGenerated,
		async ({ host: { desk } }) => new RawAnswer(jsonResponse(200, await desk.ask('tasks', {}))),
	),

	handler(routes.cancelGeneration, ({ host: { desk } }, { params }) => desk.ask('cancel', params)),

	handler(routes.listProviders, async ({ host: { desk } }) => ({
		providers: [...(await desk.ask('providers', {}))],
	})),
];
