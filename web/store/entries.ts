/**
 * The entries of the worlds of a host.
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
	#open: Savepoint | null = null;

	/** The open savepoint; null if there is none. */
	get savepoint(): Savepoint | null {
		return this.#open;
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
		if (this.#open !== null) throw new Error('there is already a savepoint');
		this.#open = new Savepoint(witness, () => {
			this.#open = null;
		});
		return this.#open;
	}

	/** Returns an entry for a caller that may write to its world. */
	handOut<E extends WorldEntry | undefined>(entry: E): E {
		if (entry !== undefined) this.#open?.handOut(entry);
		return entry;
	}

	put(entry: WorldEntry): void {
		this.#all.set(entry.id, entry);
		this.#open?.changed(() => this.#all.delete(entry.id));
	}

	take(entry: WorldEntry): void {
		this.#all.delete(entry.id);
		this.#open?.changed(() => this.#all.set(entry.id, entry));
	}

	change(entry: WorldEntry, change: Partial<Pick<WorldEntry, 'origin' | 'snapshots'>>): void {
		const { origin, snapshots } = entry;
		Object.assign(entry, change);
		this.#open?.changed(() => Object.assign(entry, { origin, snapshots }));
	}

	/** Gives an entry another world, which begins a line. */
	setWorld(entry: WorldEntry, world: World): void {
		const before = entry.world;
		entry.world = world;
		this.#open?.changed(() => {
			entry.world = before;
		});
		this.beginLine(entry);
	}

	/** Begins a new line, because the world of an entry was replaced. Removes its halt. */
	beginLine(entry: WorldEntry): void {
		const { line, halted } = entry;
		entry.line = { number: this.nextLine(), tick: entry.world.tick };
		entry.halted = undefined;
		this.#open?.changed(() => {
			entry.line = line;
			entry.halted = halted;
		});
	}

	/** Counts a line that begins or ends. */
	nextLine(): number {
		const before = this.lines;
		this.#open?.changed(() => {
			this.lines = before;
		});
		return ++this.lines;
	}

	/** Disposes of a world without an entry, at the end of the savepoint if there is one. */
	retire(world: World): void {
		if (this.#open === null) dispose(world);
		else this.#open.retired(world);
	}

	/** Records a new world, which a rollback disposes of. */
	made<W extends World>(world: W): W {
		this.#open?.made(world);
		return world;
	}
}
