/**
 * A journal: what was applied, in order, and whole states of the worlds in between, so that a world can be made again.
 * Owns: what every journal promises, wherever its bytes are. It may be on another machine, and several may try to write to it.
 * Never: looks into an entry; `web/host/journal` says what stands in one.
 */

/** How far a journal has come, and with what. */
export interface JournalPlace {
	/** Sequence number that the next entry gets. 0 for a journal without entries. */
	readonly next: number;
	/** Tells what was written last from every other write, also from one of as many entries to a copy of the journal; empty where that is not known. */
	readonly mark: string;
}

/** Where nothing is known. */
export const NOWHERE: JournalPlace = { next: 0, mark: '' };

/** Whether two places may be of one journal: as many entries were not written differently. */
export function mayBeOne(a: JournalPlace, b: JournalPlace): boolean {
	return a.next !== b.next || a.mark === '' || b.mark === '' || a.mark === b.mark;
}

/** Where a journal begins and ends. */
export interface JournalExtent {
	/** Sequence number of the oldest entry that is kept. */
	readonly first: number;
	/** Sequence number that the next entry gets. 0 for a journal without entries. */
	readonly next: number;
	/** That of a `JournalPlace`; not there where nobody asks for it. */
	readonly mark?: string;
	/** Where states are kept, ascending: `at` is that of the first entry that a state does not contain. */
	readonly states: readonly number[];
	/** What it takes, in bytes. */
	readonly bytes: number;
	/** Which entries that it had are gone, as a sentence. It is told until a state is kept. */
	readonly lost?: string;
}

/** What is appended: bytes, and the SHA-256 of the blobs that they name. */
export interface JournalEntry {
	readonly bytes: Uint8Array;
	readonly blobs: readonly string[];
}

/**
 * Every method rejects with a `JournalError`. Several calls may be under way; they take effect in the order in which they
 * were made.
 */
export interface Journal {
	/**
	 * Whether the relay waits for it: an answer that goes through the relay and names its entry (`ENTRY_HEADER`) is passed on when the
	 * journal has that entry, and 503 `not_kept` when it cannot have it. Who answers through the relay need not wait as well.
	 */
	readonly relayWaits?: boolean;
	/** Tells who waits at the relay that the entries from this one on cannot be had at present, where no append of them came to say so. */
	readonly lacks?: (from: number, why: JournalError) => void;
	extent(): Promise<JournalExtent>;
	/**
	 * Appends entries: all of them or none. `expected` is the sequence number that the first of them gets. Resolves when they outlive
	 * the end of every process. Rejects with `conflict`, and keeps nothing, when the journal goes on at another number.
	 */
	append(expected: number, entries: readonly JournalEntry[]): Promise<void>;
	/** Entries from `from` on, as many as have room in `mostBytes`, but at least one; none at the end. Rejects with `cut` for one that is not kept any more. */
	read(from: number, mostBytes: number): Promise<readonly JournalEntry[]>;
	/** Keeps the state after all entries before `at`, in pieces that follow one another, and cuts what is older than the limit on size asks for. */
	keepState(at: number, pieces: readonly Uint8Array[], blobs: readonly string[]): Promise<void>;
	/** The newest state at or before `at` (the newest of all unless given), null for none. */
	state(at?: number): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null>;
	/** Keeps bytes by their SHA-256 in lowercase hex: files that were read and assets. They stay while an entry or a state that is kept names them; kept first, named soon after, and kept again before they are named again, unless the newest state names them. */
	keepBlob(hash: string, bytes: Uint8Array): Promise<void>;
	/** Bytes that were kept, null for none. */
	blob(hash: string): Promise<Uint8Array | null>;
	/** Ends it for this owner, after all that was asked for. */
	close(): Promise<void>;
}

/** `conflict`: somebody else appended. `cut`: not kept any more. `damaged`: it is not what was written. `locked`: another process writes to it. `full`: there is no room. `failed`: anything else that the system says. */
export type JournalFault = 'conflict' | 'cut' | 'damaged' | 'locked' | 'full' | 'failed';

/** Why a journal did not do what was asked, as a sentence. */
export class JournalError extends Error {
	readonly fault: JournalFault;

	constructor(fault: JournalFault, message: string) {
		super(message);
		this.fault = fault;
	}
}

/** The refusal of what does not go on where a journal does. */
export function conflict(expected: number, next: number): JournalError {
	return new JournalError(
		'conflict',
		expected > next
			? `The journal has ${next} entries, but ${expected} were written: some of its files were removed, or replaced with older ones.`
			: `The next entry of the journal is ${next}, not ${expected}: another engine has written to it.`,
	);
}
