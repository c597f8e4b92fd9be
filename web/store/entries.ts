/**
 * Entries of the worlds of a host.
 * Owns: the record of changes during a savepoint, so that changes of entries and of their worlds can be undone.
 */

import { dispose } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';
import { Savepoint } from './savepoint.ts';
import type { Witness } from './witness.ts';
import type { WorldEntry } from './world-entry.ts';

export class WorldEntries {
	/** Number of lines that began or ended so far. */
	lines = 0;
	readonly #all = new Map<string, WorldEntry>();
	#savepoint: Savepoint | null = null;

	/** The open savepoint; null if there is none. */
	get savepoint(): Savepoint | null {
		return this.#savepoint;
	}

	get size(): number {
		return this.#all.size;
	}

	/** Returns the ids in the order in which they were added. */
	ids(): string[] {
		return [...this.#all.keys()];
	}

	/** Returns all entries, only for reading. */
	all(): WorldEntry[] {
		return [...this.#all.values()];
	}

	/** Returns an entry, only for reading. */
	get(id: string): WorldEntry | undefined {
		return this.#all.get(id);
	}

	/** Replaces all entries. This cannot be undone. */
	replaceAll(entries: Iterable<WorldEntry>): void {
		this.#all.clear();
		for (const entry of entries) this.#all.set(entry.id, entry);
	}

	/** Opens a savepoint. Until its end, all changes of these worlds can be undone. */
	openSavepoint(witness: Witness): Savepoint {
		if (this.#savepoint !== null) throw new Error('there is already a savepoint');
		this.#savepoint = new Savepoint(witness, () => {
			this.#savepoint = null;
		});
		return this.#savepoint;
	}

	/** Returns an entry for a caller that may write to its world. */
	handOut<E extends WorldEntry | undefined>(entry: E): E {
		if (entry !== undefined) this.#savepoint?.handOut(entry);
		return entry;
	}

	/** Adds an entry. */
	add(entry: WorldEntry): void {
		this.#all.set(entry.id, entry);
		this.#savepoint?.recordChange(() => this.#all.delete(entry.id));
	}

	/** Removes an entry. Its world is not disposed of. */
	remove(entry: WorldEntry): void {
		this.#all.delete(entry.id);
		this.#savepoint?.recordChange(() => this.#all.set(entry.id, entry));
	}

	/** Changes fields of an entry. */
	change(entry: WorldEntry, change: Partial<Pick<WorldEntry, 'origin' | 'snapshots'>>): void {
		const { origin, snapshots } = entry;
		Object.assign(entry, change);
		this.#savepoint?.recordChange(() => Object.assign(entry, { origin, snapshots }));
	}

	/** Replaces the world of an entry, and begins a new line. */
	setWorld(entry: WorldEntry, world: World): void {
		const previous = entry.world;
		entry.world = world;
		this.#savepoint?.recordChange(() => {
			entry.world = previous;
		});
		this.beginLine(entry);
	}

	/** Begins a new line, because the world of an entry was replaced. Removes the halt of the entry. */
	beginLine(entry: WorldEntry): void {
		const { line, halted } = entry;
		entry.line = { number: this.countLine(), tick: entry.world.tick };
		entry.halted = undefined;
		this.#savepoint?.recordChange(() => {
			entry.line = line;
			entry.halted = halted;
		});
	}

	/** Counts a line that begins or ends. Returns the number of the new line. */
	countLine(): number {
		const previous = this.lines;
		this.#savepoint?.recordChange(() => {
			this.lines = previous;
		});
		return ++this.lines;
	}

	/** Disposes of a world that no entry has any more. An open savepoint keeps the world until its end. */
	discardWorld(world: World): void {
		if (this.#savepoint === null) dispose(world);
		else this.#savepoint.recordUnused(world);
	}

	/** Records a new world, so that a rollback disposes of it. */
	trackWorld<W extends World>(world: W): W {
		this.#savepoint?.recordNew(world);
		return world;
	}
}
