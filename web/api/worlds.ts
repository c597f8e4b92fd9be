/** Handlers of the tag Worlds. The relay runs the worlds beside main. */

import { ApiError } from '../../shared/contract/errors.ts';
import { restrictedAgent } from '../../shared/contract/principal.ts';
import * as routes from '../../shared/routes/worlds.ts';
import { handler } from './handler.ts';

export const handlers = [
	handler(routes.createWorld, ({ host, principal }, { body }) => {
		const { name } = body;
		if (host.worlds.find(name) !== undefined)
			throw new ApiError('world_exists', `There is already a fork "${name}" of main.`);
		const agent = restrictedAgent(principal);
		const by = agent && { id: agent.id, number: agent.number, worlds: agent.limits.worlds };
		return host.relayServices.ask('createWorld', { ...body, by: by ?? null });
	}),

	handler(routes.listWorlds, async ({ host: { relayServices } }) => {
		const { worlds, limits } = await relayServices.ask('worlds', {});
		return { worlds: [...worlds], count: worlds.length, limits };
	}),

	handler(routes.deleteWorld, ({ host, principal }, { params: { name } }) => {
		if (name === 'main') throw new ApiError('main_stays', 'main cannot be deleted.');
		return host.relayServices.ask('deleteWorld', { name, agent: restrictedAgent(principal)?.number ?? null });
	}),
];
