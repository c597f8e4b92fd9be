/**
 * A point to which the worlds of a host can go back while something is done to them.
 * Owns: what has to be undone. It remembers only worlds that are handed out, or changed through `Worlds`, from then on.
 */

import { dispose } from '../sim/core/clone.ts';
import { Undo } from '../sim/core/rollback.ts';
import type { World } from '../sim/core/world.ts';
import type { Witness } from './witness.ts';
import type { WorldEntry } from './world-entry.ts';

/** One of `release` and `goBack` must be called. */
export class Savepoint {
	/** Entries that were handed out. */
	readonly handedOut = new Set<WorldEntry>();
	/** Their worlds, each of which remembers what it was. */
	readonly #remembering = new Set<World>();
	/** Undoes what was changed through `Worlds`, newest last. */
	readonly #undo: (() => void)[] = [];
	/** Worlds to be freed on release. */
	readonly #retired: World[] = [];
	/** Worlds to be freed when everything goes back. */
	readonly #newWorlds = new Set<World>();
	readonly witness: Witness;
	readonly #end: () => void;

	/** `end`: called first by `release` and `goBack`. */
	constructor(witness: Witness, end: () => void) {
		this.witness = witness;
		this.#end = end;
	}

	/** An entry is handed to a caller that may write to its world. */
	handOut(entry: WorldEntry): void {
		if (!this.handedOut.has(entry)) this.witness.seen(entry);
		const { world } = entry;
		world.undo ??= new Undo(world);
		this.#remembering.add(world);
		this.handedOut.add(entry);
	}

	/** `back` undoes a change. */
	changed(undo: () => void): void {
		this.#undo.push(undo);
	}

	/** No entry has this world any more. */
	retired(world: World): void {
		this.#retired.push(world);
	}

	/** A world is new. */
	made(world: World): void {
		this.#newWorlds.add(world);
	}

	/** Everything that was done stays. */
	release(): void {
		this.#end();
		for (const world of this.#remembering) world.undo = null;
		for (const world of this.#retired) dispose(world);
	}

	/** Everything is as it was. */
	goBack(): void {
		this.#end();
		for (const world of this.#remembering) {
			world.undo?.restore();
			world.undo = null;
		}
		for (const undo of this.#undo.reverse()) undo();
		for (const world of this.#newWorlds) dispose(world);
	}
}
