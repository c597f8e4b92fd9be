/**
 * Worlds of a host: main and its forks, each with its snapshots.
 * Owns: the set of worlds, and the parent and the playing state of each.
 */

import { ApiError, unknownFork } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import type { Agent } from '../../shared/contract/principal.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import { markChanged } from '../sim/core/version.ts';
import type { World } from '../sim/core/world.ts';
import { MAX_SNAPSHOTS, newestSnapshot, type Snapshot, takeSnapshot } from '../sim/snapshots/snapshot.ts';
import { WorldEntries } from './entries.ts';
import { MemoryBudget } from './memory.ts';
import type { Savepoint } from './savepoint.ts';
import { NO_WITNESS, type Witness } from './witness.ts';
import {
	CopiedEntry,
	createEntry,
	currentHalt,
	type Halt,
	type Line,
	MAIN,
	type Origin,
	type WorldEntry,
} from './world-entry.ts';
import { WorldRoom } from './world-room.ts';

export { currentHalt, type Halt, MAIN, type Origin, type WorldEntry } from './world-entry.ts';

const MAX_FORKS = 10_000;
/** Maximum number of existing ids that an unknown id is compared with for a suggestion. */
const MAX_SUGGESTED = 1000;

/** A fork that has become a clone of a world. Either `keep` or `rollBack` must be called. */
export interface Becoming {
	readonly entry: WorldEntry;
	/** Ends the change, and frees the previous state of the fork. */
	keep(): void;
	/** Restores the previous state of the fork, or deletes a new fork. */
	rollBack(): void;
}

/** Returns main or a fork by its id. Throws `unknown_world`. */
export function worldOf(worlds: Worlds, id: string): WorldEntry {
	const entry = worlds.find(id);
	if (entry !== undefined) return entry;
	const [prefix = ''] = id.split('/');
	const fix = worlds.otherNames.has(prefix)
		? `"${prefix}" is a world of its own: send the call by itself, with ?world=${id}.`
		: suggestion(prefix === MAIN ? id.slice(MAIN.length + 1) : id, [
				MAIN,
				...worlds.forkIds(),
				...worlds.otherNames,
			]);
	throw new ApiError('unknown_world', `There is no world "${id}".`, { fix });
}

/** Options of `aside`. `of`: entry whose snapshots are shared. `maker`: number of the agent that owns the world. */
interface AsideOptions {
	readonly of: WorldEntry | undefined;
	readonly maker: number | undefined;
}

const originOf = ({ id, world, line }: WorldEntry): Origin => ({
	parent: id,
	tick: world.tick,
	line: line.number,
});

/** Returns the origin of a fork whose parent moved to another entry. A fork of another line of the parent loses its parent. */
function originAfterMove(origin: Origin, line: number, entry: WorldEntry): Origin {
	if (origin.line !== undefined && origin.line !== line) return { ...origin, gone: true };
	return { ...origin, parent: entry.id, line: entry.line.number };
}

export class Worlds {
	/** Names of worlds that other engines run. No fork may have one of these names. */
	otherNames: ReadonlySet<string> = new Set();
	/** Checks of the memory for these worlds. */
	readonly room: WorldRoom;
	readonly #entries = new WorldEntries();
	/** True for a copy. It shares snapshots with its base, so it must not free them. */
	#isCopy = false;

