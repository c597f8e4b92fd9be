/**
 * The memory of all worlds of a host, and its limit.
 * Owns: the budget. Data that worlds share counts once. An exact count takes long with many worlds. So every call that may
 * need memory raises an upper bound, and the exact count is repeated only when the bound exceeds the budget. A step, a fork or a
 * snapshot is refused before it runs. Any other change is undone if it turns out to need too much.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { nextTickBytes, resourceBytes, weighWorld } from '../sim/core/weigh-world.ts';
import type { World } from '../sim/core/world.ts';

const MIB = 2 ** 20;
/** Default budget, well below the limit of a browser tab. */
export const MEMORY_BUDGET = 4096 * MIB;

/**
 * Maximum bytes of a world's resources: definitions, elements, settings. As JSON, in which a character may become six, they still fit
 * into one text (of 2 to the 29 characters). Only tests change it.
 */
export const resourceLimit = { bytes: 80 * MIB };

/** Bytes that a world may grow without a check: a call that frees memory must not be refused for a list that it lengthens. */
const UNCHECKED_BYTES = 64 * 1024;

/** Ticks between two weighings of a growing world, and the number of new entities after which it is weighed earlier. */
const WEIGHING_TICKS = 8;
const MANY_ENTITIES = 4096;

/** Part of the budget. An agent whose forks and snapshots use more than this part may not use the last such part. */
const AGENT_PART = 1 / 4;

/** Worlds to weigh, for the check of one caller. */
export interface WeighRequest {
	worlds(): Iterable<World>;
	/** Returns what can be deleted, as a sentence. */
	deletionAdvice(): string;
	/** Returns the bytes that only forks and snapshots of the requesting agent use. Undefined for operators, and for main. */
	readonly agentBytes?: (() => number) | undefined;
}

export class MemoryBudget {
	/** Maximum number of bytes that worlds may take. */
	maxBytes: number;
	/** Upper bound of the bytes of all worlds. */
	#bound = 0;
	/** Bytes of worlds at their last weighing, and the maximum growth since then, up to a version. */
	readonly #weighings = new WeakMap<World, { readonly bytes: number; version: number; grown: number }>();
	/** Bytes of each world that the bound includes. */
	readonly #allowedBytes = new WeakMap<World, number>();
	/** Worlds whose next tick is in the bound, even if they share data. */
	#includedTicks = new WeakSet<World>();

	/** Bytes of the resources of each world at the last check. */
	readonly #resources = new WeakMap<World, number>();

	/** Number of entities that each world had when it was last weighed between ticks. */
	readonly #countedEntities = new WeakMap<World, number>();

	constructor(budget = MEMORY_BUDGET) {
		this.maxBytes = budget;
	}

	/** Checks the room for a step, fork or snapshot, which may need as much memory as the world itself. Throws `out_of_room`. */
	requireRoom(world: World, { worlds, deletionAdvice, agentBytes }: WeighRequest): void {
		const more = this.#nextTickBytes(world);
		this.#allowedBytes.set(world, more);
		this.#bound += more;
		if (this.#bound > this.#uncheckedBytes(agentBytes)) {
			this.#bound = this.#weighAll(worlds());
			this.#requireShare(this.#bound + more, agentBytes);
			this.#bound += more;
		}
		this.#includedTicks.add(world);
		if (this.#bound <= this.maxBytes) return;
		this.#includedTicks.delete(world);
		const usedBytes = this.#bound - more;
		this.#bound = usedBytes;
		const use = `The worlds use ${inMiB(usedBytes)} of memory and this call may need ${inMiB(more)} more; the limit is ${inMiB(this.maxBytes)}.`;
		const ownBytes = bytesOf([world]);
		if (ownBytes + more <= this.maxBytes) throw new ApiError('out_of_room', `${use} ${deletionAdvice()}`);
		throw new ApiError('out_of_room', `${use} This world alone uses ${inMiB(ownBytes)}.`, {
			fix: 'Make this world smaller: despawn entities, or load a smaller world. Deleting other worlds is not enough.',
		});
	}

	/** Returns the total bytes up to which an agent's own bytes need not be checked. */
	#uncheckedBytes(share: WeighRequest['agentBytes']): number {
		return share === undefined ? this.maxBytes : this.maxBytes * (1 - AGENT_PART);
	}

