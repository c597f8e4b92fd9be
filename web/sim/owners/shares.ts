/**
 * Shares of agents in a world, for what ticks spawn.
 * Owns: how many entities each agent may own, and refusing what a tick would spawn beyond that. Whatever a rule, a script, a
 * fighter or loot spawns has the owner of its cause. Calls are checked by the host.
 */

import * as z from 'zod';
import { Owner } from '../../../shared/components/owner.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { integer } from '../../../shared/contract/values.ts';
import { MAX_ENTITIES } from '../core/entities.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import { count, each, get, inTick, read, type World } from '../core/world.ts';
import { ownerKey, ownersOf } from './owners.ts';

/** An agent may fill one part of a limit that the whole world has. */
export const PARTS = 4;

/** Number of the agent -> entities that it may own. */
type ShareList = Readonly<Record<string, number>>;

export const Shares: Resource<ShareList> = {
	name: 'entity_shares',
	scope: 'state',
	transient: true,
	summary: 'Entities that each agent may own, if calls need a session; stored only if there are any',
	schema: z.record(z.string(), integer('Entities', { min: 0 })),
	initial: () => undefined,
	isEmpty: (shares) => Object.keys(shares).length === 0,
};

/** Stores how many entities an agent may own. */
export function setShare(world: World, agent: number, entities: number): void {
	const shares = resource(world, Shares) ?? {};
	if (shares[agent] !== entities) setResource(world, Shares, { ...shares, [agent]: entities });
}

/** Agent that owns an entity; undefined for the operators. */
export function ownerAt(world: World, slot: number): number | undefined {
	return count(world, Owner) === 0 ? undefined : get(world, slot, Owner)?.agent;
}

/** Agent that answers for a script: the owner of the entity that it moves, or else of its source. */
export function ownerOfScript(world: World, name: string, slot: number | undefined): number | undefined {
	const mover = slot === undefined ? undefined : ownerAt(world, slot);
	return mover ?? ownersOf(world)[ownerKey('script_sources', name)];
}

/**
 * Returns true if calls need a session and agents have made something. Then ticks leave half of each limit to calls.
 */
export const isShared = (world: World): boolean => inTick(world) && resource(world, Shares) !== undefined;

/**
 * Makes an entity during a tick, for an agent or for the operators. Throws `agent_limit` if the agent owns its share, and
 * `world_full` if ticks have filled half of a shared world. What leaves during the tick is counted until its end.
 */
export function spawnWithinShare<T>(world: World, agent: number | undefined, make: () => T): T {
	if (isShared(world) && world.entities.count >= MAX_ENTITIES / 2)
		throw new ApiError(
			'world_full',
			`Ticks spawn no more than ${MAX_ENTITIES / 2} entities in a shared world.`,
		);
	if (agent === undefined || world.chance === null) return make();
	world.chance.owned ??= countOwned(world);
	const { owned } = world.chance;
	const has = owned.get(agent) ?? 0;
	const most = resource(world, Shares)?.[agent] ?? MAX_ENTITIES / PARTS;
	if (has >= most)
		throw new ApiError(
			'agent_limit',
			`Agent ${agent} owns ${has} entities in this world; the limit is ${most}.`,
		);
	const result = make();
	owned.set(agent, has + 1);
	return result;
}

/** Returns the entities of each agent. */
function countOwned(world: World): Map<number, number> {
	const owned = new Map<number, number>();
	if (count(world, Owner) === 0) return owned;
	const agents = read(world, Owner, 'agent');
	each(world, [Owner], (slot) => {
		const agent = agents[slot]!;
		owned.set(agent, (owned.get(agent) ?? 0) + 1);
	});
	return owned;
}