	/**
	 * `maker`: number of the agent that owns main; undefined for the operators. A copy shares `memory` and `override` with
	 * its base.
	 */
	constructor(main: World, maker?: number, memory = new MemoryBudget(), override?: WorldRoom['override']) {
		this.room = new WorldRoom(this.#entries, memory, override);
		this.#entries.add(createEntry(MAIN, main, 0, null, [], maker));
	}

	get main(): WorldEntry {
		return this.#entries.handOut(this.#entries.get(MAIN)!);
	}

	/** Adds a fork that exists already, such as a loaded one. */
	add(fork: WorldEntry): void {
		this.#entries.add(fork);
	}

	/** Number of lines that have begun or ended here. While it is unchanged, every world keeps its line. */
	get lines(): number {
		return this.#entries.lines;
	}

	set lines(lines: number) {
		this.#entries.lines = lines;
	}

	/** Returns the line of a world; undefined if the world does not exist. */
	lineOf(id: string): Line | undefined {
		return this.#entries.get(id)?.line;
	}

	/** Opens a savepoint. Until it ends, all changes of these worlds can be undone. */
	savepoint(witness: Witness = NO_WITNESS): Savepoint {
		return this.#entries.openSavepoint(witness);
	}

	/** Returns the field of a status with the reason that a world stopped playing by itself; no field if it did not. */
	haltOf(entry: WorldEntry): { readonly halted?: Halt } {
		const halted = currentHalt(entry);
		return halted === undefined ? {} : { halted };
	}

	/** Begins a new line of a world, after a document has replaced its whole content. */
	afterReplacement(entry: WorldEntry): void {
		this.#entries.beginLine(entry);
		this.afterDocument(entry);
	}

	/** Reports a change by a document to the witness. Called before the digest of the world is returned. */
	afterDocument(entry: WorldEntry): void {
		this.#entries.savepoint?.witness.afterDocument(entry);
	}

	/** Returns the ids of the forks, sorted. */
	forkIds(): string[] {
		return this.#entries
			.ids()
			.filter((id) => id !== MAIN)
			.sort();
	}

	/** Returns the ids of the listed forks. An id that begins with a dot belongs to a stored state, which is not listed. */
	listedForkIds(): string[] {
		return this.forkIds().filter((id) => !id.startsWith('.'));
	}

	all(): WorldEntry[] {
		return this.#entries.all();
	}

	find(id: string): WorldEntry | undefined {
		return this.#entries.handOut(this.#entries.get(id));
	}

	/** Returns a fork by its id. Throws `unknown_fork`. */
	fork(id: string): WorldEntry {
		const entry = id === MAIN ? undefined : this.#entries.get(id);
		if (entry === undefined && this.otherNames.has(id))
			throw new ApiError('unknown_fork', `"${id}" is a world of its own, not a fork of main.`, {
				fix: `Send the call with ?world=${id}; it then acts on that world and its forks.`,
			});
		if (entry === undefined) throw unknownFork(id, this.forkIds().slice(0, MAX_SUGGESTED));
		return this.#entries.handOut(entry);
	}

	/** Returns main or a fork by its id. Throws `unknown_fork`. */
	mainOrFork(id: string): WorldEntry {
		return id === MAIN ? this.main : this.fork(id);
	}

	/** Checks that a new fork may have this id. Throws `fork_exists` and `too_many_forks`. */
	requireFree(id: string): void {
		if (this.#entries.get(id) !== undefined)
			throw new ApiError('fork_exists', `There is already a fork "${id}".`);
		// During a replay, the engine may know other names.
		this.room.runCheck(() => {
			if (!this.otherNames.has(id)) return;
			throw new ApiError('fork_exists', `There is already a world "${id}".`, {
				fix: 'Choose another fork_id. GET /worlds lists the named worlds.',
			});
		});
		if (this.#entries.size > MAX_FORKS)
			throw new ApiError('too_many_forks', `The engine is at its limit of ${MAX_FORKS} forks.`);
	}

	/** Agent that owns the things that the current change creates; undefined for the operators. */
	get #agent(): Agent | undefined {
		return this.#entries.savepoint?.witness.agent;
	}

	get #maker(): number | undefined {
		return this.#agent?.number;
	}

	/** Adds a fork that the caller created. Throws `agent_limit` if the agent has the maximum number of forks. */
	#addFork(
		id: string,
		world: World,
		origin: Origin,
		snapshots?: readonly Snapshot[],
		agent = this.#agent,
	): WorldEntry {
		if (agent !== undefined) this.#requireFewForks(agent);
		const entry = createEntry(id, world, this.#entries.countLine(), origin, snapshots, agent?.number);
		this.#entries.add(entry);
		return entry;
	}

	#requireFewForks({ id, number, limits }: Agent): void {
		const count = this.all().filter((entry) => entry.maker === number && entry.id !== MAIN).length;
		if (count < limits.forks) return;
		throw new ApiError('agent_limit', `"${id}" already has ${count} forks; the limit is ${limits.forks}.`);
	}

	/**
	 * Clones a world with its snapshots under a new id. Throws `fork_exists`, `too_many_forks`, `out_of_room` or
	 * `agent_limit`.
	 */
	createFork(id: string, from: WorldEntry, seed?: number, agent = this.#agent): WorldEntry {
		this.requireFree(id);
		this.room.checkRoom(from, agent?.number);
		return this.#addFork(id, this.#clone(from, seed), originOf(from), from.snapshots, agent);
	}

