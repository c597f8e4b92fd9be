/**
 * Actions of this page on each world, in words, so that undo can name it.
 * Owns: the words of the newest calls, in the order in which undo takes them back. A call of another page of the same
 * person is not known here: it is named by its method and path.
 */

import { type ReadonlySignal, signal } from '@preact/signals';

/** Words that are kept for each world. */
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
	did(world: string, call: string, words: string): void;
	/** A call was undone, or redone: its words, or null if they are not known. */
	turned(world: string, call: string, redo: boolean): string | null;
	/** Next call for undo, or redo. */
	next(world: string, redo: boolean): string | null;
	/** Changes whenever the answers above do. */
	readonly version: ReadonlySignal<number>;
}

export function createDoings(): Doings {
	const pasts = new Map<string, UndoStacks>();
	const version = signal(0);
	const of = (world: string): UndoStacks => pasts.get(world) ?? NONE;
	const set = (world: string, past: UndoStacks) => {
		pasts.set(world, past);
		version.value++;
	};
	return {
		version,
		did(world, call, words) {
			set(world, { done: [...of(world).done, { call, words }].slice(-MAX_KEPT), undone: [] });
		},
		turned(world, call, redo) {
			const { done, undone } = of(world);
			const [from, to] = redo ? [undone, done] : [done, undone];
			// What came after it and was not taken is no change of the world, such as a reading.
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
