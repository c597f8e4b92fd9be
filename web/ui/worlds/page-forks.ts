/**
 * Forks that belong to a page, such as the one that shows a tick of the past: they end with it.
 * Owns: their names, which the browser keeps, and a lock for each, which it releases when the page ends, however it ends.
 */

import { type PageStorage, readStored, storeValue } from '../state/kept.ts';
import type { WorldInfo } from './fork-list.ts';

const KEY = 'orrery-page-forks';

/** A fork by its name and its origin: another fork may have the name later. */
export type PageFork = Pick<WorldInfo, 'id' | 'parent' | 'parentTick'>;

const lockOf = (id: string): string => `orrery-fork/${id}`;
const listed = (storage: PageStorage): readonly PageFork[] =>
	readStored<readonly PageFork[]>(storage, KEY) ?? [];
export const isSamePageFork = (a: PageFork, b: PageFork): boolean =>
	a.id === b.id && a.parent === b.parent && a.parentTick === b.parentTick;

/** Holds a fork for this page. Returns a function that ends this, to be called once the fork is deleted. */
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

/** Forks whose page has ended. They are not kept any longer. */
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
