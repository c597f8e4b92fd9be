/**
 * Room in memory for the worlds of a host, with their snapshots.
 * Owns: which worlds are weighed, and for which agent. `memory` has the budget.
 */

import type { World } from '../sim/core/world.ts';
import type { WorldEntries } from './entries.ts';
import { inMiB, type MemoryBudget, ownWeights, type RoomChecks, type Weighed, weigh } from './memory.ts';
import { CopiedEntry, MAIN, type WorldEntry } from './world-entry.ts';

/** Returns the world of an entry, without cloning one for a copy. */
const heldWorld = (entry: WorldEntry): World =>
	entry instanceof CopiedEntry ? (entry.own ?? entry.base.world) : entry.world;

export class WorldRoom {
	readonly memory: MemoryBudget;
	/** Checks for room, if that is not done here; a copy's is the base's. */
	readonly asker: { by: RoomChecks | null };
	readonly #entries: WorldEntries;

	constructor(entries: WorldEntries, memory: MemoryBudget, asker: { by: RoomChecks | null } = { by: null }) {
		this.#entries = entries;
		this.memory = memory;
		this.asker = asker;
	}

	/** Returns all worlds and those of their snapshots. */
	reachable(): Set<World> {
		const all = this.#entries.all();
		return new Set(all.flatMap((entry) => [heldWorld(entry), ...entry.snapshots.map(({ world }) => world)]));
	}

	/** Returns the number of bytes that all worlds and snapshots take. Bytes that they share count once. */
	weight(): number {
		return weigh(this.reachable());
	}

	/**
	 * Returns the bytes of memory by id that a world with its snapshots shares with no other: what dropping it gives
	 * back.
	 */
	ownWeights(): Map<string, number> {
		return ownWeights(
			this.#entries
				.all()
				.map(({ id, world, snapshots }) => [id, [world, ...snapshots.map((snapshot) => snapshot.world)]]),
		);
	}

	/**
	 * Before a world is stepped, forked or kept as a snapshot; `maker`: number of the agent that makes something of it,
	 * undefined for the operators. Throws `out_of_room`.
	 */
	require({ world }: WorldEntry, maker: number | undefined): void {
		this.ask(() => this.memory.requireRoom(world, this.#weighed(maker)));
	}

	/** Before a world makes ticks, for many worlds that make few: one that was looked at before costs nothing. Throws `out_of_room`. */
	requireForTicks({ world, maker }: WorldEntry): void {
		this.ask(() => this.memory.requireTicks(world, this.#weighed(maker)));
	}

	/** After each tick of a world. Throws `out_of_room` when there is no room for what its ticks made it grow by; they stay. */
	requireGrownTicks({ world, maker }: WorldEntry): void {
		this.ask(() => this.memory.requireGrownTicks(world, this.#weighed(maker)));
	}

	/** After the last of several ticks. */
	allowTicks({ world }: WorldEntry): void {
		this.memory.allowTicks(world);
	}

	/** Before what was done since the savepoint is kept. Throws `out_of_room` when there is no room for what worlds grew by. */
	requireGrown(): void {
		this.ask(() => {
			for (const entry of this.#entries.savepoint?.handedOut ?? [])
				if (this.#entries.get(entry.id) === entry) this.#requireGrown(entry);
		});
	}

	/** Looks for room, or has that done elsewhere. */
	ask(look: () => void): void {
		const { by } = this.asker;
		if (by === null) look();
		else by.ask(look);
	}

	#requireGrown(entry: WorldEntry): void {
		if (entry instanceof CopiedEntry) {
			if (entry.changed === null) return;
			this.memory.allowAs(entry.changed, entry.base.world);
		}
		this.memory.requireGrown(entry.world, this.#weighed(entry.maker));
	}

	#weighed(maker: number | undefined): Weighed {
		return {
			worlds: () => this.reachable(),
			heaviest: () => this.#heaviest(),
			share: maker === undefined ? undefined : () => this.#weightOf(maker),
		};
	}

	/** Returns the number of bytes that only forks and snapshots of an agent hold. */
	#weightOf(maker: number): number {
		const groups = this.#entries
			.all()
			.flatMap((entry) => [
				[entry.maker, [heldWorld(entry)]] as const,
				...entry.snapshots.map(({ owner, world }) => [owner, [world]] as const),
			]);
		return ownWeights(groups).get(maker) ?? 0;
	}

	#heaviest(): string {
		const forks = [...this.ownWeights()].filter(([id]) => id !== MAIN);
		const all = forks.reduce((sum, [, bytes]) => sum + bytes, 0);
		forks.sort(([, a], [, b]) => b - a);
		const named = forks.slice(0, 3).map(([id, bytes]) => `"${id}" (${inMiB(bytes)})`);
		if (named.length === 0)
			return 'There are no forks to delete: main and its snapshots use all of the memory.';
		return `Deleting all forks would free at least ${inMiB(all)}; the largest are ${named.join(', ')}.`;
	}
}
