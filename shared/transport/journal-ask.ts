/**
 * Requests of the engine to the relay's journal.
 * Owns: the types of the requests and answers, which are heads of frames, and the size of parts. Bytes travel after the
 * head.
 */

import type { JournalExtent, JournalFault } from './journal.ts';

/** Requests to a journal. `of` identifies a value that is sent in parts. */
export type JournalAsk =
	| { readonly ask: 'extent' }
	| { readonly ask: 'acquire' }
	| { readonly ask: 'release'; readonly epoch: number }
	/** The bytes are an append from `encodeAppend`. */
	| { readonly ask: 'append'; readonly epoch: number; readonly at: number }
	/** The answer's bytes are an append with the entries. */
	| { readonly ask: 'read'; readonly from: number; readonly mostBytes: number }
	/** Reads a piece of the newest state at or before `at`. With null, it is the newest of all. */
	| { readonly ask: 'state'; readonly at: number | null; readonly from: number; readonly most: number }
	| { readonly ask: 'blob'; readonly hash: string; readonly from: number; readonly most: number }
	/** Keeps the state that the next parts contain. The answer comes when the state is kept. */
	| {
			readonly ask: 'keep-state';
			readonly of: number;
			readonly epoch: number;
			readonly at: number;
			readonly blobs: readonly string[];
	  }
	| { readonly ask: 'keep-blob'; readonly of: number; readonly hash: string }
	/** The next bytes of a value in parts. The answer comes when the relay has received them and the next part may follow. */
	| { readonly ask: 'part'; readonly of: number; readonly last: boolean }
	/** Entries from `from` on are delayed: something that they need could not be kept. */
	| { readonly ask: 'lacks'; readonly from: number; readonly fault: JournalFault; readonly message: string };

/**
 * Answer of the relay: the extent, the epoch of a lease, a piece, a confirmation, or a refusal. A piece has its position
 * and the total length; it is null if the value is missing.
 */
export type JournalAnswer =
	| { readonly extent: JournalExtent }
	| { readonly epoch: number }
	| { readonly piece: { readonly at: number; readonly length: number } | null }
	| { readonly done: true }
	| { readonly fault: JournalFault; readonly message: string };

/** Maximum bytes in one part. */
export const PART_BYTES = 1024 * 1024;
/** Maximum number of parts without an answer. */
export const MAX_PENDING_PARTS = 4;
