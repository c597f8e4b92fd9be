/** Handlers of the tag Forks. */

import { Fault } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/forks.ts';
import type { Host } from '../host/context.ts';
import { diffWorlds } from '../sim/diff/diff-worlds.ts';
import { withEntities } from './entity-list.ts';
import { handler } from './handler.ts';
import { momentOf } from './moment.ts';
import { diffOf } from './snapshots.ts';

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

	handler(routes.promoteFork, ({ host }, { params, body }) => {
		const before = host.worlds.main.world.tick;
		const { world } = host.worlds.promote(params.id, body.keep_as ?? undefined);
		return {
			promoted: params.id,
			kept_as: body.keep_as ?? null,
			previous_tick: before,
			entity_count: world.entities.count,
			...momentOf(world),
		};
	}),

	handler(routes.diffFork, ({ host }, { params, query }) => {
		const fork = host.worlds.fork(params.id);
		const against = query.against ?? fork.origin!.parent;
		const other = host.worlds.find(against);
		if (other === undefined)
			throw new Fault('no_fork_parent', `There is no world "${against}" to compare with any more.`);
		return {
			fork_id: fork.id,
			against,
			from: momentOf(other.world),
			to: momentOf(fork.world),
			...diffOf(diffWorlds(other.world, fork.world, query.limit)),
		};
	}),
];
