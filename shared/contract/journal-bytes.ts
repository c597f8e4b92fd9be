/**
 * What one append brings, as bytes: the same over the wire and on a disk.
 * Owns: the layout. u32 length of what follows, 8 bytes of its author, u32 count of entries, then each entry: u32 length,
 * u16 count of blobs, 32 bytes for each of them, the entry. All integers little-endian.
 * Never: looks into an entry.
 */

import type { JournalEntry } from './journal.ts';

/** Bytes that name who appends, so that one who asks again is known from another who asks for the same. */
export const AUTHOR_BYTES = 8;

const HEAD = 4 + AUTHOR_BYTES + 4;
const ENTRY_HEAD = 6;
const HASH_BYTES = 32;
/** Most blobs that one entry names. */
const MOST_BLOBS = 0xffff;

/** What an append was made of. */
export interface Append {
	readonly author: Uint8Array;
	readonly entries: readonly JournalEntry[];
	/** Where the next one begins. */
	readonly end: number;
}

/** A new author. */
export function newAuthor(): Uint8Array {
	return crypto.getRandomValues(new Uint8Array(AUTHOR_BYTES));
}

/** Throws a RangeError for a hash that is none. */
export function encodeAppend(author: Uint8Array, entries: readonly JournalEntry[]): Uint8Array {
	let size = HEAD;
	for (const { bytes, blobs } of entries) {
		if (blobs.length > MOST_BLOBS) throw new RangeError(`An entry names more than ${MOST_BLOBS} blobs`);
		size += ENTRY_HEAD + blobs.length * HASH_BYTES + bytes.length;
	}
	const all = new Uint8Array(size);
	const view = new DataView(all.buffer);
	view.setUint32(0, size - 4, true);
	all.set(author, 4);
	view.setUint32(4 + AUTHOR_BYTES, entries.length, true);
	let at = HEAD;
	for (const { bytes, blobs } of entries) {
		view.setUint32(at, bytes.length, true);
		view.setUint16(at + 4, blobs.length, true);
		at += ENTRY_HEAD;
		for (const hash of blobs) {
			all.set(hashBytes(hash), at);
			at += HASH_BYTES;
		}
		all.set(bytes, at);
		at += bytes.length;
	}
	return all;
}

/** The append that begins at `at`; its entries are views. Throws a RangeError when it is not one. */
export function decodeAppend(bytes: Uint8Array, at = 0): Append {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const end = at + 4 + view.getUint32(at, true);
	const author = bytes.subarray(at + 4, at + 4 + AUTHOR_BYTES);
	const count = view.getUint32(at + 4 + AUTHOR_BYTES, true);
	const entries: JournalEntry[] = [];
	let next = at + HEAD;
	for (let i = 0; i < count; i++) {
		const length = view.getUint32(next, true);
		const named = view.getUint16(next + 4, true);
		next += ENTRY_HEAD;
		const blobs: string[] = [];
		for (let j = 0; j < named; j++, next += HASH_BYTES)
			blobs.push(hashText(bytes.subarray(next, next + HASH_BYTES)));
		entries.push({ bytes: bytes.subarray(next, next + length), blobs });
		next += length;
		if (next > end) break;
	}
	if (next !== end || end > bytes.length) throw new RangeError('An append has the wrong length');
	return { author, entries, end };
}

/** Whether a text is a SHA-256 as the journal writes it. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

function hashBytes(hash: string): Uint8Array {
	if (!isHash(hash)) throw new RangeError('A blob must be named by its SHA-256 in lowercase hex');
	const bytes = new Uint8Array(HASH_BYTES);
	for (let i = 0; i < HASH_BYTES; i++) bytes[i] = Number.parseInt(hash.slice(2 * i, 2 * i + 2), 16);
	return bytes;
}

function hashText(bytes: Uint8Array): string {
	let text = '';
	for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
	return text;
}
