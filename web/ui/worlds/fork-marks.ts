/**
 * Marks of forks, so that each keeps its colour when the page is loaded again, or in another tab.
 * Owns: their place in the browser's storage.
 */

import { type Kept, keep, readKept } from '../state/kept.ts';
import type { Marked } from './fork-list.ts';

const KEY = 'orrery-fork-marks';

export const storedMarks = (kept: Kept): readonly Marked[] => readKept<readonly Marked[]>(kept, KEY) ?? [];

export const storeMarks = (kept: Kept, forks: readonly Marked[]): void =>
	keep(
		kept,
		KEY,
		forks.map(({ id, mark }) => ({ id, mark })),
	);
