/**
 * Requests of the engine to the relay's journal.
 * Owns: the questions and what comes back, as the heads of frames; bytes travel beside them. Types, and how large parts are.
 */

import type { JournalExtent, JournalFault } from './journal.ts';

/** Requests to a journal. `of` identifies a value that is sent in parts. */
export type JournalAsk =
	| { readonly ask: 'extent' }
	| { readonly ask: 'acquire' }
	| { readonly ask: 'release'; readonly epoch: number }
	/** The bytes are an append, as `encodeAppend` makes them. */
	| { readonly ask: 'append'; readonly epoch: number; readonly at: number }
	/** The bytes that come are an append of all entries. */
	| { readonly ask: 'read'; readonly from: number; readonly mostBytes: number }
	/** A piece of the newest state at or before `at`, of all when that is null. */
	| { readonly ask: 'state'; readonly at: number | null; readonly from: number; readonly most: number }
	| { readonly ask: 'blob'; readonly hash: string; readonly from: number; readonly most: number }
	/** Keeps the state that comes in parts from now on. Answered when it is kept. */
	| {
			readonly ask: 'keep-state';
			readonly of: number;
			readonly epoch: number;
			readonly at: number;
			readonly blobs: readonly string[];
	  }
	| { readonly ask: 'keep-blob'; readonly of: number; readonly hash: string }
	/** The next bytes of what is sent in parts. Answered when they were taken, so that one more may come. */
	| { readonly ask: 'part'; readonly of: number; readonly last: boolean }
	/** The entries from this one on currently do not come: something that they need could not be kept. */
	| { readonly ask: 'lacks'; readonly from: number; readonly fault: JournalFault; readonly message: string };

/**
 * Answer of the relay. It is the extent, the epoch of a lease, a piece with its position and total length (null if
 * missing), nothing, or a refusal.
 */
export type JournalAnswer =
	| { readonly extent: JournalExtent }
	| { readonly epoch: number }
	| { readonly piece: { readonly at: number; readonly length: number } | null }
	| { readonly done: true }
	| { readonly fault: JournalFault; readonly message: string };

/** Bytes in one part, and how many parts may be on their way. */
export const PART_BYTES = 1024 * 1024;
export const PARTS_ON_THE_WAY = 4;
