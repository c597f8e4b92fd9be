/**
 * Savepoint of the worlds of a host, which can be restored after a failed change.
 * Owns: the record of changes to undo. It contains only worlds that are handed out, or changed through `Worlds`, after it
 * was opened.
 */

import { dispose } from '../sim/core/clone.ts';
import { Undo } from '../sim/core/rollback.ts';
import type { World } from '../sim/core/world.ts';
import type { Witness } from './witness.ts';
import type { WorldEntry } from './world-entry.ts';

/** A savepoint. Either `release` or `rollBack` must be called. */
export class Savepoint {
	/** Entries that were handed out. */
	readonly entries = new Set<WorldEntry>();
	/** Worlds of these entries. Each of them records its changes. */
	readonly #recordingWorlds = new Set<World>();
	/** Functions that undo changes through `Worlds`, newest last. */
	readonly #undoChanges: (() => void)[] = [];
	/** Worlds to dispose of at `release`. */
	readonly #unusedWorlds: World[] = [];
	/** Worlds to dispose of at `rollBack`. */
	readonly #newWorlds = new Set<World>();
	readonly witness: Witness;
	readonly #onEnd: () => void;

	/** `onEnd`: called first by `release` and `rollBack`. */
	constructor(witness: Witness, onEnd: () => void) {
		this.witness = witness;
		this.#onEnd = onEnd;
	}

	/** Records an entry before a caller gets it, because the caller may write to its world. */
	handOut(entry: WorldEntry): void {
		if (!this.entries.has(entry)) this.witness.beforeWrite(entry);
		const { world } = entry;
		world.undo ??= new Undo(world);
		this.#recordingWorlds.add(world);
		this.entries.add(entry);
	}

	/** Records a change by the function that undoes it. */
	recordChange(undo: () => void): void {
		this.#undoChanges.push(undo);
	}

	/** Records a world that no entry has any more. */
	recordUnused(world: World): void {
		this.#unusedWorlds.push(world);
	}

	/** Records a new world. */
	recordNew(world: World): void {
		this.#newWorlds.add(world);
	}

	/** Ends the savepoint and keeps all changes. */
	release(): void {
		this.#onEnd();
		for (const world of this.#recordingWorlds) world.undo = null;
		for (const world of this.#unusedWorlds) dispose(world);
	}

	/** Ends the savepoint and undoes all changes. */
	rollBack(): void {
		this.#onEnd();
		for (const world of this.#recordingWorlds) {
			world.undo?.restore();
			world.undo = null;
		}
		for (const undo of this.#undoChanges.reverse()) undo();
		for (const world of this.#newWorlds) dispose(world);
	}
}
