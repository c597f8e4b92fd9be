/**
 * Memory checks for the worlds and snapshots of a host.
 * Owns: the choice of the worlds to weigh, and of the agent to charge. `MemoryBudget` owns the limit.
 */

import type { World } from '../sim/core/world.ts';
import type { WorldEntries } from './entries.ts';
import {
	bytesOf,
	inMiB,
	type MemoryBudget,
	type RoomChecks,
	unsharedBytes,
	type WeighRequest,
} from './memory.ts';
import { CopiedEntry, MAIN, type WorldEntry } from './world-entry.ts';

/** Returns the world of an entry, without cloning one for a copy. */
const storedWorld = (entry: WorldEntry): World =>
	entry instanceof CopiedEntry ? (entry.ownWorld ?? entry.base.world) : entry.world;

export class WorldRoom {
	readonly memory: MemoryBudget;
	/**
	 * Replacement of the checks while a call is recorded or replayed; null otherwise. A copy shares this object with its
	 * base.
	 */
	readonly override: { checks: RoomChecks | null };
	readonly #entries: WorldEntries;

	constructor(
		entries: WorldEntries,
		memory: MemoryBudget,
		override: { checks: RoomChecks | null } = { checks: null },
	) {
		this.#entries = entries;
		this.memory = memory;
		this.override = override;
	}

	/** Returns all worlds and those of their snapshots. */
	reachable(): Set<World> {
		const all = this.#entries.all();
		return new Set(
			all.flatMap((entry) => [storedWorld(entry), ...entry.snapshots.map(({ world }) => world)]),
		);
	}

	/** Returns the bytes of all worlds and snapshots. Shared bytes count once. */
	totalBytes(): number {
		return bytesOf(this.reachable());
	}

	/** Returns, by id, the bytes that deleting a world and its snapshots would free. */
	freeableBytes(): Map<string, number> {
		return unsharedBytes(
			this.#entries
				.all()
				.map(({ id, world, snapshots }) => [id, [world, ...snapshots.map((snapshot) => snapshot.world)]]),
		);
	}

	/**
	 * Checks the room for a step, fork or snapshot of a world. Throws `out_of_room`. `maker`: number of the agent to
	 * charge; undefined for the operators.
	 */
	checkRoom({ world }: WorldEntry, maker: number | undefined): void {
		this.runCheck(() => this.memory.requireRoom(world, this.#weighingFor(maker)));
	}

	/**
	 * Checks the room before ticks of a world. Throws `out_of_room`. Cheap for a world that was checked before, so it suits
	 * many worlds with few ticks each.
	 */
	checkBeforeTicks({ world, maker }: WorldEntry): void {
		this.runCheck(() => this.memory.requireTicks(world, this.#weighingFor(maker)));
	}

	/** Checks the growth of a world after a tick. Throws `out_of_room` if there is no room for it. The ticks are kept. */
	checkAfterTick({ world, maker }: WorldEntry): void {
		this.runCheck(() => this.memory.requireGrownByTicks(world, this.#weighingFor(maker)));
	}

	/** Allows the growth of a world by ticks, so that no later call is refused for it. Called after the last tick. */
	acceptTicks({ world }: WorldEntry): void {
		this.memory.allowGrowth(world);
	}

	/** Checks the growth of all worlds since the savepoint, before its changes are kept. Throws `out_of_room`. */
	checkGrowth(): void {
		this.runCheck(() => {
			for (const entry of this.#entries.savepoint?.entries ?? [])
				if (this.#entries.get(entry.id) === entry) this.#checkWorldGrowth(entry);
		});
	}

	/** Runs a check, or passes it to the replacement. */
	runCheck(check: () => void): void {
		const { checks } = this.override;
		if (checks === null) check();
		else checks.run(check);
	}

	#checkWorldGrowth(entry: WorldEntry): void {
		if (entry instanceof CopiedEntry) {
			if (entry.changedWorld === null) return;
			this.memory.copyAllowance(entry.changedWorld, entry.base.world);
		}
		this.memory.requireGrown(entry.world, this.#weighingFor(entry.maker));
	}

	#weighingFor(maker: number | undefined): WeighRequest {
		return {
			worlds: () => this.reachable(),
			deletionAdvice: () => this.#deletionAdvice(),
			agentBytes: maker === undefined ? undefined : () => this.#bytesOfAgent(maker),
		};
	}

	/** Returns the number of bytes that only forks and snapshots of an agent hold. */
	#bytesOfAgent(maker: number): number {
		const groups = this.#entries
			.all()
			.flatMap((entry) => [
				[entry.maker, [storedWorld(entry)]] as const,
				...entry.snapshots.map(({ owner, world }) => [owner, [world]] as const),
			]);
		return unsharedBytes(groups).get(maker) ?? 0;
	}

	#deletionAdvice(): string {
		const forks = [...this.freeableBytes()].filter(([id]) => id !== MAIN);
		const all = forks.reduce((sum, [, bytes]) => sum + bytes, 0);
		forks.sort(([, a], [, b]) => b - a);
		const largest = forks.slice(0, 3).map(([id, bytes]) => `"${id}" (${inMiB(bytes)})`);
		if (largest.length === 0)
			return 'There are no forks to delete: main and its snapshots use all of the memory.';
		return `Deleting all forks would free at least ${inMiB(all)}; the largest are ${largest.join(', ')}.`;
	}
}
