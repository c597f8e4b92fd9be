/**
 * Worlds as they were before a person's newest writes, so that the newest is undone without re-running anything.
 * Owns: those clones. They count only while nothing else has changed the world since, no tick either.
 */

import { redo, undo } from '../../../shared/routes/journal.ts';
import type { CallHead } from '../../../shared/transport/journal-entry.ts';
import type { UndoTurn } from '../../api/host-journal.ts';
import { clone, dispose } from '../../sim/core/clone.ts';
import type { World } from '../../sim/core/world.ts';
import type { Worlds } from '../../store/worlds.ts';

/** Writes to one world that are kept. */
const MAX_KEPT = 16;

interface UndoableCall {
	readonly entry: number;
	readonly sender: string;
	readonly call: string;
	/** The world before the write; of one that was undone, after it. */
	readonly other: World;
}

/** The newest writes to one world, and those undone, the next one last. */
interface UndoLine {
	readonly done: UndoableCall[];
	readonly undone: UndoableCall[];
	/** The world that all of this is about, as its newest change left it. */
	world: World;
	version: number;
}

/** A world before a call. */
export interface WorldBefore {
	readonly id: string;
	readonly world: World;
}

export class WorldsBefore {
	readonly #lines = new Map<string, UndoLine>();
	readonly #worlds: Worlds;
	/** Call that the applied call undoes, or repeats; null for another call. */
	#taking: UndoableCall | null = null;

	constructor(worlds: Worlds) {
		this.#worlds = worlds;
	}

	/** Keeps a world for the time of a call; null if there is none to keep. `end` must be called with it. */
	begin(id: string): WorldBefore | null {
		this.#taking = null;
		const entry = this.#worlds.find(id);
		// The next tick of a world that plays ends what is kept.
		if (entry === undefined || entry.playing) return null;
		for (const id of this.#lines.keys()) if (this.#worlds.find(id) === undefined) this.forget(id);
		if (this.#current(id) === undefined) this.forget(id);
		return { id, world: clone(entry.world) };
	}

	/** The call came to an end; `head` is that of its entry, missing if it changed nothing. */
	end({ id, world }: WorldBefore, entry: number, head: CallHead | undefined): void {
		const now = this.#worlds.find(id)?.world;
		const isAlone = head?.worlds.length === 1 && head.worlds[0]!.id === id && head.gone === undefined;
		if (head === undefined || now === undefined || !isAlone) {
			dispose(world);
			// Whatever else it was: `#current` finds out whether it changed this world.
			return;
		}
		const line = this.#lines.get(id) ?? { done: [], undone: [], world: now, version: -1 };
		const isUndo = head.path.endsWith(undo.path);
		if (isUndo || head.path.endsWith(redo.path)) {
			const [from, to] = isUndo ? [line.done, line.undone] : [line.undone, line.done];
			const taken = this.#taking;
			if (taken === null || from.at(-1) !== taken) {
				// It took one that is not kept.
				dispose(world);
				this.forget(id);
				return;
			}
			from.pop();
			dispose(taken.other);
			to.push({ ...taken, other: world });
		} else {
			const call = `${head.method} ${head.path}`;
			line.done.push({ entry, sender: head.sender.name, call, other: world });
			for (const item of line.undone.splice(0)) dispose(item.other);
			if (line.done.length > MAX_KEPT) dispose(line.done.shift()!.other);
		}
		line.world = now;
		line.version = now.version;
		this.#lines.set(id, line);
	}

	/** Returns the write that a turn takes, and the world that it leads to; undefined if that is not known here. */
	find({ sender, world: id, redo: isRedo }: UndoTurn): UndoableCall | undefined {
		const line = this.#current(id);
		const newest = (isRedo ? line?.undone : line?.done)?.at(-1);
		if (newest?.sender !== sender) return undefined;
		this.#taking = newest;
		return newest;
	}

	/** Drops what is kept of a world. */
	forget(id: string): void {
		const line = this.#lines.get(id);
		if (line === undefined) return;
		for (const { other } of [...line.done, ...line.undone]) dispose(other);
		this.#lines.delete(id);
	}

	/** Returns the line of a world that nothing else has changed. */
	#current(id: string): UndoLine | undefined {
		const line = this.#lines.get(id);
		const world = this.#worlds.find(id)?.world;
		return line !== undefined && line.world === world && line.version === world.version ? line : undefined;
	}
}
