/**
 * A journal: what was applied, in order, and whole states of the worlds in between, so that a world can be rebuilt.
 * Owns: what every journal promises, wherever its bytes are. It may be on another machine, and several may try to
 * write to it.
 * Never: looks into an entry; `web/host/journal` says what is in one.
 */

/** Extent of a journal. */
export interface JournalExtent {
	/** Sequence number of the oldest entry that is kept. */
	readonly first: number;
	/** Sequence number that the next entry gets. 0 for a journal without entries. */
	readonly next: number;
	/** The newest lease: 0 before the first. `isTaken`: its owner has not released it. */
	readonly lease: { readonly epoch: number; readonly isTaken: boolean };
	/** Places of states, ascending: `at` is that of the first entry that a state does not contain. */
	readonly states: readonly number[];
	/** Size in bytes. */
	readonly bytes: number;
	/** Bytes that it may take before it is cut; undefined if it has no such limit. */
	readonly most?: number;
}

/** Appended bytes, and the SHA-256 of the blobs that they name. */
export interface JournalEntry {
	readonly bytes: Uint8Array;
	readonly blobs: readonly string[];
}

/** Bytes in pieces that follow one another. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Every method rejects with a `JournalError`. Several calls may be under way; they take effect in the order in which they
 * were made.
 */
export interface Journal {
	/** True if it outlives its process. */
	readonly durable: boolean;
	/**
	 * True if the relay waits for it. An answer that names its entry (`ENTRY_HEADER`) is passed on when the journal
	 * has that entry. It becomes 503 `not_kept` if the journal cannot have it. An engine that answers through the
	 * relay need not wait as well.
	 */
	readonly relayWaits?: boolean;
	/** Reports to the relay that entries from `from` on are not stored yet, if no append has failed. */
	readonly lacks?: (from: number, why: JournalError) => void;
	extent(): Promise<JournalExtent>;
	/** Acquires the lease and returns its epoch. From then on every earlier owner is fenced: its writes are refused. */
	acquire(): Promise<number>;
	/**
	 * Appends entries: all of them or none. `at` is the sequence number of the first. Entries that the journal has already are this
	 * owner's own, which it sends again because it heard no answer: they are skipped. Resolves when all outlive the end of every
	 * process. Rejects with `fenced` for an old epoch, and with `failed` if the journal has fewer entries than `at`.
	 */
	append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void>;
	/** Releases the lease: its owner will not come back. An old epoch changes nothing. */
	release(epoch: number): Promise<void>;
	/** Entries from `from` on, as many as have room in `mostBytes`, but at least one; none at the end. Rejects with `cut` for one that is not kept any more. */
	read(from: number, mostBytes: number): Promise<readonly JournalEntry[]>;
	/** Keeps the state after all entries before `at`, in pieces that follow one another, and cuts what is older than the limit on size allows. Rejects with `fenced` for an old epoch. */
	keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void>;
	/** Returns the newest state at or before `at` (the newest of all unless given), null for none. */
	state(at?: number): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null>;
	/**
	 * Keeps bytes by their SHA-256 in lowercase hex: files that were read and assets. They stay while an entry or a
	 * state names them. They are stored first and named soon after. They are stored again before a later name, unless
	 * the newest state names them.
	 */
	keepBlob(hash: string, bytes: Uint8Array): Promise<void>;
	/** Returns the bytes that were kept, null for none. */
	blob(hash: string): Promise<Uint8Array | null>;
	/** Ends it for this owner, after all that was asked for. */
	close(): Promise<void>;
}

/** `fenced`: another owner has acquired the lease. `cut`: not kept any more. `damaged`: it is not what was written. `locked`: another process writes to it. `full`: there is no room. `failed`: anything else that the system says. */
export type JournalFault = 'fenced' | 'cut' | 'damaged' | 'locked' | 'full' | 'failed';

/** Reason that a journal did not do what was asked, as a sentence. */
export class JournalError extends Error {
	readonly fault: JournalFault;

	constructor(fault: JournalFault, message: string) {
		super(message);
		this.fault = fault;
	}
}

/** Returns the refusal of an owner whose lease is over. */
export const fenced = (): JournalError =>
	new JournalError('fenced', 'Another engine has acquired the world and continues it.');

/** Returns the refusal of an entry that was cut off. */
export const cutOff = (at: number, first: number): JournalError =>
	new JournalError('cut', `Entry ${at} is no longer stored. The oldest stored entry is ${first}.`);

/** Throws a `JournalError` unless a journal can store a state before entry `at`. */
export function requireStateAt(at: number, first: number, next: number): void {
	if (at < first) throw cutOff(at, first);
	if (!Number.isSafeInteger(at) || at > next)
		throw new JournalError(
			'failed',
			`A state before entry ${at} cannot be stored: the next entry is ${next}.`,
		);
}

/** Returns the refusal of entries that do not follow the last one. */
export const missing = (at: number, next: number): JournalError =>
	new JournalError(
		'failed',
		`The journal has ${next} entries, but ${at} were written: some of its files were removed, or replaced with older ones.`,
	);

/**
 * Returns the entries of an append that the journal does not have yet. Throws a `JournalError` if others are missing
 * before them.
 */
export function newEntries<E>(at: number, next: number, entries: readonly E[]): readonly E[] {
	if (at > next) throw missing(at, next);
	return entries.slice(next - at);
}
