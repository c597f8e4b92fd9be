/**
 * The entries of the worlds of a host.
 * Owns: that each change of them, and of worlds that are handed out, can be undone while there is a savepoint.
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

	/** The savepoint to which everything can go back; null: there is none. */
	get savepoint(): Savepoint | null {
		return this.#open;
	}

	get size(): number {
		return this.#all.size;
	}

	/** Returns the ids in the order in which they came. */
	ids(): string[] {
		return [...this.#all.keys()];
	}

	/** Returns all entries, to be read. */
	all(): WorldEntry[] {
		return [...this.#all.values()];
	}

	/** Returns an entry, to be read. */
	get(id: string): WorldEntry | undefined {
		return this.#all.get(id);
	}

	/** Puts other entries in place of all. This cannot be undone. */
	replaceAll(entries: Iterable<WorldEntry>): void {
		this.#all.clear();
		for (const entry of entries) this.#all.set(entry.id, entry);
	}

	/** From now until its end everything that is done to these worlds can be undone. */
	openSavepoint(witness: Witness): Savepoint {
		if (this.#open !== null) throw new Error('there is already a savepoint');
		this.#open = new Savepoint(witness, () => {
			this.#open = null;
		});
		return this.#open;
	}

	/** Hands an entry to a caller that may write to its world. */
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

	/** The world of an entry became another: it does not follow from its ticks. Its halt is forgotten. */
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

	/** Frees a world that nothing shows any more, once that is for good. */
	retire(world: World): void {
		if (this.#open === null) dispose(world);
		else this.#open.retired(world);
	}

	/** Remembers a world that is new here. */
	made<W extends World>(world: W): W {
		this.#open?.made(world);
		return world;
	}
}
