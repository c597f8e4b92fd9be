/**
 * Marks of forks, so that each keeps its colour when the page is loaded again, or in another tab.
 * Owns: their place in the browser's storage.
 */

import { keep, type PageStorage, readKept } from '../state/kept.ts';
import type { MarkedFork } from './fork-list.ts';

const KEY = 'orrery-fork-marks';

export const storedMarks = (storage: PageStorage): readonly MarkedFork[] =>
	readKept<readonly MarkedFork[]>(storage, KEY) ?? [];

export const storeMarks = (storage: PageStorage, forks: readonly MarkedFork[]): void =>
	keep(
		storage,
		KEY,
		forks.map(({ id, mark }) => ({ id, mark })),
	);
