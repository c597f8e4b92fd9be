/**
 * State of the worlds of a host that can be restored during a change.
 * Owns: the record of changes to undo. It contains only worlds that are handed out, or changed through `Worlds`, after it
 * was opened.
 */

import { dispose } from '../sim/core/clone.ts';
import { Undo } from '../sim/core/rollback.ts';
import type { World } from '../sim/core/world.ts';
import type { Witness } from './witness.ts';
import type { WorldEntry } from './world-entry.ts';

/** A savepoint. Either `release` or `goBack` must be called. */
export class Savepoint {
	/** Entries that were handed out. */
	readonly handedOut = new Set<WorldEntry>();
	/** Worlds of these entries. Each of them records its changes. */
	readonly #recordingWorlds = new Set<World>();
	/** Functions that undo changes through `Worlds`, newest last. */
	readonly #undo: (() => void)[] = [];
	/** Worlds to dispose of at `release`. */
	readonly #retiredWorlds: World[] = [];
	/** Worlds to dispose of at `goBack`. */
	readonly #newWorlds = new Set<World>();
	readonly witness: Witness;
	readonly #end: () => void;

	/** `end`: called first by `release` and `goBack`. */
	constructor(witness: Witness, end: () => void) {
		this.witness = witness;
		this.#end = end;
	}

	/** Records an entry before a caller gets it, because the caller may write to its world. */
	handOut(entry: WorldEntry): void {
		if (!this.handedOut.has(entry)) this.witness.seen(entry);
		const { world } = entry;
		world.undo ??= new Undo(world);
		this.#recordingWorlds.add(world);
		this.handedOut.add(entry);
	}

	/** Records a change by the function that undoes it. */
	changed(undo: () => void): void {
		this.#undo.push(undo);
	}

	/** Records a world that no entry has any more. */
	retired(world: World): void {
		this.#retiredWorlds.push(world);
	}

	/** Records a new world. */
	made(world: World): void {
		this.#newWorlds.add(world);
	}

	/** Ends the savepoint and keeps all changes. */
	release(): void {
		this.#end();
		for (const world of this.#recordingWorlds) world.undo = null;
		for (const world of this.#retiredWorlds) dispose(world);
	}

	/** Ends the savepoint and undoes all changes. */
	goBack(): void {
		this.#end();
		for (const world of this.#recordingWorlds) {
			world.undo?.restore();
			world.undo = null;
		}
		for (const undo of this.#undo.reverse()) undo();
		for (const world of this.#newWorlds) dispose(world);
	}
}
