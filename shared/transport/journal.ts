/**
 * A journal: every change in order, and whole states of the worlds between them. A world can be rebuilt from it.
 * Owns: the promises of every journal. Its bytes may be on another machine, and several engines may try to write.
 * Never: reads the content of an entry. `journal-entry.ts` defines it.
 */

/** Extent of a journal. */
export interface JournalExtent {
	/** Sequence number of the oldest entry that is kept. */
	readonly first: number;
	/** Sequence number of the next entry. It is 0 for a journal without entries. */
	readonly next: number;
	/** The newest lease. The epoch is 0 before the first lease. `isTaken`: its owner has not released it. */
	readonly lease: { readonly epoch: number; readonly isTaken: boolean };
	/** Positions of the states, ascending: for each, the sequence number of the first entry that the state does not contain. */
	readonly states: readonly number[];
	/** Size in bytes. */
	readonly bytes: number;
	/** Size in bytes at which old entries are removed; undefined if there is no limit. */
	readonly most?: number;
}

/** Bytes of an entry, and the SHA-256 of the blobs that it names. */
export interface JournalEntry {
	readonly bytes: Uint8Array;
	readonly blobs: readonly string[];
}

/** Bytes in consecutive pieces. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Access of one owner to a journal. Every method rejects with a `JournalError`. Several calls may run at the same time;
 * they take effect in the order of the calls.
 */
export interface Journal {
	/** True if the journal outlives its process. */
	readonly durable: boolean;
	/**
	 * True if the relay waits for entries, so that an engine behind the relay need not wait too. The relay passes on an
	 * answer with `ENTRY_HEADER` when the journal has that entry. It answers 503 `not_kept` if the entry cannot be stored.
	 */
	readonly relayWaits?: boolean;
	/** Reports to the relay that entries from `from` on are not stored yet, although no append has failed. */
	readonly lacks?: (from: number, why: JournalError) => void;
	extent(): Promise<JournalExtent>;
	/** Acquires the lease and returns its epoch. From then on every earlier owner is fenced: its writes are refused. */
	acquire(): Promise<number>;
	/**
	 * Appends entries: all of them or none. `at` is the sequence number of the first. Entries that the journal already
	 * has are skipped: the owner sends them again after a lost answer. Resolves when all entries outlive the end of
	 * every process. Rejects with `fenced` for an old epoch, and with `failed` if the journal has fewer entries than
	 * `at`.
	 */
	append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void>;
	/** Releases the lease when its owner will not come back. An old epoch changes nothing. */
	release(epoch: number): Promise<void>;
	/**
	 * Returns entries from `from` on, as many as fit in `maxBytes`, but at least one. At the end it returns none.
	 * Rejects with `cut` for an entry that is no longer kept.
	 */
	read(from: number, maxBytes: number): Promise<readonly JournalEntry[]>;
	/**
	 * Keeps the state after all entries before `at`. Its bytes come in consecutive pieces. Then the journal removes the oldest
	 * entries and states beyond the size limit. Rejects with `fenced` for an old epoch.
	 */
	keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void>;
	/** Returns the newest state at or before `at`; without `at`, the newest of all; null for none. */
	state(at?: number): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null>;
	/**
	 * Keeps the bytes of a file or an asset by their SHA-256 in lowercase hex. They stay while an entry or a state names
	 * them. The owner stores bytes just before it names them. Before it names them later, it stores them again, unless
	 * the newest state names them.
	 */
	keepBlob(hash: string, bytes: Uint8Array): Promise<void>;
	/** Returns the kept bytes; null if there are none. */
	blob(hash: string): Promise<Uint8Array | null>;
	/** Closes the journal for this owner, after all earlier calls. */
	close(): Promise<void>;
}

/**
 * Kind of failure. `fenced`: another owner has acquired the lease. `cut`: the entry is no longer kept. `damaged`: the
 * bytes differ from what was written. `locked`: another process writes to the journal. `full`: there is no room.
 * `failed`: any other error of the system.
 */
export type JournalFault = 'fenced' | 'cut' | 'damaged' | 'locked' | 'full' | 'failed';

/** Failure of a journal. The message is a sentence. */
export class JournalError extends Error {
	readonly fault: JournalFault;

	constructor(fault: JournalFault, message: string) {
		super(message);
		this.fault = fault;
	}
}

/** Returns the error for an owner whose lease is over. */
export const fencedError = (): JournalError =>
	new JournalError('fenced', 'Another engine has acquired the world and continues it.');

/** Returns the error for a request of an entry that was removed. */
export const cutError = (at: number, first: number): JournalError =>
	new JournalError('cut', `Entry ${at} is no longer stored. The oldest stored entry is ${first}.`);

/** Throws a `JournalError` unless a journal can store a state before entry `at`. */
export function requireStateAt(at: number, first: number, next: number): void {
	if (at < first) throw cutError(at, first);
	if (!Number.isSafeInteger(at) || at > next)
		throw new JournalError(
			'failed',
			`A state before entry ${at} cannot be stored: the next entry is ${next}.`,
		);
}

/** Returns the error for entries that do not follow the last one. */
export const missingEntriesError = (at: number, next: number): JournalError =>
	new JournalError(
		'failed',
		`The journal has ${next} entries, but ${at} were written: some of its files were removed, or replaced with older ones.`,
	);

/**
 * Returns the entries of an append that the journal does not have yet. Throws a `JournalError` if entries before them
 * are missing.
 */
export function newEntries<E>(at: number, next: number, entries: readonly E[]): readonly E[] {
	if (at > next) throw missingEntriesError(at, next);
	return entries.slice(next - at);
}
