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
const SMALL = 64 * 1024;

/** Interval of weighing a growing world in ticks, and the number of new entities after which it is weighed earlier. */
const WEIGHED_EVERY = 8;
const MANY = 4096;

/** Part of the budget that is reserved for others, if the forks and snapshots of an agent take more than such a part. */
const PART = 1 / 4;

/** The worlds to weigh, for one caller. */
export interface Weighed {
	worlds(): Iterable<World>;
	/** Returns what can be deleted, as a sentence. */
	heaviest(): string;
	/**
	 * Returns the number of bytes that only forks and snapshots of the requesting agent hold. Undefined for operators,
	 * and for main.
	 */
	readonly share?: (() => number) | undefined;
}

export class MemoryBudget {
	/** Maximum number of bytes that worlds may take. */
	budget: number;
	#bound = 0;
	/** Bytes of worlds at their last weighing, and the maximum growth since then, up to a version. */
	readonly #weighed = new WeakMap<World, { readonly bytes: number; version: number; grown: number }>();
	/** Bytes of each world that the bound already includes. */
	readonly #allowed = new WeakMap<World, number>();
	/** Worlds whose next tick is in the bound, even if they share data. */
	#counts = new WeakSet<World>();

	/** Bytes of the resources of each world at the last check. */
	readonly #resources = new WeakMap<World, number>();

	/** Number of entities that each world had when it was last weighed between ticks. */
	readonly #countedEntities = new WeakMap<World, number>();

	constructor(budget = MEMORY_BUDGET) {
		this.budget = budget;
	}

	/** Called before a step, fork or snapshot of a world, which may need as much memory as the world itself. Throws `out_of_room`. */
	requireRoom(world: World, { worlds, heaviest, share }: Weighed): void {
		const more = this.#nextTickBytes(world);
		this.#allowed.set(world, more);
		this.#bound += more;
		if (this.#bound > this.#certain(share)) {
			this.#bound = this.#weighAll(worlds());
			this.#requireShare(this.#bound + more, share);
			this.#bound += more;
		}
		this.#counts.add(world);
		if (this.#bound <= this.budget) return;
		this.#counts.delete(world);
		const taken = this.#bound - more;
		this.#bound = taken;
		const use = `The worlds use ${inMiB(taken)} of memory and this call may need ${inMiB(more)} more; the limit is ${inMiB(this.budget)}.`;
		const own = weigh([world]);
		if (own + more <= this.budget) throw new ApiError('out_of_room', `${use} ${heaviest()}`);
		throw new ApiError('out_of_room', `${use} This world alone uses ${inMiB(own)}.`, {
			fix: 'Make this world smaller: despawn entities, or load a smaller world. Deleting other worlds is not enough.',
		});
	}

	/** Returns the number of bytes up to which an agent's share need not be checked. */
	#certain(share: Weighed['share']): number {
		return share === undefined ? this.budget : this.budget * (1 - PART);
	}

