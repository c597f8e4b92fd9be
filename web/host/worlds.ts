/**
 * The worlds of a host: main and its forks, each with its snapshots.
 * Owns: which worlds exist, who was cloned from whom, and which of them play.
 */

import { Fault, unknownFork } from '../../shared/contract/errors.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import { markChanged } from '../sim/core/version.ts';
import type { World } from '../sim/core/world.ts';
import { MAX_SNAPSHOTS, newestSnapshot, type Snapshot, takeSnapshot } from '../sim/snapshots/snapshot.ts';

export const MAIN = 'main';
const MAX_FORKS = 1000;

/** What a world was cloned from and when. */
export interface Origin {
	readonly parent: string;
	readonly tick: number;
	/** The parent was deleted; a world of that name now is another one. */
	readonly gone?: true;
}

/** A tick that could not be made while a world played. The world is as it was before it. */
export interface Halt {
	readonly tick: number;
	readonly message: string;
	readonly fix: string;
}

/** A world with its place among the others. */
export interface WorldEntry {
	readonly id: string;
	world: World;
	playing: boolean;
	/** Why it stopped playing by itself, until it plays again. */
	halted?: Halt | undefined;
	/** What it was cloned from and when; null for main. */
	origin: Origin | null;
	/** Oldest first; a fork shares those that its parent had. Replaced, never changed in place. */
	snapshots: readonly Snapshot[];
}

function holdWorld(
	id: string,
	world: World,
	origin: Origin | null,
	snapshots: readonly Snapshot[] = [],
): WorldEntry {
	return { id, world, playing: false, origin, snapshots };
}

/** A held world of a draft: its world is cloned when it is first asked for. */
class Drafted implements WorldEntry {
	readonly id: string;
	readonly base: WorldEntry;
	playing: boolean;
	origin: Origin | null;
	snapshots: readonly Snapshot[];
	#own: World | null = null;
	#cloned: World | null = null;
	#version = 0;

	constructor(base: WorldEntry) {
		this.id = base.id;
		this.base = base;
		this.playing = base.playing;
		this.origin = base.origin;
		this.snapshots = base.snapshots;
	}

	get world(): World {
		if (this.#own === null) {
			this.#own = clone(this.base.world);
			this.#cloned = this.#own;
			this.#version = this.#own.version;
		}
		return this.#own;
	}

	set world(next: World) {
		this.#own = next;
	}

	/** The world of the draft when it differs from the base's, else null. */
	get changed(): World | null {
		const same = this.#own === this.#cloned && this.#own?.version === this.#version;
		return this.#own === null || same ? null : this.#own;
	}

	/** The world that was cloned or put here, if any was. */
	get own(): World | null {
		return this.#own;
	}
}

export class Worlds {
	readonly #held = new Map<string, WorldEntry>();
	/** A draft's snapshots may be the base's, which still needs them. */
	#draft = false;

	constructor(main: World) {
		this.#held.set(MAIN, holdWorld(MAIN, main, null));
	}

	get main(): WorldEntry {
		return this.#held.get(MAIN)!;
	}

	/** Puts in a fork that comes from elsewhere. */
	add(fork: WorldEntry): void {
		this.#held.set(fork.id, fork);
	}

