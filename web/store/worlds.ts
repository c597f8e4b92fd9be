/**
 * The worlds of a host: main and its forks, each with its snapshots.
 * Owns: which worlds exist, the parent of each, and which of them play.
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
	type Halt,
	haltNow,
	holdWorld,
	type Line,
	MAIN,
	type Origin,
	type WorldEntry,
} from './world-entry.ts';
import { WorldRoom } from './world-room.ts';

export { type Halt, haltNow, MAIN, type Origin, type WorldEntry } from './world-entry.ts';

const MAX_FORKS = 10_000;
/** Maximum number of ids that the refusal of an unknown one is compared with. */
const MAX_SUGGESTED = 1000;

/** A fork that has become a clone of a world. One of `keep` and `goBack` must be called. */
export interface Becoming {
	readonly entry: WorldEntry;
	keep(): void;
	/** The fork is as it was, or does not exist if it is new. */
	goBack(): void;
}

/** Returns a world by its id, main included. Throws `unknown_world`. */
export function worldOf(among: Worlds, id: string): WorldEntry {
	const entry = among.find(id);
	if (entry !== undefined) return entry;
	const [named = ''] = id.split('/');
	const fix = among.taken.has(named)
		? `"${named}" is a world of its own: send the call by itself, with ?world=${id}.`
		: suggestion(named === MAIN ? id.slice(MAIN.length + 1) : id, [MAIN, ...among.forkIds(), ...among.taken]);
	throw new ApiError('unknown_world', `There is no world "${id}".`, { fix });
}

/** For a world aside: the entry that it is a copy of, and number of the agent that owns it. */
interface AsideOptions {
	readonly of: WorldEntry | undefined;
	readonly maker: number | undefined;
}

const originOf = ({ id, world, line }: WorldEntry): Origin => ({
	parent: id,
	tick: world.tick,
	line: line.number,
});

/** Returns the origin of a fork whose parent is at another entry now. One of another line of the parent has lost it. */
function movedOrigin(origin: Origin, line: number, to: WorldEntry): Origin {
	if (origin.line !== undefined && origin.line !== line) return { ...origin, gone: true };
	return { ...origin, parent: to.id, line: to.line.number };
}

export class Worlds {
	/** Names of worlds that other engines run: no fork may have one of them. */
	taken: ReadonlySet<string> = new Set();
	/** Room in memory. */
	readonly room: WorldRoom;
	readonly #entries = new WorldEntries();
	/** The snapshots of a copy may be the base's, which still needs them. */
	#isCopy = false;

	/** `maker`: number of the agent that owns main; undefined for the operators. A copy shares `memory` and `asker` with its base. */
	constructor(main: World, maker?: number, memory = new MemoryBudget(), asker?: WorldRoom['asker']) {
		this.room = new WorldRoom(this.#entries, memory, asker);
		this.#entries.put(holdWorld(MAIN, main, 0, null, [], maker));
	}

	get main(): WorldEntry {
		return this.#entries.handOut(this.#entries.get(MAIN)!);
	}

	/** Puts in a fork that comes from elsewhere. */
	add(fork: WorldEntry): void {
		this.#entries.put(fork);
	}

	/** Number of lines that began or ended here so far: if it is as before, every world still has its line. */
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

	/** From now until its end everything that is done to these worlds can be undone. */
	savepoint(witness: Witness = NO_WITNESS): Savepoint {
		return this.#entries.openSavepoint(witness);
	}

	/** Returns the reason that a world has stopped playing by itself, as a status says it. */
	haltOf(entry: WorldEntry): { readonly halted?: Halt } {
		const halted = haltNow(entry);
		return halted === undefined ? {} : { halted };
	}

	/** After a document replaced all that was in a world. */
	becameOther(entry: WorldEntry): void {
		this.#entries.beginLine(entry);
		this.entered(entry);
	}

	/** After a document was entered into a world, and before its digest is answered. */
	entered(entry: WorldEntry): void {
		this.#entries.savepoint?.witness.entered(entry);
	}

	/** Returns the ids of the forks, sorted. */
	forkIds(): string[] {
		return this.#entries
			.ids()
			.filter((id) => id !== MAIN)
			.sort();
	}

	/** Those of them that are listed: an id that begins with a dot is that of a kept state. */
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
		if (entry === undefined && this.taken.has(id))
			throw new ApiError('unknown_fork', `"${id}" is a world of its own, not a fork of main.`, {
				fix: `Send the call with ?world=${id}; it then acts on that world and its forks.`,
			});
		if (entry === undefined) throw unknownFork(id, this.forkIds().slice(0, MAX_SUGGESTED));
		return this.#entries.handOut(entry);
	}

