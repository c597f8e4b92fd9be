/**
 * Number of a person's changes to a world that can be undone, and of those that can be re-run.
 * Owns: counting it along the lines of the journal, as POST /undo and POST /redo go along them.
 */

import type { Entry } from './history-lines.ts';

export interface Turns {
	readonly done: number;
	readonly undone: number;
	/** Nothing that was done is before the lines that were counted. */
	readonly whole: boolean;
}

/** Returns the same after more lines, which are those of the sender about the world. */
export function turnsAfter(before: Turns, lines: readonly Entry[], world: string): Turns {
	let { done, undone, whole } = before;
	for (const { kind, method, path = '', worlds, deleted } of lines) {
		if (kind !== 'call') continue;
		const begins = method === 'POST' && /^\/(history\/)?fork(\?|$)/.test(path) && world !== 'main';
		if (deleted?.includes(world) || begins) {
			// What a world of that name was before is not its past.
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

/** Returns the reason why a turn cannot be made; null if none is known. */
export function whyNot(turns: Turns | null, redo: boolean): string | null {
	if (turns === null) return null;
	const { done, undone, whole } = turns;
	// Where nothing of the sender's was counted, there may be something before.
	if (!whole && done + undone === 0) return null;
	if (redo) return undone === 0 ? 'Nothing to redo' : null;
	return done === 0 && whole ? 'Nothing to undo' : null;
}
