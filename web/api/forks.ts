/** Handlers of the tag Forks. */

import * as routes from '../../shared/routes/forks.ts';
import type { Host } from '../host/context.ts';
import { withEntities } from './entity-list.ts';
import { handler } from './handler.ts';
import { momentOf } from './moment.ts';

const parentOf = ({ worlds }: Host, from: string) =>
	from === worlds.main.id ? worlds.main : worlds.fork(from);

export const handlers = [
	handler(routes.createFork, ({ host, held }, { body }) => {
		const parent = body.from == null ? held : parentOf(host, body.from);
		const fork = host.worlds.createFork(body.fork_id, parent, body.seed ?? undefined);
		return {
			fork_id: fork.id,
			parent: parent.id,
			parent_tick: parent.world.tick,
			...momentOf(fork.world),
		};
	}),

	handler(routes.listForks, ({ host }) => {
		const forks = host.worlds.forkIds();
		return {
			forks,
			count: forks.length,
			details: forks.map((id) => {
				const { world, playing, origin } = host.worlds.fork(id);
				return {
					fork_id: id,
					parent: origin!.parent,
					parent_tick: origin!.tick,
					entity_count: world.entities.count,
					playing,
					...momentOf(world),
				};
			}),
		};
	}),

	handler(routes.deleteFork, ({ host }, { params }) => {
		host.worlds.deleteFork(params.id);
		return { deleted: params.id };
	}),

	handler(routes.stepFork, async ({ host }, { params, body }) => {
		const fork = host.worlds.fork(params.id);
		const start = fork.world.tick;
		await host.advance(fork, body.ticks);
		return {
			fork_id: fork.id,
			ticks_advanced: body.ticks,
			start_tick: start,
			new_tick: fork.world.tick,
			entity_count: fork.world.entities.count,
			...momentOf(fork.world),
		};
	}),

	handler(routes.observeFork, ({ host }, { params }) => {
		const { id, world } = host.worlds.fork(params.id);
		const answer = { fork_id: id, ...momentOf(world), entity_count: world.entities.count };
		return withEntities(answer, world);
	}),
];
