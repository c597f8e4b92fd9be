/**
 * Bytes of one append, equal on the wire and on disk.
 * Owns: the layout: one packet per entry. The packet's head has the SHA-256 of the blobs that the entry names.
 * Consecutive appends are one longer append.
 * Never: reads an entry.
 */

import type { JournalEntry } from './journal.ts';
import { decodePackets, encodePackets } from './packet.ts';

/** Maximum number of blobs that one entry names. */
const MAX_BLOBS = 0xffff;

/** Returns the bytes of an append. Throws a RangeError for an invalid hash. */
export function encodeAppend(entries: readonly JournalEntry[]): Uint8Array {
	for (const { blobs } of entries) {
		if (blobs.length > MAX_BLOBS) throw new RangeError(`An entry names more than ${MAX_BLOBS} blobs`);
		if (!blobs.every(isHash)) throw new RangeError('A blob is named by its SHA-256 in lowercase hex');
	}
	return encodePackets(entries.map(({ bytes, blobs }) => ({ head: { blobs }, bytes })));
}

/** Returns the entries of appends, as views. Throws a RangeError for invalid bytes. */
export function decodeAppend(bytes: Uint8Array): JournalEntry[] {
	return decodePackets(bytes).map(({ head, bytes }) => {
		const { blobs } = (head ?? {}) as Partial<JournalEntry>;
		if (!Array.isArray(blobs) || !blobs.every((blob) => typeof blob === 'string' && isHash(blob)))
			throw new RangeError('An entry does not name its blobs');
		return { bytes, blobs };
	});
}

/** Returns true if a text is a SHA-256 as the journal writes it. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