	/** Main, or a fork. Throws `unknown_fork`. */
	mainOrFork(id: string): WorldEntry {
		return id === MAIN ? this.main : this.fork(id);
	}

	/** Requires that a fork may have this id. Throws `fork_exists` and `too_many_forks`. */
	requireFree(id: string): void {
		if (this.#entries.get(id) !== undefined)
			throw new ApiError('fork_exists', `There is already a fork "${id}".`);
		// An engine that runs the journal again may know other names.
		this.room.ask(() => {
			if (!this.taken.has(id)) return;
			throw new ApiError('fork_exists', `There is already a world "${id}".`, {
				fix: 'Choose another fork_id. GET /worlds lists the named worlds.',
			});
		});
		if (this.#entries.size > MAX_FORKS)
			throw new ApiError('too_many_forks', `The engine is at its limit of ${MAX_FORKS} forks.`);
	}

	/** Agent that makes things now; undefined for the operators. */
	get #agent(): Agent | undefined {
		return this.#entries.savepoint?.witness.agent;
	}

	get #maker(): number | undefined {
		return this.#agent?.number;
	}

	/** Puts in a fork that the caller made. Throws `agent_limit` for one more than it may have. */
	#putMade(
		id: string,
		world: World,
		origin: Origin,
		snapshots?: readonly Snapshot[],
		agent = this.#agent,
	): WorldEntry {
		if (agent !== undefined) this.#requireFewForks(agent);
		const entry = holdWorld(id, world, this.#entries.nextLine(), origin, snapshots, agent?.number);
		this.#entries.put(entry);
		return entry;
	}

	#requireFewForks({ id, number, limits }: Agent): void {
		const count = this.all().filter((entry) => entry.maker === number && entry.id !== MAIN).length;
		if (count < limits.forks) return;
		throw new ApiError('agent_limit', `"${id}" already has ${count} forks; the limit is ${limits.forks}.`);
	}

	/**
	 * Clones a world under a new id, with the snapshots that it has. Throws `fork_exists`, `too_many_forks`, `out_of_room` or
	 * `agent_limit`.
	 */
	createFork(id: string, from: WorldEntry, seed?: number, agent = this.#agent): WorldEntry {
		this.requireFree(id);
		this.room.require(from, agent?.number);
		return this.#putMade(id, this.#clone(from, seed), originOf(from), from.snapshots, agent);
	}

	/**
	 * Makes a fork a clone of a world, with its snapshots: a new fork, or in place of the one with this id. `agent`:
	 * maker of a new one. Throws `too_many_forks`, `out_of_room` and `agent_limit`, and then changes nothing.
	 */
	become(id: string, from: WorldEntry, seed?: number, agent?: Agent): Becoming {
		const entry = this.find(id);
		if (entry === undefined) {
			const fork = this.createFork(id, from, seed, agent);
			return { entry: fork, keep() {}, goBack: () => this.deleteFork(id) };
		}
		this.room.require(from, entry.maker);
		const { world, origin, snapshots, halted } = entry;
		this.#entries.setWorld(entry, this.#clone(from, seed));
		const cloned = from === entry ? origin : originOf(from);
		this.#entries.change(entry, { origin: cloned, snapshots: from.snapshots });
		return {
			entry,
			keep: () => {
				this.#entries.retire(world);
				this.#drop(snapshots);
			},
			goBack: () => {
				const made = entry.snapshots;
				this.#entries.retire(entry.world);
				this.#entries.setWorld(entry, world);
				this.#entries.change(entry, { origin, snapshots });
				entry.halted = halted;
				this.#drop(made);
			},
		};
	}

	#clone({ world: of }: WorldEntry, seed: number | undefined): World {
		const world = this.#entries.made(clone(of));
		this.room.memory.allowAs(world, of);
		if (seed !== undefined) {
			world.seed = seed;
			markChanged(world);
		}
		return world;
	}

	/** Takes in a world that `of` once was, as a fork. Throws `fork_exists` or `too_many_forks`. */
	adoptFork(id: string, world: World, of: string): WorldEntry {
		this.#entries.made(world);
		this.requireFree(id);
		const goneMark = this.#entries.get(of) !== undefined ? {} : { gone: true as const };
		this.#putMade(id, world, { parent: of, tick: world.tick, ...goneMark });
		return this.fork(id);
	}

	/** Drops a fork and its snapshots. Throws `unknown_fork`. */
	deleteFork(id: string): void {
		const fork = this.fork(id);
		this.#entries.take(fork);
		this.#entries.nextLine();
		for (const entry of this.#entries.all())
			if (entry.origin?.parent === id)
				this.#entries.change(entry, { origin: { ...entry.origin, gone: true } });
		this.#entries.retire(fork.world);
		this.#drop(fork.snapshots);
	}

	/**
	 * Makes a fork's world the main one; whether main plays stays as it was. What was main becomes the fork
	 * `keepAs` with its snapshots, or is dropped. Throws `unknown_fork`, `fork_exists`, `too_many_forks`.
	 */
	promote(id: string, keepAs?: string): WorldEntry {
		const fork = this.fork(id);
		if (keepAs !== undefined && keepAs !== id) this.requireFree(keepAs);
		const main = this.main;
		const before = main.world;
		const promoted = fork.world;
		this.#entries.take(fork);
		if (keepAs !== undefined) {
			const origin = { parent: MAIN, tick: this.#leftMain(fork) };
			this.#putMade(keepAs, before, origin, main.snapshots);
			this.#entries.change(main, { snapshots: fork.snapshots });
		} else this.#keep(main, [...new Set([...main.snapshots, ...fork.snapshots])]);
		const [left, worldEntry] = [main.line.number, keepAs === undefined ? undefined : this.find(keepAs)];
		this.#entries.setWorld(main, promoted);
		if (keepAs === undefined) this.#entries.retire(before);
		for (const entry of this.#entries.all()) {
			const { origin } = entry;
			if (origin === null || origin.gone || entry === worldEntry) continue;
			if (origin.parent === id)
				this.#entries.change(entry, { origin: movedOrigin(origin, fork.line.number, main) });
			else if (origin.parent === MAIN && worldEntry !== undefined)
				this.#entries.change(entry, { origin: movedOrigin(origin, left, worldEntry) });
		}
		return main;
	}

	/** At which tick the line of forks that a fork comes from left main, as far as it is still known. */
	#leftMain(fork: WorldEntry): number {
		let { parent, tick, gone } = fork.origin!;
		while (parent !== MAIN && !gone) {
			const above = this.#entries.get(parent)?.origin;
			if (above == null) break;
			({ parent, tick, gone } = above);
		}
		return tick;
	}

	/** Puts another world in a world's place. */
	replace(entry: WorldEntry, world: World): void {
		const before = entry.world;
		this.#entries.setWorld(entry, this.#entries.made(world));
		this.room.memory.allowAs(world, before);
		this.#entries.retire(before);
	}

	/** Takes a snapshot and keeps it among the newest of its owner. Throws `out_of_room`. */
	snapshot(entry: WorldEntry, label: string): Snapshot {
		this.room.require(entry, this.#maker);
		const snapshot = takeSnapshot(entry.world, label, this.#maker);
		this.#entries.made(snapshot.world);
		this.#keep(entry, [...entry.snapshots, snapshot]);
		return snapshot;
	}

	/** Goes back to the last snapshot with a label, exactly. Throws `snapshot_missing`. */
	restore(entry: WorldEntry, label: string): Snapshot {
		const snapshot = newestSnapshot(entry.snapshots, label);
		this.replace(entry, clone(snapshot.world));
		return snapshot;
	}

	/** Drops all snapshots with a label. Returns their number. Throws `snapshot_missing`. */
	deleteSnapshots(entry: WorldEntry, label: string): number {
		newestSnapshot(entry.snapshots, label);
		const snapshots = entry.snapshots.filter(({ view }) => view.label === label);
		this.#entries.change(entry, { snapshots: entry.snapshots.filter(({ view }) => view.label !== label) });
		this.#drop(snapshots);
		return snapshots.length;
	}

	/** Keeps the newest of these snapshots, of each owner. */
	#keep(entry: WorldEntry, snapshots: readonly Snapshot[]): void {
		const limit = this.#entries.savepoint?.witness.agent?.limits.snapshots ?? MAX_SNAPSHOTS;
		const over = [...Map.groupBy(snapshots, ({ owner }) => owner)].flatMap(([owner, own]) =>
			own.slice(0, Math.max(0, own.length - (owner === this.#maker ? limit : MAX_SNAPSHOTS))),
		);
		const dropped = new Set(over);
		this.#entries.change(entry, { snapshots: snapshots.filter((snapshot) => !dropped.has(snapshot)) });
		this.#drop(over);
	}

	/** Frees snapshots that were taken off a world, unless another still has them. */
	#drop(snapshots: readonly Snapshot[]): void {
		if (this.#isCopy || snapshots.length === 0) return;
		const worlds = this.room.reachable();
		for (const { world } of snapshots) if (!worlds.has(world)) this.#entries.retire(world);
	}

	/** Returns a copy of all worlds to try things on; nothing of it shows here until it is adopted. */
	copy(): Worlds {
		const copy = new Worlds(this.#entries.get(MAIN)!.world, undefined, this.room.memory, this.room.asker);
		copy.#isCopy = true;
		copy.taken = this.taken;
		copy.#entries.lines = this.#entries.lines;
		copy.#entries.replaceAll(this.#entries.all().map((entry) => new CopiedEntry(entry)));
		return copy;
	}

	/** Worlds of their own with a copy of `world` as a fork of that id and snapshots of `of`. They share nothing with these that a call can change. */
	aside(id: string, world: World, { of, maker }: AsideOptions): { worlds: Worlds; entry: WorldEntry } {
		const worlds = new Worlds(clone(world), undefined, new MemoryBudget(this.room.memory.budget));
		worlds.#isCopy = true;
		const origin = { parent: MAIN, tick: world.tick };
		const entry = holdWorld(id, clone(world), 0, origin, of?.snapshots, maker);
		worlds.add(entry);
		return { worlds, entry };
	}

	/** Takes over everything that a copy of these worlds has become. The copy must not be used afterwards. */
	adopt(copy: Worlds): void {
		const before = this.room.reachable();
		const next: WorldEntry[] = [];
		for (const entry of copy.#entries.all()) {
			if (!(entry instanceof CopiedEntry)) {
				next.push(entry);
				continue;
			}
			const { base, changed, own } = entry;
			if (changed !== null) base.world = changed;
			else if (own !== null) dispose(own);
			if (entry.playingChanged) base.playing = entry.playing;
			base.line = entry.line;
			base.speed = entry.speed;
			base.halted = entry.halted;
			base.origin = entry.origin;
			base.snapshots = entry.snapshots;
			next.push(base);
		}
		this.#entries.lines = copy.#entries.lines;
		this.#entries.replaceAll(next);
		const after = this.room.reachable();
		for (const world of before) if (!after.has(world)) dispose(world);
	}

	/** Drops a copy of these worlds. */
	discard(copy: Worlds): void {
		const worlds = this.room.reachable();
		for (const entry of copy.#entries.all()) {
			const world = entry instanceof CopiedEntry ? entry.own : entry.world;
			if (world !== null && !worlds.has(world)) dispose(world);
			for (const snapshot of entry.snapshots) if (!worlds.has(snapshot.world)) dispose(snapshot.world);
		}
	}

	/** Frees all worlds and snapshots. Nothing may be done with them afterwards. */
	dispose(): void {
		for (const world of this.room.reachable()) dispose(world);
	}
}