	/** Throws `out_of_room` if an agent that already uses its part of the budget would use the reserved last part. */
	#requireShare(bytes: number, agentBytes: WeighRequest['agentBytes']): void {
		const unchecked = this.#uncheckedBytes(agentBytes);
		if (agentBytes === undefined || bytes <= unchecked) return;
		const used = agentBytes();
		if (used <= this.maxBytes * AGENT_PART) return;
		throw new ApiError(
			'out_of_room',
			`The forks and snapshots of the agent use ${inMiB(used)} of memory. Above ${inMiB(this.maxBytes * AGENT_PART)} they get no more once all worlds use ${inMiB(unchecked)}.`,
			{ fix: 'Delete a fork or a snapshot of your own.' },
		);
	}

	/**
	 * Checks the room before ticks of a world. If the bound already includes its next tick, checks only its growth. Throws
	 * `out_of_room`.
	 */
	requireTicks(world: World, weighed: WeighRequest): void {
		if (this.#includedTicks.has(world)) this.requireGrownByTicks(world, weighed);
		else this.requireRoom(world, weighed);
	}

	/** Weighs all worlds exactly. Afterwards the bound includes no ticks, which may turn shared data into separate copies. */
	#weighAll(worlds: Iterable<World>): number {
		this.#includedTicks = new WeakSet();
		return bytesOf(worlds);
	}

	/** Allows a new world as many bytes as the world that it copies or replaces. */
	copyAllowance(world: World, other: World): void {
		for (const bytesByWorld of [this.#allowedBytes, this.#resources]) {
			const bytes = bytesByWorld.get(other);
			if (bytes !== undefined && !bytesByWorld.has(world)) bytesByWorld.set(world, bytes);
		}
		if (this.#includedTicks.has(other)) this.#includedTicks.add(world);
	}

	/** Checks the growth of a world after a change that can still be undone. Throws `out_of_room` if there is no room. */
	requireGrown(world: World, { worlds, deletionAdvice, agentBytes }: WeighRequest): void {
		const allowed = this.#allowedBytes.get(world) ?? 0;
		if (this.#maxBytes(world) - allowed <= UNCHECKED_BYTES) return;
		const bytes = this.#nextTickBytes(world);
		const more = bytes - allowed;
		if (more <= UNCHECKED_BYTES) return;
		this.#requireFewResources(world);
		this.#bound += more;
		if (this.#bound > this.#uncheckedBytes(agentBytes)) {
			const total = this.#weighAll(worlds());
			this.#bound = total;
			this.#requireShare(total, agentBytes);
			if (total > this.maxBytes)
				throw new ApiError(
					'out_of_room',
					`The worlds would use ${inMiB(total)} of memory after this call; the limit is ${inMiB(this.maxBytes)}. ${deletionAdvice()}`,
				);
		}
		this.#allowedBytes.set(world, bytes);
	}

	/**
	 * Checks the growth of a world after a tick: every few ticks, and immediately after a tick with many new entities. Throws
	 * `out_of_room`; the tick is kept.
	 */
	requireGrownByTicks(world: World, weighed: WeighRequest): void {
		const { tick, entities } = world;
		const before = this.#countedEntities.get(world);
		if (before === undefined) this.#countedEntities.set(world, entities.count);
		if (tick % WEIGHING_TICKS !== 0 && entities.count - (before ?? entities.count) < MANY_ENTITIES) return;
		this.#countedEntities.set(world, entities.count);
		try {
			this.requireGrown(world, weighed);
		} finally {
			this.allowGrowth(world);
		}
	}

	/** Allows the bytes by which ticks made a world grow, so that no later call is refused for them. */
	allowGrowth(world: World): void {
		const bytes = this.#nextTickBytes(world);
		this.#bound += Math.max(0, bytes - (this.#allowedBytes.get(world) ?? 0));
		this.#allowedBytes.set(world, bytes);
	}

	/** Throws `out_of_room` if the resources of a world grew beyond their limit. A loaded world may have more, because one document had them. */
	#requireFewResources(world: World): void {
		const all = [...resourceBytes(world)].sort(([, a], [, b]) => b - a);
		const sum = all.reduce((bytes, [, more]) => bytes + more, 0);
		const before = this.#resources.get(world);
		if (before === undefined || sum <= resourceLimit.bytes) this.#resources.set(world, sum);
		else if (sum - before > UNCHECKED_BYTES) {
			const [[name, bytes] = ['', 0]] = all;
			throw new ApiError(
				'out_of_room',
				`The resources of the world would use ${inMiB(sum)}, most of it for ${name} (${inMiB(bytes)}); the limit is ${inMiB(resourceLimit.bytes)}.`,
				{ fix: 'Define fewer or shorter entries, and delete those that you no longer need.' },
			);
		}
	}

	#nextTickBytes(world: World): number {
		const { version } = world;
		const weighed = this.#weighings.get(world);
		if (weighed?.version === version && weighed.grown === 0) return weighed.bytes;
		const bytes = nextTickBytes(world);
		this.#weighings.set(world, { bytes, version, grown: 0 });
		return bytes;
	}

	/**
	 * Returns an upper bound of a world's bytes without weighing it; infinity if a change since the last weighing did not report
	 * its growth.
	 */
	#maxBytes(world: World): number {
		const weighed = this.#weighings.get(world);
		if (weighed === undefined || weighed.version !== (world.undo?.startVersion ?? world.version))
			return Number.POSITIVE_INFINITY;
		weighed.version = world.version;
		weighed.grown += world.undo?.maxGrowth ?? 0;
		return weighed.bytes + weighed.grown;
	}
}

