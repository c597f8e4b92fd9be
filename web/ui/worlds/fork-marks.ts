/**
 * Marks of forks, so that each keeps its colour when the page is loaded again.
 * Owns: their place in the tab's storage.
 */

import type { Marked } from './fork-list.ts';

const KEY = 'orrery-fork-marks';

/** Stored marks; none if the browser blocks storage. */
export function storedMarks(): readonly Marked[] {
	try {
		return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
	} catch {
		return [];
	}
}

export function storeMarks(forks: readonly Marked[]): void {
	try {
		sessionStorage.setItem(KEY, JSON.stringify(forks.map(({ id, mark }) => ({ id, mark }))));
	} catch {
		// A reload gives the colours out again.
	}
}
