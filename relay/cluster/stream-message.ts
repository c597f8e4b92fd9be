/**
 * Messages of a journal in a NATS stream.
 * Owns: the head of a message, and the chain of hashes that detects a lost or changed message.
 * Never: reads or writes the stream.
 */

import { createHash } from 'node:crypto';

/** A state of the journal: its object, and the position of the entries after it. */
export interface StreamState {
	/** Number of the first entry that it does not contain. */
	readonly at: number;
	/** Name of its object. */
	readonly hash: string;
	/** Bytes of the state. */
	readonly size: number;
	/** Hashes of the blobs that the state needs. */
	readonly blobs: readonly string[];
	/** The message before the one with entry `at`. */
	readonly before: ChainLink;
}

/** Position of a message in the stream, and its hash. */
export interface ChainLink {
	readonly seq: number;
	readonly sum: string;
}

/** The link before the first message. */
export const FIRST_LINK: ChainLink = { seq: 0, sum: '' };

/**
 * Head of a message. The bytes of an `entries` message are an append. The bytes of any other kind are the list of all
 * `StreamState`s as JSON. `lease` acquires or releases the lease, `state` adds a state, and `cut` announces that older
 * messages are removed.
 */
export interface MessageHead {
	readonly kind: 'entries' | 'lease' | 'state' | 'cut';
	/** Number of its first entry. */
	readonly at: number;
	/** Number of its entries. */
	readonly count: number;
	readonly epoch: number;
	readonly isTaken: boolean;
	/** Number of the oldest kept entry. */
	readonly first: number;
	/** Bytes of the whole journal, including this message. */
	readonly bytes: number;
	/** Sequence of the last earlier message with a list of states; 0 for none. */
	readonly states: number;
	/** The message before this one. */
	readonly before: ChainLink;
	/** SHA-256 of its bytes, if they are stored as an object because they exceed the limit of a message. */
	readonly object?: string;
}

export interface StreamMessage {
	readonly seq: number;
	readonly sum: string;
	readonly head: MessageHead;
	readonly bytes: Uint8Array;
}

/** Names of the headers with the head of a message as JSON, and with its hash. */
export const HEAD_HEADER = 'Orrery-Head';
export const SUM_HEADER = 'Orrery-Sum';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the hash of a message. Its head contains the hash of the previous message. */
export const sumOf = (head: string, bytes: Uint8Array): string =>
	createHash('sha256').update(head).update('\n').update(bytes).digest('hex');

/** A message as NATS stored it. */
interface StoredMessage {
	readonly seq: number;
	readonly data: Uint8Array;
	readonly header: { get(name: string): string };
}

/** Returns a message; null if it was changed. */
export function messageOf({ seq, data, header }: StoredMessage): StreamMessage | null {
	const json = header.get(HEAD_HEADER);
	const sum = header.get(SUM_HEADER);
	if (sumOf(json, data) !== sum) return null;
	return { seq, sum, head: JSON.parse(json) as MessageHead, bytes: data };
}
