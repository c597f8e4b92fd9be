/**
 * Bytes of an entry file in a browser's private storage: a mark, then frames. A frame that is not complete does not count.
 * Owns: the layout, the checksums, and the distinction between an unfinished write and damage.
 *
 * Mark (8 bytes): "orrery", u16 version. Frame: u32 length of its append, u64 number of its first entry, checksum of
 * these, checksum of the append, the append (`shared/transport/journal-bytes.ts`). Integers are little-endian. A
 * checksum is the first 8 bytes of a SHA-256.
 */

import { JournalError } from '../../../shared/transport/journal.ts';
import { decodeAppend } from '../../../shared/transport/journal-bytes.ts';
import { PACKET_VERSION } from '../../../shared/transport/packet.ts';

const MAGIC = 'orrery';
export const MARK_BYTES = 8;
const CHECKSUM_BYTES = 8;
/** Bytes of the length and of the number of the first entry. */
const LENGTH_AND_NUMBER_BYTES = 12;
const HEAD_BYTES = LENGTH_AND_NUMBER_BYTES + 2 * CHECKSUM_BYTES;

/** A frame of a file: its first entry, its number of entries, and its first and last byte (excluded). */
export interface EntryFrame {
	readonly first: number;
	readonly count: number;
	readonly offset: number;
	readonly end: number;
}

/** Content of an entry file. */
export interface Scan {
	readonly frames: readonly EntryFrame[];
	/** End of the last whole frame; 0 if not even the mark is whole. */
	readonly end: number;
	/** Number of the entry after the last one. */
	readonly next: number;
	/** SHA-256 of the blobs that entries name. */
	readonly blobs: ReadonlySet<string>;
}

export function encodeMark(): Uint8Array {
	const bytes = new Uint8Array(MARK_BYTES);
	bytes.set(new TextEncoder().encode(MAGIC));
	new DataView(bytes.buffer).setUint16(MAGIC.length, PACKET_VERSION, true);
	return bytes;
}

async function checksum(bytes: Uint8Array): Promise<Uint8Array> {
	return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice())).subarray(0, CHECKSUM_BYTES);
}

/** Returns a frame as it is written. */
export async function encodeFrame(first: number, append: Uint8Array): Promise<Uint8Array> {
	const bytes = new Uint8Array(HEAD_BYTES + append.length);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, append.length, true);
	view.setBigUint64(4, BigInt(first), true);
	bytes.set(await checksum(bytes.subarray(0, LENGTH_AND_NUMBER_BYTES)), LENGTH_AND_NUMBER_BYTES);
	bytes.set(await checksum(append), LENGTH_AND_NUMBER_BYTES + CHECKSUM_BYTES);
	bytes.set(append, HEAD_BYTES);
	return bytes;
}

/** Returns the append of a frame. */
export const appendIn = (bytes: Uint8Array): Uint8Array => bytes.subarray(HEAD_BYTES);

/**
 * Returns the frames of a file that begins with the entry `first`. With `mayBeTorn`, an unfinished write at the end is ignored.
 * Rejects with `damaged` for any other fault, and with `failed` for an unknown version.
 */
export async function scanFrames(
	bytes: Uint8Array,
	first: number,
	fileName: string,
	mayBeTorn: boolean,
): Promise<Scan> {
	const emptyScan = { frames: [], end: 0, next: first, blobs: new Set<string>() };
	if (bytes.length < MARK_BYTES && mayBeTorn) return emptyScan;
	const mark = encodeMark();
	if (bytes.length < MARK_BYTES || mark.some((byte, i) => i < MAGIC.length && bytes[i] !== byte))
		throw damagedAt(fileName, 0);
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const version = view.getUint16(MAGIC.length, true);
	if (version !== PACKET_VERSION)
		throw new JournalError(
			'failed',
			`"${fileName}" is a journal of version ${version}, but this Orrery reads version ${PACKET_VERSION}.`,
		);
	const frames: EntryFrame[] = [];
	const blobs = new Set<string>();
	let next = first;
	let offset = MARK_BYTES;
	while (offset < bytes.length) {
		const end =
			offset + HEAD_BYTES + (offset + HEAD_BYTES <= bytes.length ? view.getUint32(offset, true) : 0);
		const isCut = end > bytes.length;
		// An unfinished write has no wrong bytes: its head is either incomplete or valid.
		const hasValidHead =
			offset + HEAD_BYTES > bytes.length ||
			(await isValidHead(bytes.subarray(offset, offset + HEAD_BYTES), next));
		if (isCut && hasValidHead && mayBeTorn) break;
		if (isCut || !hasValidHead || !(await isValidAppend(bytes.subarray(offset, end))))
			throw damagedAt(fileName, offset);
		const entries = decodeAppend(bytes.subarray(offset + HEAD_BYTES, end));
		for (const entry of entries) for (const hash of entry.blobs) blobs.add(hash);
		frames.push({ first: next, count: entries.length, offset, end });
		next += entries.length;
		offset = end;
	}
	return { frames, end: offset, next, blobs };
}

async function isValidHead(bytes: Uint8Array, next: number): Promise<boolean> {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return (
		view.getBigUint64(4, true) === BigInt(next) &&
		matchesChecksum(bytes, LENGTH_AND_NUMBER_BYTES, bytes.subarray(0, LENGTH_AND_NUMBER_BYTES))
	);
}

const isValidAppend = (frame: Uint8Array): Promise<boolean> =>
	matchesChecksum(frame, LENGTH_AND_NUMBER_BYTES + CHECKSUM_BYTES, appendIn(frame));

async function matchesChecksum(bytes: Uint8Array, offset: number, content: Uint8Array): Promise<boolean> {
	return (await checksum(content)).every((byte, i) => bytes[offset + i] === byte);
}

function damagedAt(what: string, at: number): JournalError {
	return new JournalError('damaged', `"${what}" is damaged from byte ${at} on. The file was not changed.`);
}
