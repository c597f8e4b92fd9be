/**
 * Stored marks of forks, so that each keeps its colour after a reload and in other tabs.
 * Owns: their key in the browser's storage.
 */

import { type PageStorage, readStored, storeValue } from '../state/kept.ts';
import type { MarkedFork } from './fork-list.ts';

const KEY = 'orrery-fork-marks';

export const storedMarks = (storage: PageStorage): readonly MarkedFork[] =>
	readStored<readonly MarkedFork[]>(storage, KEY) ?? [];

export const storeMarks = (storage: PageStorage, forks: readonly MarkedFork[]): void =>
	storeValue(
		storage,
		KEY,
		forks.map(({ id, mark }) => ({ id, mark })),
	);