/** Returns a number of bytes as a text such as `1.5 MiB`. */
export function inMiB(bytes: number): string {
	return `${(bytes / MIB).toFixed(1)} MiB`;
}

/** Returns the number of bytes of some worlds together. */
export function bytesOf(worlds: Iterable<World>): number {
	const visited = new Set<object>();
	let total = 0;
	for (const world of worlds)
		weighWorld(world, (thing, bytes) => {
			if (visited.has(thing)) return;
			visited.add(thing);
			total += bytes;
		});
	return total;
}

/** Returns, by group, the bytes that no other group of worlds uses. Deleting the group would free them. */
export function unsharedBytes<K>(groups: Iterable<readonly [K, readonly World[]]>): Map<K, number> {
	const firstUsers = new Map<object, { readonly key: K; bytes: number; isOnlyUser: boolean }>();
	const bytesByGroup = new Map<K, number>();
	for (const [key, worlds] of groups) {
		bytesByGroup.set(key, 0);
		for (const world of worlds)
			weighWorld(world, (thing, bytes) => {
				const firstUser = firstUsers.get(thing);
				if (firstUser === undefined) firstUsers.set(thing, { key, bytes, isOnlyUser: true });
				else if (firstUser.key !== key) firstUser.isOnlyUser = false;
			});
	}
	for (const { key, bytes, isOnlyUser } of firstUsers.values())
		if (isOnlyUser) bytesByGroup.set(key, bytesByGroup.get(key)! + bytes);
	return bytesByGroup;
}

/** Replacement of memory checks, for recording and replaying their results. */
export interface RoomChecks {
	/** Runs or replaces a check. `check` throws `out_of_room`. */
	run(check: () => void): void;
}