	/**
	 * Replaces the fork with this id by a clone of a world with its snapshots, or creates it. `agent`: owner of a new fork.
	 * Throws `too_many_forks`, `out_of_room` and `agent_limit`; in this case nothing has changed.
	 */
	become(id: string, from: WorldEntry, seed?: number, agent?: Agent): Becoming {
		const entry = this.find(id);
		if (entry === undefined) {
			const fork = this.createFork(id, from, seed, agent);
			return { entry: fork, keep() {}, rollBack: () => this.deleteFork(id) };
		}
		this.room.checkRoom(from, entry.maker);
		const { world, origin, snapshots, halted } = entry;
		this.#entries.setWorld(entry, this.#clone(from, seed));
		const newOrigin = from === entry ? origin : originOf(from);
		this.#entries.change(entry, { origin: newOrigin, snapshots: from.snapshots });
		return {
			entry,
			keep: () => {
				this.#entries.discardWorld(world);
				this.#freeSnapshots(snapshots);
			},
			rollBack: () => {
				const newSnapshots = entry.snapshots;
				this.#entries.discardWorld(entry.world);
				this.#entries.setWorld(entry, world);
				this.#entries.change(entry, { origin, snapshots });
				entry.halted = halted;
				this.#freeSnapshots(newSnapshots);
			},
		};
	}

