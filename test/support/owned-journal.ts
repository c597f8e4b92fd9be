/** A journal with an acquired lease, so that tests need not pass the epoch. */

import type { Journal, JournalEntry, Pieces } from '../../shared/transport/journal.ts';

/** A journal whose methods do not take the epoch. */
export type Owned<J extends Journal> = Omit<J, 'append' | 'keepState'> & {
	append(at: number, entries: readonly JournalEntry[]): Promise<void>;
	keepState(at: number, pieces: Pieces, blobs: readonly string[]): Promise<void>;
};

/** Acquires the lease of a journal. Returns the journal with the epoch bound. */
export async function acquireJournal<J extends Journal>(opened: J | Promise<J>): Promise<Owned<J>> {
	const journal = await opened;
	const epoch = await journal.acquire();
	return new Proxy(journal, {
		get(target, name) {
			if (name === 'append')
				return (...args: [number, readonly JournalEntry[]]) => target.append(epoch, ...args);
			if (name === 'keepState')
				return (...args: [number, Pieces, readonly string[]]) => target.keepState(epoch, ...args);
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	}) as unknown as Owned<J>;
}
