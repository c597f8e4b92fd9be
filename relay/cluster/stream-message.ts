/**
 * Messages of a journal in a NATS stream.
 * Owns: the head of a message, and the chain of hashes that detects a lost or changed message.
 * Never: reads or writes.
 */

import { createHash } from 'node:crypto';

/** A state of the journal: where it is stored, and where the entries after it are. */
export interface StreamState {
	/** Number of the first entry that it does not contain. */
	readonly at: number;
	/** Name of its object. */
	readonly hash: string;
	readonly size: number;
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
export const START: ChainLink = { seq: 0, sum: '' };

/**
 * `entries`: its bytes are an append. Every other kind carries all `StreamState`s as JSON: `lease` acquires or releases, `state` adds a
 * state, and `cut` says that older messages are removed.
 */
export interface MessageHead {
	readonly kind: 'entries' | 'lease' | 'state' | 'cut';
	/** Number of its first entry, and how many there are. */
	readonly at: number;
	readonly count: number;
	readonly epoch: number;
	readonly isTaken: boolean;
	/** The oldest entry that is kept. */
	readonly first: number;
	/** Bytes of the whole journal with this message. */
	readonly bytes: number;
	/** The last message before this one that carries states; 0 for none. */
	readonly states: number;
	/** The message before this one. */
	readonly before: ChainLink;
	/** SHA-256 of its bytes if they are stored as an object, as they exceed what a message may have. */
	readonly object?: string;
}

export interface StreamMessage {
	readonly seq: number;
	readonly sum: string;
	readonly head: MessageHead;
	readonly bytes: Uint8Array;
}

export const HEAD = 'Orrery-Head';
export const SUM = 'Orrery-Sum';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the hash of a message, over the hash of the message before it. */
export const sumOf = (head: string, bytes: Uint8Array): string =>
	createHash('sha256').update(head).update('\n').update(bytes).digest('hex');

/** A message as NATS stored it. */
interface StoredMessage {
	readonly seq: number;
	readonly data: Uint8Array;
	readonly header: { get(name: string): string };
}

/** Returns a message; null if it is not what was written. */
export function messageOf({ seq, data, header }: StoredMessage): StreamMessage | null {
	const json = header.get(HEAD);
	const sum = header.get(SUM);
	if (sumOf(json, data) !== sum) return null;
	return { seq, sum, head: JSON.parse(json) as MessageHead, bytes: data };
}
