/**
 * The bytes of a file of entries in a browser's private storage: a mark, then frames, each of which counts whole or
 * not at all.
 * Owns: their layout and checksums, and telling a write that did not finish from damage.
 *
 * Mark (8 bytes): "orrery", u16 version. Frame: u32 length of its append, u64 number of its first entry, checksum of
 * these, checksum of the append, the append (`shared/transport/journal-bytes.ts`). Integers are little-endian. A
 * checksum is the first 8 bytes of a SHA-256.
 */

import { JournalError } from '../../../shared/transport/journal.ts';
import { decodeAppend } from '../../../shared/transport/journal-bytes.ts';
import { PACKET_VERSION } from '../../../shared/transport/packet.ts';

const NAME = 'orrery';
export const MARK_BYTES = 8;
const CHECK = 8;
/** Length and number. */
const SAID = 12;
const HEAD = SAID + 2 * CHECK;

/** Place of a frame in its file, and its entries. */
export interface EntryFrame {
	readonly first: number;
	readonly count: number;
	readonly at: number;
	readonly end: number;
}

export interface Scan {
	readonly frames: readonly EntryFrame[];
	/** End of the last whole frame; 0 if not even the mark is whole. */
	readonly end: number;
	/** Number of the entry after the last. */
	readonly next: number;
	/** SHA-256 of the blobs that entries name. */
	readonly blobs: ReadonlySet<string>;
}

export function encodeMark(): Uint8Array {
	const bytes = new Uint8Array(MARK_BYTES);
	bytes.set(new TextEncoder().encode(NAME));
	new DataView(bytes.buffer).setUint16(NAME.length, PACKET_VERSION, true);
	return bytes;
}

async function checksum(bytes: Uint8Array): Promise<Uint8Array> {
	return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice())).subarray(0, CHECK);
}

/** Returns a frame as it is written. */
export async function encodeFrame(first: number, append: Uint8Array): Promise<Uint8Array> {
	const bytes = new Uint8Array(HEAD + append.length);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, append.length, true);
	view.setBigUint64(4, BigInt(first), true);
	bytes.set(await checksum(bytes.subarray(0, SAID)), SAID);
	bytes.set(await checksum(append), SAID + CHECK);
	bytes.set(append, HEAD);
	return bytes;
}

/** Returns the append of a frame. */
export const appendIn = (bytes: Uint8Array): Uint8Array => bytes.subarray(HEAD);

/**
 * Returns the frames of a file that begins with the entry `first`. What is behind the last whole one is left out if
 * `mayBeTorn` and it is a write that did not finish: nothing follows it. Anything else throws `damaged`, or `failed`
 * for a version that is not known.
 */
export async function scanFrames(
	bytes: Uint8Array,
	first: number,
	what: string,
	mayBeTorn: boolean,
): Promise<Scan> {
	const nothing = { frames: [], end: 0, next: first, blobs: new Set<string>() };
	if (bytes.length < MARK_BYTES && mayBeTorn) return nothing;
	const mark = encodeMark();
	if (bytes.length < MARK_BYTES || mark.some((byte, i) => i < NAME.length && bytes[i] !== byte))
		throw damage(what, 0);
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const version = view.getUint16(NAME.length, true);
	if (version !== PACKET_VERSION)
		throw new JournalError(
			'failed',
			`"${what}" is a journal of version ${version}, but this Orrery reads version ${PACKET_VERSION}.`,
		);
	const frames: EntryFrame[] = [];
	const blobs = new Set<string>();
	let next = first;
	let at = MARK_BYTES;
	while (at < bytes.length) {
		const end = at + HEAD + (at + HEAD <= bytes.length ? view.getUint32(at, true) : 0);
		const isCut = end > bytes.length;
		// A write ends early and no byte of it is another: what it says of itself is so, or is not whole.
		const isSaid = at + HEAD > bytes.length || (await isHead(bytes.subarray(at, at + HEAD), next));
		if (isCut && isSaid && mayBeTorn) break;
		if (isCut || !isSaid || !(await isAppend(bytes.subarray(at, end)))) throw damage(what, at);
		const entries = decodeAppend(bytes.subarray(at + HEAD, end));
		for (const entry of entries) for (const hash of entry.blobs) blobs.add(hash);
		frames.push({ first: next, count: entries.length, at, end });
		next += entries.length;
		at = end;
	}
	return { frames, end: at, next, blobs };
}

async function isHead(bytes: Uint8Array, next: number): Promise<boolean> {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return view.getBigUint64(4, true) === BigInt(next) && isCheck(bytes, SAID, bytes.subarray(0, SAID));
}

const isAppend = (frame: Uint8Array): Promise<boolean> => isCheck(frame, SAID + CHECK, appendIn(frame));

async function isCheck(bytes: Uint8Array, at: number, of: Uint8Array): Promise<boolean> {
	return (await checksum(of)).every((byte, i) => bytes[at + i] === byte);
}

function damage(what: string, at: number): JournalError {
	return new JournalError('damaged', `"${what}" is damaged from byte ${at} on. The file was not changed.`);
}