	/** Ids of the forks, sorted. */
	forkIds(): string[] {
		return [...this.#held.keys()].filter((id) => id !== MAIN).sort();
	}

	all(): WorldEntry[] {
		return [...this.#held.values()];
	}

	find(id: string): WorldEntry | undefined {
		return this.#held.get(id);
	}

	/** A fork by its id. Throws `unknown_fork`. */
	fork(id: string): WorldEntry {
		const held = id === MAIN ? undefined : this.#held.get(id);
		if (held === undefined) throw unknownFork(id, this.forkIds());
		return held;
	}

	#requireFree(id: string): void {
		if (this.#held.has(id)) throw new Fault('fork_exists', `There is already a fork "${id}".`);
		if (this.#held.size > MAX_FORKS)
			throw new Fault('too_many_forks', `There are ${MAX_FORKS} forks, which is the most.`);
	}

	/** Clones a world under a new id, with the snapshots that it has. Throws `fork_exists` or `too_many_forks`. */
	createFork(id: string, from: WorldEntry, seed?: number): WorldEntry {
		this.#requireFree(id);
		const world = clone(from.world);
		if (seed !== undefined) {
			world.seed = seed;
			markChanged(world);
		}
		const held = holdWorld(id, world, { parent: from.id, tick: from.world.tick }, from.snapshots);
		this.#held.set(id, held);
		return held;
	}

	/** Drops a fork and its snapshots. Throws `unknown_fork`. */
	deleteFork(id: string): void {
		const fork = this.fork(id);
		this.#held.delete(id);
		for (const held of this.#held.values())
			if (held.origin?.parent === id) held.origin = { ...held.origin, gone: true };
		dispose(fork.world);
		this.#drop(fork.snapshots);
	}

	/**
	 * Makes a fork's world the main one; whether main plays stays as it was. What was main becomes the fork
	 * `keepAs` with its snapshots, or is dropped. Throws `unknown_fork`, `fork_exists`, `too_many_forks`.
	 */
	promote(id: string, keepAs?: string): WorldEntry {
		const fork = this.fork(id);
		if (keepAs !== undefined && keepAs !== id) this.#requireFree(keepAs);
		const main = this.main;
		const before = main.world;
		const promoted = fork.world;
		this.#held.delete(id);
		if (keepAs !== undefined) {
			const origin = { parent: MAIN, tick: this.#leftMain(fork) };
			this.#held.set(keepAs, holdWorld(keepAs, before, origin, main.snapshots));
			main.snapshots = fork.snapshots;
		} else this.#keep(main, [...new Set([...main.snapshots, ...fork.snapshots])]);
		main.world = promoted;
		if (keepAs === undefined) dispose(before);
		for (const held of this.#held.values()) {
			const parent = held.origin?.gone ? undefined : held.origin?.parent;
			if (parent === id) held.origin = { ...held.origin!, parent: MAIN };
			else if (parent === MAIN && keepAs !== undefined && held.id !== keepAs)
				held.origin = { ...held.origin!, parent: keepAs };
		}
		return main;
	}

	/** At which tick the line of forks that a fork comes from left main, as far as it is still known. */
	#leftMain(fork: WorldEntry): number {
		let { parent, tick, gone } = fork.origin!;
		while (parent !== MAIN && !gone) {
			const above = this.#held.get(parent)?.origin;
			if (above == null) break;
			({ parent, tick, gone } = above);
		}
		return tick;
	}

	/**
	 * Makes a change on a clone and keeps it only when `change` returns: all of it happens, or nothing.
	 */
	atomically<T>(held: WorldEntry, change: (world: World) => T): T {
		const copy = clone(held.world);
		try {
			const result = change(copy);
			this.replace(held, copy);
			return result;
		} catch (error) {
			dispose(copy);
			throw error;
		}
	}

	/** Puts another world in a world's place. */
	replace(held: WorldEntry, world: World): void {
		const before = held.world;
		held.world = world;
		dispose(before);
	}

	/** Takes a snapshot and keeps it among the newest 50. */
	snapshot(held: WorldEntry, label: string): Snapshot {
		const taken = takeSnapshot(held.world, label);
		this.#keep(held, [...held.snapshots, taken]);
		return taken;
	}

	/** Goes back to the last snapshot with a label, exactly. Throws `snapshot_missing`. */
	restore(held: WorldEntry, label: string): Snapshot {
		const snapshot = newestSnapshot(held.snapshots, label);
		this.replace(held, clone(snapshot.world));
		return snapshot;
	}

	/** Drops all snapshots with a label; how many there were. Throws `snapshot_missing`. */
	deleteSnapshots(held: WorldEntry, label: string): number {
		newestSnapshot(held.snapshots, label);
		const gone = held.snapshots.filter(({ view }) => view.label === label);
		held.snapshots = held.snapshots.filter(({ view }) => view.label !== label);
		this.#drop(gone);
		return gone.length;
	}

	/** Keeps the newest of these snapshots. */
	#keep(held: WorldEntry, snapshots: readonly Snapshot[]): void {
		const over = Math.max(0, snapshots.length - MAX_SNAPSHOTS);
		held.snapshots = snapshots.slice(over);
		this.#drop(snapshots.slice(0, over));
	}

	/** Frees snapshots that were taken off a world, unless another still has them. */
	#drop(snapshots: readonly Snapshot[]): void {
		if (this.#draft || snapshots.length === 0) return;
		const kept = this.#reachable();
		for (const { world } of snapshots) if (!kept.has(world)) dispose(world);
	}

	/** A copy of all worlds to try things on; nothing of it shows here until it is adopted. */
	draft(): Worlds {
		const copy = new Worlds(this.main.world);
		copy.#draft = true;
		copy.#held.clear();
		for (const held of this.#held.values()) copy.#held.set(held.id, new Drafted(held));
		return copy;
	}

	/** Takes over everything a draft of these worlds has become. The draft must not be used afterwards. */
	adopt(draft: Worlds): void {
		const before = this.#reachable();
		const next: WorldEntry[] = [];
		for (const held of draft.#held.values()) {
			if (!(held instanceof Drafted)) {
				next.push(held);
				continue;
			}
			const { base, changed, own } = held;
			if (changed !== null) base.world = changed;
			else if (own !== null) dispose(own);
			base.playing = held.playing;
			base.origin = held.origin;
			base.snapshots = held.snapshots;
			next.push(base);
		}
		this.#held.clear();
		for (const held of next) this.#held.set(held.id, held);
		const after = this.#reachable();
		for (const world of before) if (!after.has(world)) dispose(world);
	}

	/** Drops a draft of these worlds. */
	discard(draft: Worlds): void {
		const mine = this.#reachable();
		for (const held of draft.#held.values()) {
			const world = held instanceof Drafted ? held.own : held.world;
			if (world !== null && !mine.has(world)) dispose(world);
			for (const snapshot of held.snapshots) if (!mine.has(snapshot.world)) dispose(snapshot.world);
		}
	}

	#reachable(): Set<World> {
		const worlds = new Set<World>();
		for (const held of this.#held.values()) {
			worlds.add(held.world);
			for (const snapshot of held.snapshots) worlds.add(snapshot.world);
		}
		return worlds;
	}
}
