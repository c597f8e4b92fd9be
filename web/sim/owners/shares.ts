/**
 * Limits on the entities that each agent may own, for spawns during ticks.
 * Owns: the share of each agent, and refusing spawns beyond it. An entity that a rule, a script, a fighter or loot spawns
 * has the owner of its cause. The host checks calls.
 */

import * as z from 'zod';
import { Owner } from '../../../shared/components/owner.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { integer } from '../../../shared/contract/values.ts';
import { MAX_ENTITIES } from '../core/entities.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import { count, each, get, inTick, read, type World } from '../core/world.ts';
import { ownerKey, ownersOf } from './owners.ts';

/** One agent may use a limit of the whole world, divided by this number. */
export const SHARE_DIVISOR = 4;

/** Maximum number of entities by number of the agent. */
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

/** Stores the maximum number of entities that an agent may own. */
export function setShare(world: World, agent: number, maxEntities: number): void {
	const shares = resource(world, Shares) ?? {};
	if (shares[agent] !== maxEntities) setResource(world, Shares, { ...shares, [agent]: maxEntities });
}

/** Returns the agent that owns an entity; undefined for the operators. */
export function ownerAt(world: World, slot: number): number | undefined {
	return count(world, Owner) === 0 ? undefined : get(world, slot, Owner)?.agent;
}

/** Returns the agent that is responsible for a script: the owner of the entity that it moves, otherwise of its source. */
export function ownerOfScript(world: World, name: string, slot: number | undefined): number | undefined {
	const entityOwner = slot === undefined ? undefined : ownerAt(world, slot);
	return entityOwner ?? ownersOf(world)[ownerKey('script_sources', name)];
}

/**
 * Returns true during a tick of a world in which agents have shares. Ticks then leave half of each limit to calls.
 */
export const isShared = (world: World): boolean => inTick(world) && resource(world, Shares) !== undefined;

/**
 * Spawns an entity during a tick, for an agent or for the operators. Throws `agent_limit` if the agent owns its share, and
 * `world_full` if ticks have filled half of a shared world. Despawned entities of the agent count until the tick ends.
 */
export function spawnWithinShare<T>(world: World, agent: number | undefined, spawn: () => T): T {
	if (isShared(world) && world.entities.count >= MAX_ENTITIES / 2)
		throw new ApiError(
			'world_full',
			`Ticks spawn no more than ${MAX_ENTITIES / 2} entities in a shared world.`,
		);
	if (agent === undefined || world.chance === null) return spawn();
	world.chance.owned ??= countOwned(world);
	const { owned } = world.chance;
	const ownCount = owned.get(agent) ?? 0;
	const maxCount = resource(world, Shares)?.[agent] ?? MAX_ENTITIES / SHARE_DIVISOR;
	if (ownCount >= maxCount)
		throw new ApiError(
			'agent_limit',
			`Agent ${agent} owns ${ownCount} entities in this world; the limit is ${maxCount}.`,
		);
	const result = spawn();
	owned.set(agent, ownCount + 1);
	return result;
}

/** Returns the number of entities of each agent. */
function countOwned(world: World): Map<number, number> {
	const counts = new Map<number, number>();
	if (count(world, Owner) === 0) return counts;
	const agents = read(world, Owner, 'agent');
	each(world, [Owner], (slot) => {
		const agent = agents[slot]!;
		counts.set(agent, (counts.get(agent) ?? 0) + 1);
	});
	return counts;
}