	#clone({ world: source }: WorldEntry, seed: number | undefined): World {
		const world = this.#entries.trackWorld(clone(source));
		this.room.memory.copyAllowance(world, source);
		if (seed !== undefined) {
			world.seed = seed;
			markChanged(world);
		}
		return world;
	}

	/** Adds a past state of the world `of` as a fork. Throws `fork_exists` or `too_many_forks`. */
	adoptFork(id: string, world: World, of: string): WorldEntry {
		this.#entries.trackWorld(world);
		this.requireFree(id);
		const goneField = this.#entries.get(of) !== undefined ? {} : { gone: true as const };
		this.#addFork(id, world, { parent: of, tick: world.tick, ...goneField });
		return this.fork(id);
	}

	/** Deletes a fork and its snapshots. Throws `unknown_fork`. */
	deleteFork(id: string): void {
		const fork = this.fork(id);
		this.#entries.remove(fork);
		this.#entries.countLine();
		for (const entry of this.#entries.all())
			if (entry.origin?.parent === id)
				this.#entries.change(entry, { origin: { ...entry.origin, gone: true } });
		this.#entries.discardWorld(fork.world);
		this.#freeSnapshots(fork.snapshots);
	}

	/**
	 * Makes a fork's world the main world. The playing state of main does not change. The former main world becomes the fork
	 * `keepAs` with its snapshots, or is deleted. Throws `unknown_fork`, `fork_exists`, `too_many_forks`.
	 */
	promote(id: string, keepAs?: string): WorldEntry {
		const fork = this.fork(id);
		if (keepAs !== undefined && keepAs !== id) this.requireFree(keepAs);
		const main = this.main;
		const formerWorld = main.world;
		const promoted = fork.world;
		this.#entries.remove(fork);
		if (keepAs !== undefined) {
			const origin = { parent: MAIN, tick: this.#tickLeftMain(fork) };
			this.#addFork(keepAs, formerWorld, origin, main.snapshots);
			this.#entries.change(main, { snapshots: fork.snapshots });
		} else this.#setSnapshots(main, [...new Set([...main.snapshots, ...fork.snapshots])]);
		const [formerLine, keptEntry] = [main.line.number, keepAs === undefined ? undefined : this.find(keepAs)];
		this.#entries.setWorld(main, promoted);
		if (keepAs === undefined) this.#entries.discardWorld(formerWorld);
		for (const entry of this.#entries.all()) {
			const { origin } = entry;
			if (origin === null || origin.gone || entry === keptEntry) continue;
			if (origin.parent === id)
				this.#entries.change(entry, { origin: originAfterMove(origin, fork.line.number, main) });
			else if (origin.parent === MAIN && keptEntry !== undefined)
				this.#entries.change(entry, { origin: originAfterMove(origin, formerLine, keptEntry) });
		}
		return main;
	}

	/** Returns the tick at which the ancestors of a fork left main. If an ancestor is gone, returns the last known tick. */
	#tickLeftMain(fork: WorldEntry): number {
		let { parent, tick, gone } = fork.origin!;
		while (parent !== MAIN && !gone) {
			const parentOrigin = this.#entries.get(parent)?.origin;
			if (parentOrigin == null) break;
			({ parent, tick, gone } = parentOrigin);
		}
		return tick;
	}

	/** Replaces the world of an entry. */
	replace(entry: WorldEntry, world: World): void {
		const former = entry.world;
		this.#entries.setWorld(entry, this.#entries.trackWorld(world));
		this.room.memory.copyAllowance(world, former);
		this.#entries.discardWorld(former);
	}

	/** Takes a snapshot. If its owner has too many snapshots of the world, drops the oldest. Throws `out_of_room`. */
	snapshot(entry: WorldEntry, label: string): Snapshot {
		this.room.checkRoom(entry, this.#maker);
		const snapshot = takeSnapshot(entry.world, label, this.#maker);
		this.#entries.trackWorld(snapshot.world);
		this.#setSnapshots(entry, [...entry.snapshots, snapshot]);
		return snapshot;
	}

	/** Restores the newest snapshot with a label. Throws `snapshot_missing`. */
	restore(entry: WorldEntry, label: string): Snapshot {
		const snapshot = newestSnapshot(entry.snapshots, label);
		this.replace(entry, clone(snapshot.world));
		return snapshot;
	}

	/** Deletes all snapshots with a label. Returns their number. Throws `snapshot_missing`. */
	deleteSnapshots(entry: WorldEntry, label: string): number {
		newestSnapshot(entry.snapshots, label);
		const snapshots = entry.snapshots.filter(({ view }) => view.label === label);
		this.#entries.change(entry, { snapshots: entry.snapshots.filter(({ view }) => view.label !== label) });
		this.#freeSnapshots(snapshots);
		return snapshots.length;
	}

	/** Sets the snapshots of an entry: of each owner, the newest up to its limit. The others are dropped. */
	#setSnapshots(entry: WorldEntry, snapshots: readonly Snapshot[]): void {
		const limit = this.#entries.savepoint?.witness.agent?.limits.snapshots ?? MAX_SNAPSHOTS;
		const excess = [...Map.groupBy(snapshots, ({ owner }) => owner)].flatMap(([owner, owned]) =>
			owned.slice(0, Math.max(0, owned.length - (owner === this.#maker ? limit : MAX_SNAPSHOTS))),
		);
		const dropped = new Set(excess);
		this.#entries.change(entry, { snapshots: snapshots.filter((snapshot) => !dropped.has(snapshot)) });
		this.#freeSnapshots(excess);
	}

	/** Frees snapshots that were removed from a world, unless another world still has them. */
	#freeSnapshots(snapshots: readonly Snapshot[]): void {
		if (this.#isCopy || snapshots.length === 0) return;
		const worlds = this.room.reachable();
		for (const { world } of snapshots) if (!worlds.has(world)) this.#entries.discardWorld(world);
	}

	/** Returns a copy of all worlds. Changes of the copy have no effect here until it is adopted. */
	copy(): Worlds {
		const copy = new Worlds(this.#entries.get(MAIN)!.world, undefined, this.room.memory, this.room.override);
		copy.#isCopy = true;
		copy.otherNames = this.otherNames;
		copy.#entries.lines = this.#entries.lines;
		copy.#entries.replaceAll(this.#entries.all().map((entry) => new CopiedEntry(entry)));
		return copy;
	}

	/**
	 * Returns independent worlds with a copy of `world` as a fork, with the snapshots of `of`. They share nothing that a call
	 * can change.
	 */
	aside(id: string, world: World, { of, maker }: AsideOptions): { worlds: Worlds; entry: WorldEntry } {
		const worlds = new Worlds(clone(world), undefined, new MemoryBudget(this.room.memory.maxBytes));
		worlds.#isCopy = true;
		const origin = { parent: MAIN, tick: world.tick };
		const entry = createEntry(id, clone(world), 0, origin, of?.snapshots, maker);
		worlds.add(entry);
		return { worlds, entry };
	}

	/** Replaces these worlds by a changed copy of them. The copy must not be used afterwards. */
	adopt(copy: Worlds): void {
		const oldWorlds = this.room.reachable();
		const next: WorldEntry[] = [];
		for (const entry of copy.#entries.all()) {
			if (!(entry instanceof CopiedEntry)) {
				next.push(entry);
				continue;
			}
			const { base, changedWorld, ownWorld } = entry;
			if (changedWorld !== null) base.world = changedWorld;
			else if (ownWorld !== null) dispose(ownWorld);
			if (entry.hasNewPlaying) base.playing = entry.playing;
			base.line = entry.line;
			base.speed = entry.speed;
			base.halted = entry.halted;
			base.origin = entry.origin;
			base.snapshots = entry.snapshots;
			next.push(base);
		}
		this.#entries.lines = copy.#entries.lines;
		this.#entries.replaceAll(next);
		const newWorlds = this.room.reachable();
		for (const world of oldWorlds) if (!newWorlds.has(world)) dispose(world);
	}

	/** Frees a copy of these worlds that is not adopted. */
	discard(copy: Worlds): void {
		const worlds = this.room.reachable();
		for (const entry of copy.#entries.all()) {
			const world = entry instanceof CopiedEntry ? entry.ownWorld : entry.world;
			if (world !== null && !worlds.has(world)) dispose(world);
			for (const snapshot of entry.snapshots) if (!worlds.has(snapshot.world)) dispose(snapshot.world);
		}
	}

	/** Frees all worlds and snapshots. They must not be used afterwards. */
	dispose(): void {
		for (const world of this.room.reachable()) dispose(world);
	}
}
