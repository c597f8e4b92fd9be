/**
 * Forks that one page needs, such as one that shows a tick of the past. They are deleted when the page ends, or by the
 * next page.
 * Owns: their stored names, and a lock for each. The browser releases the lock when the page ends in any way.
 */

import { type PageStorage, readStored, storeValue } from '../state/kept.ts';
import type { WorldInfo } from './fork-list.ts';

const KEY = 'orrery-page-forks';

/** A fork by its name and its origin, because another fork can have the same name later. */
export type PageFork = Pick<WorldInfo, 'id' | 'parent' | 'parentTick'>;

const lockName = (id: string): string => `orrery-fork/${id}`;
const readForks = (storage: PageStorage): readonly PageFork[] =>
	readStored<readonly PageFork[]>(storage, KEY) ?? [];
export const isSamePageFork = (a: PageFork, b: PageFork): boolean =>
	a.id === b.id && a.parent === b.parent && a.parentTick === b.parentTick;

/**
 * Registers a fork of this page. Returns a function that unregisters it. Call the function after the
 * fork is deleted.
 */
export function registerPageFork(storage: PageStorage, fork: PageFork): () => void {
	const others = () => readForks(storage).filter(({ id }) => id !== fork.id);
	storeValue(storage, KEY, [...others(), fork]);
	let release = (): void => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	void navigator.locks?.request(lockName(fork.id), () => released);
	return () => {
		storeValue(storage, KEY, others());
		release();
	};
}

/** Removes the forks of ended pages from the store, and returns them. Returns none if the browser has no locks. */
export async function takeForksOfEndedPages(storage: PageStorage): Promise<readonly PageFork[]> {
	const { locks } = navigator;
	if (locks === undefined) return [];
	const ended: PageFork[] = [];
	for (const fork of readForks(storage))
		await locks.request(lockName(fork.id), { ifAvailable: true }, (lock) => {
			if (lock !== null) ended.push(fork);
		});
	if (ended.length > 0)
		storeValue(
			storage,
			KEY,
			readForks(storage).filter((fork) => !ended.some((pageFork) => isSamePageFork(pageFork, fork))),
		);
	return ended;
}
