/**
 * The memory that all worlds of a host take together, and how much they may.
 * Owns: the budget. What worlds share counts once. An exact count takes long with many worlds. So every call that can
 * cost memory raises a bound, and the count is repeated only when the bound exceeds the budget. A step, a fork or a
 * snapshot is refused before it is made. Any other change is undone once it is known to need more.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { nextTickBytes, resourceBytes, weighWorld } from '../sim/core/weigh-world.ts';
import type { World } from '../sim/core/world.ts';

const MIB = 2 ** 20;
/** Well below what a tab of a browser may take. */
export const MEMORY_BUDGET = 4096 * MIB;

/**
 * Most bytes of what a world holds beside its entities: definitions, elements, settings. Written as JSON, where a character can
 * take six, it fits into one text (of 2 to the 29 characters). Only tests set another, to reach it soon.
 */
export const resourceLimit = { bytes: 80 * MIB };

/** Bytes that a world may grow without a check: a call that frees memory must not be refused for a list that it lengthens. */
const SMALL = 64 * 1024;

/** Ticks from one look at what a world has grown by to the next, and how many more entities are looked at before. */
const WEIGHED_EVERY = 8;
const MANY = 4096;

/** An agent whose forks and snapshots take more than this part of the budget leaves the last such part to others. */
const PART = 1 / 4;

/** Things to be weighed. */
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
	/** Bytes of worlds when they were last weighed, and the most that may have come since, up to a version. */
	readonly #weighed = new WeakMap<World, { readonly bytes: number; version: number; grown: number }>();
	/** Bytes that each world may take without the bound being raised again. */
	readonly #allowed = new WeakMap<World, number>();
	/** Worlds whose next tick is in the bound, however much of it they share. */
	#counts = new WeakSet<World>();

	/** Bytes of each world beside its entities at the last look. */
	readonly #resources = new WeakMap<World, number>();

	/** Number of entities that each world had when it was last weighed between ticks. */
	readonly #countedEntities = new WeakMap<World, number>();

	constructor(budget = MEMORY_BUDGET) {
		this.budget = budget;
	}

	/** Before a world is stepped, forked or kept, which can cost as much as all that it holds. Throws `out_of_room`. */
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

	/** Returns the number of bytes that may be taken without a look at the part of an agent. */
	#certain(share: Weighed['share']): number {
		return share === undefined ? this.budget : this.budget * (1 - PART);
	}

	/** Throws `out_of_room` if worlds would take the last part of the budget for an agent that has its own. */
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

	/** Before ticks of a world. The bound already has those of one that it was raised for, until all are weighed again. Throws `out_of_room`. */
	requireTicks(world: World, weighed: Weighed): void {
		if (this.#counts.has(world)) this.requireGrownTicks(world, weighed);
		else this.requireRoom(world, weighed);
	}

	/** Worlds may come to hold shared things each for itself, so none of them is in the bound from now on. */
	#weighAll(worlds: Iterable<World>): number {
		this.#counts = new WeakSet();
		return weigh(worlds);
	}

	/** A world of which nothing is known may take as much as another one, whose copy it is or in whose place it comes. */
	allowAs(world: World, other: World): void {
		for (const bytesByWorld of [this.#allowed, this.#resources]) {
			const bytes = bytesByWorld.get(other);
			if (bytes !== undefined && !bytesByWorld.has(world)) bytesByWorld.set(world, bytes);
		}
		if (this.#counts.has(other)) this.#counts.add(world);
	}

	/**
	 * After a world was changed, while that can be undone. Throws `out_of_room` when there is no room for what it
	 * takes more.
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
	 * After a tick, which may make a world larger as calls do: seen every few ticks, and at once after one that spawned many.
	 * Throws `out_of_room`; the tick stays.
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

	/** Allows the bytes by which ticks made a world grow: no call after them is refused for these. */
	allowTicks(world: World): void {
		const bytes = this.#nextTickBytes(world);
		this.#bound += Math.max(0, bytes - (this.#allowed.get(world) ?? 0));
		this.#allowed.set(world, bytes);
	}

	/** A world that was loaded has what one document held, and one that only grows otherwise is not looked at for it. */
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
	 * Returns the same, or more, without weighing it as long as all that has changed since then was calls that tell
	 * what they add.
	 */
	#mostBytes(world: World): number {
		const weighed = this.#weighed.get(world);
		if (weighed === undefined || weighed.version !== (world.undo?.since ?? world.version))
			return Number.POSITIVE_INFINITY;
		weighed.version = world.version;
		weighed.grown += world.undo?.maxGrowth ?? 0;
		return weighed.bytes + weighed.grown;
	}
}

export function inMiB(bytes: number): string {
	return `${(bytes / MIB).toFixed(1)} MiB`;
}

/** Returns the number of bytes that worlds take together. */
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

/** Returns the bytes that only one group of worlds holds: what dropping it gives back. */
export function ownWeights<K>(groups: Iterable<readonly [K, readonly World[]]>): Map<K, number> {
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

/** Tells whether there is room in memory, where that is asked. */
export interface RoomChecks {
	/** `look` throws `out_of_room`. */
	ask(look: () => void): void;
}
