/** Handlers of the routes that generate models from words. The relay does the work. */

import { jsonResponse } from '../../shared/contract/dispatch.ts';
import { isOperator, restrictedAgent } from '../../shared/contract/principal.ts';
import * as routes from '../../shared/routes/generate.ts';
import { handler } from './handler.ts';
import { RawAnswer } from './raw-answer.ts';

export const handlers = [
	handler(routes.generateAsset, ({ host: { relayServices }, principal }, { body }) => {
		const { id = '', limits } = principal.agent ?? {};
		const by = { agent: id, operator: isOperator(principal), paid_models: limits?.paid_models ?? 0 };
		return relayServices.ask('generate', { ...body, by });
	}),

	handler(routes.generationStatus, ({ host: { relayServices } }, { params }) =>
		relayServices.ask('task', params),
	),

	// A list, as callers of this route expect.
	handler(
		routes.listGenerated,
		async ({ host: { relayServices } }) =>
			new RawAnswer(jsonResponse(200, await relayServices.ask('tasks', {}))),
	),

	handler(routes.cancelGeneration, ({ host: { relayServices }, principal }, { params }) =>
		relayServices.ask('cancel', { ...params, agent_id: restrictedAgent(principal)?.id }),
	),

	handler(routes.listProviders, async ({ host: { relayServices } }) => ({
		providers: [...(await relayServices.ask('providers', {}))],
	})),
];
