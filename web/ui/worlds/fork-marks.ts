/**
 * Marks of forks, so that each keeps its colour when the page is loaded again, or in another tab.
 * Owns: their place in the browser's storage.
 */

import { type Kept, keep, readKept } from '../state/kept.ts';
import type { Marked } from './fork-list.ts';

const KEY = 'orrery-fork-marks';

export const storedMarks = (storage: Kept): readonly Marked[] =>
	readKept<readonly Marked[]>(storage, KEY) ?? [];

export const storeMarks = (storage: Kept, forks: readonly Marked[]): void =>
	keep(
		storage,
		KEY,
		forks.map(({ id, mark }) => ({ id, mark })),
	);