	/** Throws `out_of_room` if an agent that already uses its part of the budget would use the reserved last part. */
	#requireShare(bytes: number, share: Weighed['share']): void {
		const most = this.#certain(share);
		if (share === undefined || bytes <= most) return;
		const used = share();
		if (used <= this.budget * PART) return;
		throw new ApiError(
			'out_of_room',
			`The forks and snapshots of the agent use ${inMiB(used)} of memory. Above ${inMiB(this.budget * PART)} they get no more once all worlds use ${inMiB(most)}.`,
			{ fix: 'Delete a fork or a snapshot of your own.' },
		);
	}

	/** Called before ticks of a world. If the bound already includes its next tick, only its growth is checked. Throws `out_of_room`. */
	requireTicks(world: World, weighed: Weighed): void {
		if (this.#counts.has(world)) this.requireGrownTicks(world, weighed);
		else this.requireRoom(world, weighed);
	}

	/** Weighs all worlds exactly. Afterwards the bound includes no ticks, which may turn shared data into separate copies. */
	#weighAll(worlds: Iterable<World>): number {
		this.#counts = new WeakSet();
		return weigh(worlds);
	}

	/** Allows a new world as many bytes as the world that it copies or replaces. */
	allowAs(world: World, other: World): void {
		for (const bytesByWorld of [this.#allowed, this.#resources]) {
			const bytes = bytesByWorld.get(other);
			if (bytes !== undefined && !bytesByWorld.has(world)) bytesByWorld.set(world, bytes);
		}
		if (this.#counts.has(other)) this.#counts.add(world);
	}

	/**
	 * Called after a change of a world that can still be undone. Throws `out_of_room` if there is no room for its growth.
	 */
	requireGrown(world: World, { worlds, heaviest, share }: Weighed): void {
		const allowed = this.#allowed.get(world) ?? 0;
		if (this.#mostBytes(world) - allowed <= SMALL) return;
		const bytes = this.#nextTickBytes(world);
		const more = bytes - allowed;
		if (more <= SMALL) return;
		this.#requireFewResources(world);
		this.#bound += more;
		if (this.#bound > this.#certain(share)) {
			const total = this.#weighAll(worlds());
			this.#bound = total;
			this.#requireShare(total, share);
			if (total > this.budget)
				throw new ApiError(
					'out_of_room',
					`The worlds would use ${inMiB(total)} of memory after this call; the limit is ${inMiB(this.budget)}. ${heaviest()}`,
				);
		}
		this.#allowed.set(world, bytes);
	}

	/**
	 * Called after a tick, which may make a world larger. Checks it every few ticks, and immediately after a tick with many new entities.
	 * Throws `out_of_room`; the tick is kept.
	 */
	requireGrownTicks(world: World, weighed: Weighed): void {
		const { tick, entities } = world;
		const before = this.#countedEntities.get(world);
		if (before === undefined) this.#countedEntities.set(world, entities.count);
		if (tick % WEIGHED_EVERY !== 0 && entities.count - (before ?? entities.count) < MANY) return;
		this.#countedEntities.set(world, entities.count);
		try {
			this.requireGrown(world, weighed);
		} finally {
			this.allowTicks(world);
		}
	}

	/** Allows the bytes by which ticks made a world grow, so that no later call is refused for them. */
	allowTicks(world: World): void {
		const bytes = this.#nextTickBytes(world);
		this.#bound += Math.max(0, bytes - (this.#allowed.get(world) ?? 0));
		this.#allowed.set(world, bytes);
	}

	/** Throws `out_of_room` if the resources of a world grew beyond their limit. A loaded world may have more, because one document had them. */
	#requireFewResources(world: World): void {
		const all = [...resourceBytes(world)].sort(([, a], [, b]) => b - a);
		const sum = all.reduce((bytes, [, more]) => bytes + more, 0);
		const before = this.#resources.get(world);
		if (before === undefined || sum <= resourceLimit.bytes) this.#resources.set(world, sum);
		else if (sum - before > SMALL) {
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
		const weighed = this.#weighed.get(world);
		if (weighed?.version === version && weighed.grown === 0) return weighed.bytes;
		const bytes = nextTickBytes(world);
		this.#weighed.set(world, { bytes, version, grown: 0 });
		return bytes;
	}

	/**
	 * Returns an upper bound of the bytes without weighing, if all changes since the last weighing report their growth; infinity otherwise.
	 */
	#mostBytes(world: World): number {
		const weighed = this.#weighed.get(world);
		if (weighed === undefined || weighed.version !== (world.undo?.startVersion ?? world.version))
			return Number.POSITIVE_INFINITY;
		weighed.version = world.version;
		weighed.grown += world.undo?.maxGrowth ?? 0;
		return weighed.bytes + weighed.grown;
	}
}

export function inMiB(bytes: number): string {
	return `${(bytes / MIB).toFixed(1)} MiB`;
}

/** Returns the number of bytes of some worlds together. */
export function weigh(worlds: Iterable<World>): number {
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

/** Returns the bytes that only one group of worlds uses, and that deleting the group would free. */
export function unsharedBytes<K>(groups: Iterable<readonly [K, readonly World[]]>): Map<K, number> {
	const holders = new Map<object, { readonly key: K; bytes: number; alone: boolean }>();
	const own = new Map<K, number>();
	for (const [key, worlds] of groups) {
		own.set(key, 0);
		for (const world of worlds)
			weighWorld(world, (thing, bytes) => {
				const holder = holders.get(thing);
				if (holder === undefined) holders.set(thing, { key, bytes, alone: true });
				else if (holder.key !== key) holder.alone = false;
			});
	}
	for (const { key, bytes, alone } of holders.values()) if (alone) own.set(key, own.get(key)! + bytes);
	return own;
}

/** Replacement of memory checks, for recording and replaying their results. */
export interface RoomChecks {
	/** Runs or replaces a check. `check` throws `out_of_room`. */
	ask(check: () => void): void;
}
