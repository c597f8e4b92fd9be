/**
 * Numbers of a person's changes to a world that can be undone or redone.
 * Owns: counting them in the lines of the journal, like POST /undo and POST /redo.
 */

import type { Entry } from './history-lines.ts';

export interface Turns {
	readonly done: number;
	readonly undone: number;
	/** True if no earlier lines have uncounted changes. */
	readonly whole: boolean;
}

/** Returns the numbers after further lines of the sender. */
export function turnsAfter(before: Turns, lines: readonly Entry[], world: string): Turns {
	let { done, undone, whole } = before;
	for (const { kind, method, path = '', worlds, deleted } of lines) {
		if (kind !== 'call') continue;
		const begins = method === 'POST' && /^\/(history\/)?fork(\?|$)/.test(path) && world !== 'main';
		if (deleted?.includes(world) || begins) {
			// An earlier world of the same name is not its past.
			[done, undone, whole] = [0, 0, true];
			continue;
		}
		if (!worlds.some((candidate) => candidate.world === world)) continue;
		const turn = /\/(undo|redo)(?:\?|$)/.exec(path)?.[1];
		const way = turn === undefined ? 0 : turn === 'undo' ? 1 : -1;
		done = Math.max(0, done + (way === 0 ? 1 : -way));
		undone = way === 0 ? 0 : Math.max(0, undone + way);
	}
	return { done, undone, whole };
}

/** Returns the reason why undo or redo is impossible; null if none is known. */
export function whyNot(turns: Turns | null, redo: boolean): string | null {
	if (turns === null) return null;
	const { done, undone, whole } = turns;
	// Without counted changes, earlier lines may have some.
	if (!whole && done + undone === 0) return null;
	if (redo) return undone === 0 ? 'Nothing to redo' : null;
	return done === 0 && whole ? 'Nothing to undo' : null;
}
