/**
 * Descriptions of this page's calls in each world, so that undo can name them.
 * Owns: the descriptions of the newest calls, as stacks for undo and redo. A call of another page of the same person is
 * not in them; it is named by its method and path.
 */

import { type ReadonlySignal, signal } from '@preact/signals';

/** Maximum number of kept descriptions for each world. */
const MAX_KEPT = 200;

interface DoneCall {
	/** Method and path, as the answer of undo names it. */
	readonly call: string;
	readonly words: string;
}

interface UndoStacks {
	readonly done: readonly DoneCall[];
	readonly undone: readonly DoneCall[];
}

const NONE: UndoStacks = { done: [], undone: [] };

export interface Doings {
	/** Records a call that succeeded. */
	record(world: string, call: string, words: string): void;
	/** Records that a call was undone or redone. Returns its words, or null if they are not known. */
	recordTurn(world: string, call: string, redo: boolean): string | null;
	/** Returns the words of the next call for undo or redo, or null. */
	next(world: string, redo: boolean): string | null;
	/** Changes with each record. */
	readonly version: ReadonlySignal<number>;
}

export function createDoings(): Doings {
	const stacks = new Map<string, UndoStacks>();
	const version = signal(0);
	const of = (world: string): UndoStacks => stacks.get(world) ?? NONE;
	const set = (world: string, past: UndoStacks) => {
		stacks.set(world, past);
		version.value++;
	};
	return {
		version,
		record(world, call, words) {
			set(world, { done: [...of(world).done, { call, words }].slice(-MAX_KEPT), undone: [] });
		},
		recordTurn(world, call, redo) {
			const { done, undone } = of(world);
			const [from, to] = redo ? [undone, done] : [done, undone];
			// Later calls that undo skipped did not change the world. They are dropped.
			const at = from.findLastIndex((doing) => doing.call === call);
			const last = from[at];
			if (last === undefined) return null;
			const [remaining, more] = [from.slice(0, at), [...to, last]];
			set(world, redo ? { done: more, undone: remaining } : { done: remaining, undone: more });
			return last.words;
		},
		next: (world, redo) => of(world)[redo ? 'undone' : 'done'].at(-1)?.words ?? null,
	};
}
