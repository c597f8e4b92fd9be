/**
 * Copies of worlds from before a person's newest writes. They make undo possible without a replay.
 * Owns: those copies. A copy is valid only until any other change, including a tick.
 */

import { redo, undo } from '../../../shared/routes/journal.ts';
import type { CallHead } from '../../../shared/transport/journal-entry.ts';
import type { UndoTurn } from '../../api/host-journal.ts';
import { clone, dispose } from '../../sim/core/clone.ts';
import type { World } from '../../sim/core/world.ts';
import type { Worlds } from '../../store/worlds.ts';

/** Maximum number of writes kept per world. */
const MAX_KEPT = 16;

interface UndoableCall {
	readonly entry: number;
	readonly sender: string;
	readonly call: string;
	/** World before the write; for an undone write, the world after it. */
	readonly counterpart: World;
}

/** Writes of one world, and undone ones. The next to take is last. */
interface UndoLine {
	readonly done: UndoableCall[];
	readonly undone: UndoableCall[];
	/** The world after its newest change. */
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
	/** Write that the current call undoes or redoes; null for another call. */
	#pending: UndoableCall | null = null;

	constructor(worlds: Worlds) {
		this.#worlds = worlds;
	}

	/** Copies a world for the time of a call. Returns null if there is none to keep. `end` must be called with the result. */
	begin(id: string): WorldBefore | null {
		this.#pending = null;
		const entry = this.#worlds.find(id);
		// A playing world changes on its next tick, so nothing is kept.
		if (entry === undefined || entry.playing) return null;
		for (const id of this.#lines.keys()) if (this.#worlds.find(id) === undefined) this.forget(id);
		if (this.#current(id) === undefined) this.forget(id);
		return { id, world: clone(entry.world) };
	}

	/** Ends a call. `head`: of its entry; undefined if it changed nothing. */
	end({ id, world }: WorldBefore, entry: number, head: CallHead | undefined): void {
		const now = this.#worlds.find(id)?.world;
		const isAlone = head?.worlds.length === 1 && head.worlds[0]!.id === id && head.gone === undefined;
		if (head === undefined || now === undefined || !isAlone) {
			dispose(world);
			// `#current` detects whether another call changed this world.
			return;
		}
		const line = this.#lines.get(id) ?? { done: [], undone: [], world: now, version: -1 };
		const isUndo = head.path.endsWith(undo.path);
		if (isUndo || head.path.endsWith(redo.path)) {
			const [from, to] = isUndo ? [line.done, line.undone] : [line.undone, line.done];
			const taken = this.#pending;
			if (taken === null || from.at(-1) !== taken) {
				// It undid a write that is not kept.
				dispose(world);
				this.forget(id);
				return;
			}
			from.pop();
			dispose(taken.counterpart);
			to.push({ ...taken, counterpart: world });
		} else {
			const call = `${head.method} ${head.path}`;
			line.done.push({ entry, sender: head.sender.name, call, counterpart: world });
			for (const item of line.undone.splice(0)) dispose(item.counterpart);
			if (line.done.length > MAX_KEPT) dispose(line.done.shift()!.counterpart);
		}
		line.world = now;
		line.version = now.version;
		this.#lines.set(id, line);
	}

	/** Returns the write that a turn undoes or redoes, and notes it for `end`; undefined if unknown here. */
	take({ sender, world: id, redo: isRedo }: UndoTurn): UndoableCall | undefined {
		const line = this.#current(id);
		const newest = (isRedo ? line?.undone : line?.done)?.at(-1);
		if (newest?.sender !== sender) return undefined;
		this.#pending = newest;
		return newest;
	}

	/** Drops the copies of a world. */
	forget(id: string): void {
		const line = this.#lines.get(id);
		if (line === undefined) return;
		for (const { counterpart } of [...line.done, ...line.undone]) dispose(counterpart);
		this.#lines.delete(id);
	}

	/** Returns the writes of a world, if no other call has changed it. */
	#current(id: string): UndoLine | undefined {
		const line = this.#lines.get(id);
		const world = this.#worlds.find(id)?.world;
		return line !== undefined && line.world === world && line.version === world.version ? line : undefined;
	}
}
