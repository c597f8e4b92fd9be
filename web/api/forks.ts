/** Handlers of the tag Forks. */

import { Rule } from '../../shared/components/rule.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/forks.ts';
import { count } from '../sim/core/world.ts';
import { diffWorlds } from '../sim/diff/diff-worlds.ts';
import { declaredEnvironment } from '../sim/environment/environment.ts';
import { worldName } from '../sim/world-name/world-name.ts';
import { withEntities } from './entity-list.ts';
import { handler } from './handler.ts';
import { memoryOf } from './memory.ts';
import { readInSlices } from './read-on-copy.ts';
import { stepWorld } from './simulation.ts';
import { diffOf } from './snapshots.ts';
import { stepForks } from './step-forks.ts';
import { stampOf } from './world-stamp.ts';

export const handlers = [
	handler(routes.createFork, ({ host, entry }, { body }) => {
		const parent = body.from == null ? entry : host.worlds.mainOrFork(body.from);
		const fork = host.worlds.createFork(body.fork_id, parent, body.seed ?? undefined);
		return {
			fork_id: fork.id,
			parent: parent.id,
			parent_tick: parent.world.tick,
			seed: fork.world.seed,
			entity_count: fork.world.entities.count,
			...stampOf(fork.world),
		};
	}),

	handler(routes.listForks, ({ host }, { query }) => {
		const forks = query.all ? host.worlds.forkIds() : host.worlds.listedForkIds();
		const freeableBytes = query.details ? host.worlds.room.freeableBytes() : new Map<string, number>();
		return {
			forks,
			count: forks.length,
			details: (query.details ? forks : []).map((id) => {
				const { world, playing, origin } = host.worlds.fork(id);
				return {
					fork_id: id,
					world_name: worldName(world),
					parent: origin!.parent,
					parent_tick: origin!.tick,
					parent_gone: origin!.gone === true,
					seed: world.seed,
					entity_count: world.entities.count,
					rule_count: count(world, Rule),
					playing,
					environment: declaredEnvironment(world)?.name ?? null,
					bytes: freeableBytes.get(id)!,
					...stampOf(world),
				};
			}),
			memory: memoryOf(host),
		};
	}),

	handler(routes.deleteFork, ({ host }, { params }) => {
		host.worlds.deleteFork(params.id);
		return { deleted: params.id };
	}),

	handler(routes.stepFork, async ({ host }, { params, body }) => {
		const fork = host.worlds.fork(params.id);
		return { fork_id: fork.id, ...(await stepWorld(host, fork, body)) };
	}),

	handler(routes.stepForks, ({ host }, { body }) => stepForks(host, body)),

	handler(routes.observeFork, ({ host }, { params }) => {
		const { id, world } = host.worlds.fork(params.id);
		const answer = { fork_id: id, ...stampOf(world), entity_count: world.entities.count };
		return readInSlices(host, world, (copy) => withEntities(answer, copy));
	}),

	handler(routes.promoteFork, ({ host }, { params, body }) => {
		const previousTick = host.worlds.main.world.tick;
		const { world } = host.worlds.promote(params.id, body.keep_as ?? undefined);
		return {
			promoted: params.id,
			kept_as: body.keep_as ?? null,
			previous_tick: previousTick,
			entity_count: world.entities.count,
			...stampOf(world),
		};
	}),

	handler(routes.diffFork, ({ host }, { params, query }) => {
		const fork = host.worlds.fork(params.id);
		const { parent, gone } = fork.origin!;
		const otherId = query.against ?? parent;
		const other = query.against === undefined && gone ? undefined : host.worlds.find(otherId);
		if (other === undefined) {
			const others = [host.worlds.main.id, ...host.worlds.forkIds()].filter((id) => id !== fork.id);
			throw new ApiError('no_fork_parent', `The world to compare with, "${otherId}", no longer exists.`, {
				fix: `Send ?against= with one of: ${others.slice(0, 20).join(', ')}.`,
			});
		}
		return {
			fork_id: fork.id,
			against: otherId,
			from: { ...stampOf(other.world), seed: other.world.seed },
			to: { ...stampOf(fork.world), seed: fork.world.seed },
			...diffOf(diffWorlds(other.world, fork.world, query.limit)),
		};
	}),
];
