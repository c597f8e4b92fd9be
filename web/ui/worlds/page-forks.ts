/**
 * Forks that belong to a page and end with it, such as one that shows a tick of the past.
 * Owns: their stored names, and a lock for each. The browser releases the lock when the page ends in any way.
 */

import { type PageStorage, readStored, storeValue } from '../state/kept.ts';
import type { WorldInfo } from './fork-list.ts';

const KEY = 'orrery-page-forks';

/** A fork by its name and its origin, because another fork can have the same name later. */
export type PageFork = Pick<WorldInfo, 'id' | 'parent' | 'parentTick'>;

const lockOf = (id: string): string => `orrery-fork/${id}`;
const listed = (storage: PageStorage): readonly PageFork[] =>
	readStored<readonly PageFork[]>(storage, KEY) ?? [];
export const isSamePageFork = (a: PageFork, b: PageFork): boolean =>
	a.id === b.id && a.parent === b.parent && a.parentTick === b.parentTick;

/** Registers a fork of this page. Returns a function that ends this, for use after the fork is deleted. */
export function holdFork(storage: PageStorage, fork: PageFork): () => void {
	const others = () => listed(storage).filter(({ id }) => id !== fork.id);
	storeValue(storage, KEY, [...others(), fork]);
	let release = (): void => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	void navigator.locks?.request(lockOf(fork.id), () => held);
	return () => {
		storeValue(storage, KEY, others());
		release();
	};
}

/** Returns the forks of ended pages, and removes them from the store. */
export async function forksOfEndedPages(storage: PageStorage): Promise<readonly PageFork[]> {
	const { locks } = navigator;
	if (locks === undefined) return [];
	const ended: PageFork[] = [];
	for (const fork of listed(storage))
		await locks.request(lockOf(fork.id), { ifAvailable: true }, (lock) => {
			if (lock !== null) ended.push(fork);
		});
	if (ended.length > 0)
		storeValue(
			storage,
			KEY,
			listed(storage).filter((fork) => !ended.some((pageFork) => isSamePageFork(pageFork, fork))),
		);
	return ended;
}
