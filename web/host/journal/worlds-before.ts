/**
 * Copies of worlds from before a person's newest writes. They make undo possible without a replay.
 * Owns: the copies. A copy is valid until any other change, including a tick.
 */

import { redo, undo } from '../../../shared/routes/journal.ts';
import type { CallHead } from '../../../shared/transport/journal-entry.ts';
import type { UndoRequest } from '../../api/host-journal.ts';
import { clone, dispose } from '../../sim/core/clone.ts';
import type { World } from '../../sim/core/world.ts';
import type { Worlds } from '../../store/worlds.ts';

/** Maximum number of writes per world whose copies are kept. */
const MAX_WRITES = 16;

interface UndoableCall {
	readonly entry: number;
	readonly sender: string;
	readonly call: string;
	/** World before the write; for an undone write, the world after it. */
	readonly counterpart: World;
}

/** Writes of one world, and undone writes. The last one is next. */
interface WriteHistory {
	readonly undoable: UndoableCall[];
	readonly redoable: UndoableCall[];
	/** The world after its newest change. */
	world: World;
	version: number;
}

/** Copy of a world from before a call. */
export interface UndoCopy {
	readonly id: string;
	readonly world: World;
}

export class UndoCopies {
	readonly #histories = new Map<string, WriteHistory>();
	readonly #worlds: Worlds;
	/** Write that the current call undoes or redoes; null for another call. */
	#pending: UndoableCall | null = null;

	constructor(worlds: Worlds) {
		this.#worlds = worlds;
	}

	/** Copies a world before a call. Returns null if no copy is kept; otherwise `end` must be called with the result. */
	begin(id: string): UndoCopy | null {
		this.#pending = null;
		const entry = this.#worlds.find(id);
		// A playing world changes on its next tick, so nothing is kept.
		if (entry === undefined || entry.playing) return null;
		for (const id of this.#histories.keys()) if (this.#worlds.find(id) === undefined) this.drop(id);
		if (this.#validHistory(id) === undefined) this.drop(id);
		return { id, world: clone(entry.world) };
	}

	/** Ends a call. `head`: head of the call's entry; undefined if the call changed nothing. */
	end({ id, world }: UndoCopy, entry: number, head: CallHead | undefined): void {
		const currentWorld = this.#worlds.find(id)?.world;
		const changedOnlyThis = head?.worlds.length === 1 && head.worlds[0]!.id === id && head.gone === undefined;
		if (head === undefined || currentWorld === undefined || !changedOnlyThis) {
			dispose(world);
			// `#validHistory` detects whether another call changed this world.
			return;
		}
		const history = this.#histories.get(id) ?? {
			undoable: [],
			redoable: [],
			world: currentWorld,
			version: -1,
		};
		const isUndo = head.path.endsWith(undo.path);
		if (isUndo || head.path.endsWith(redo.path)) {
			const [from, to] = isUndo ? [history.undoable, history.redoable] : [history.redoable, history.undoable];
			const pending = this.#pending;
			if (pending === null || from.at(-1) !== pending) {
				// The call undid a write whose copy is not kept.
				dispose(world);
				this.drop(id);
				return;
			}
			from.pop();
			dispose(pending.counterpart);
			to.push({ ...pending, counterpart: world });
		} else {
			const call = `${head.method} ${head.path}`;
			history.undoable.push({ entry, sender: head.sender.name, call, counterpart: world });
			for (const write of history.redoable.splice(0)) dispose(write.counterpart);
			if (history.undoable.length > MAX_WRITES) dispose(history.undoable.shift()!.counterpart);
		}
		history.world = currentWorld;
		history.version = currentWorld.version;
		this.#histories.set(id, history);
	}

	/** Returns the write that a request undoes or redoes, and remembers it for `end`; undefined if it has no copy. */
	take({ sender, world: id, redo: isRedo }: UndoRequest): UndoableCall | undefined {
		const history = this.#validHistory(id);
		const newest = (isRedo ? history?.redoable : history?.undoable)?.at(-1);
		if (newest?.sender !== sender) return undefined;
		this.#pending = newest;
		return newest;
	}

	/** Drops the copies of a world. */
	drop(id: string): void {
		const history = this.#histories.get(id);
		if (history === undefined) return;
		for (const { counterpart } of [...history.undoable, ...history.redoable]) dispose(counterpart);
		this.#histories.delete(id);
	}

	/** Returns the writes of a world, if no other call has changed it. */
	#validHistory(id: string): WriteHistory | undefined {
		const line = this.#histories.get(id);
		const world = this.#worlds.find(id)?.world;
		return line !== undefined && line.world === world && line.version === world.version ? line : undefined;
	}
}
