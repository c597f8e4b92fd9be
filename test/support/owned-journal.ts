/** A journal whose lease a test holds, so that what it appends and keeps needs no epoch. */

import type { Journal, JournalEntry, Pieces } from '../../shared/transport/journal.ts';

/** A journal with the epoch of its owner left out. */
export type Owned<J extends Journal> = Omit<J, 'append' | 'keepState'> & {
	append(at: number, entries: readonly JournalEntry[]): Promise<void>;
	keepState(at: number, pieces: Pieces, blobs: readonly string[]): Promise<void>;
};

/** Acquires the lease. Everything else the journal does itself. */
export async function acquireJournal<J extends Journal>(opened: J | Promise<J>): Promise<Owned<J>> {
	const journal = await opened;
	const epoch = await journal.acquire();
	return new Proxy(journal, {
		get(target, name) {
			if (name === 'append')
				return (...given: [number, readonly JournalEntry[]]) => target.append(epoch, ...given);
			if (name === 'keepState')
				return (...given: [number, Pieces, readonly string[]]) => target.keepState(epoch, ...given);
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	}) as unknown as Owned<J>;
}
