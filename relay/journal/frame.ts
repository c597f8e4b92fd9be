/**
 * The bytes of a file of entries: a header, then frames, each of which was written at once and counts whole or not at all.
 * Owns: their layout and checksums, and telling a write that did not come to its end from damage.
 * Never: touches a disk.
 *
 * Header (48 bytes): "orrery journal\n", u8 version, 16 bytes that name the journal, u64 number of the first entry, checksum.
 * Frame: u32 length of its body, u32 kind (1), u64 number of its first entry, u32 count of entries, checksum of these; the body,
 * which is appends one after the other; checksum of all of it. Integers are little-endian. A checksum is the first 8 bytes of
 * the SHA-256 of the journal's name and what it covers: a caller who sends bytes like a frame does not know that name.
 */

import { hash } from 'node:crypto';
import { JournalError } from '../../shared/contract/journal.ts';
import { PACKET_VERSION } from '../../shared/contract/packet.ts';

export const NAME_BYTES = 16;
export const SEGMENT_HEADER = 48;
export const FRAME_HEADER = 28;
const CHECK = 8;
const MAGIC = Buffer.from('orrery journal\n');
const ENTRIES = 1;

/** Sizes of what a disk writes whole, and of what a system keeps in memory before it writes. */
const SECTOR = 512;
const PAGE = 4096;

/** Where a frame stands in its file, and what is in it. */
export interface Frame {
	readonly first: number;
	readonly count: number;
	readonly at: number;
	readonly end: number;
}

function check(bytes: Uint8Array): Uint8Array {
	return hash('sha256', bytes, 'buffer').subarray(0, CHECK);
}

export function encodeHeader(name: Uint8Array, first: number): Uint8Array {
	const bytes = Buffer.alloc(SEGMENT_HEADER);
	bytes.set(MAGIC);
	bytes[MAGIC.length] = PACKET_VERSION;
	bytes.set(name, 16);
	bytes.writeBigUInt64LE(BigInt(first), 32);
	bytes.set(check(bytes.subarray(0, 40)), 40);
	return bytes;
}

/** Name and first entry. `what` is the file, for errors. Throws `damaged`, or `failed` for a version that is not known. */
export function decodeHeader(
	bytes: Uint8Array,
	what: string,
): { readonly name: Uint8Array; readonly first: number } {
	const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (
		header.length < SEGMENT_HEADER ||
		!header.subarray(0, MAGIC.length).equals(MAGIC) ||
		!header.subarray(40, SEGMENT_HEADER).equals(check(header.subarray(0, 40)))
	)
		throw damage(what, 0, 'it does not begin as a file of entries');
	const version = header[MAGIC.length];
	if (version !== PACKET_VERSION)
		throw new JournalError(
			'failed',
			`"${what}" is a journal of version ${version}, and this Orrery reads version ${PACKET_VERSION}.`,
		);
	return { name: header.subarray(16, 32), first: Number(header.readBigUInt64LE(32)) };
}

/** A frame of appends, which together have `count` entries, as it is written. */
export function encodeFrame(
	name: Uint8Array,
	first: number,
	count: number,
	appends: readonly Uint8Array[],
): Uint8Array {
	const body = appends.reduce((sum, bytes) => sum + bytes.length, 0);
	// The name goes before it for the checksums, and is not written.
	const all = Buffer.allocUnsafe(NAME_BYTES + FRAME_HEADER + body + CHECK);
	all.set(name);
	const frame = all.subarray(NAME_BYTES);
	frame.writeUInt32LE(body, 0);
	frame.writeUInt32LE(ENTRIES, 4);
	frame.writeBigUInt64LE(BigInt(first), 8);
	frame.writeUInt32LE(count, 16);
	frame.set(check(all.subarray(0, NAME_BYTES + 20)), 20);
	let at = FRAME_HEADER;
	for (const bytes of appends) {
		frame.set(bytes, at);
		at += bytes.length;
	}
	frame.set(check(all.subarray(0, NAME_BYTES + at)), at);
	return frame;
}

/** The body of a frame. */
export function bodyOf(bytes: Uint8Array, { at, end }: Frame): Uint8Array {
	return bytes.subarray(at + FRAME_HEADER, end - CHECK);
}

export interface Scan {
	readonly frames: readonly Frame[];
	/** Where the last whole frame ends. */
	readonly end: number;
	/** Number of the entry after the last. */
	readonly next: number;
}

/**
 * The frames from `at` on, where the entry `next` is expected. What stands behind the last whole one is left out if `mayBeTorn` and
 * it is a write that did not come to its end. Anything else throws `damaged`.
 */
export function scanFrames(
	bytes: Uint8Array,
	name: Uint8Array,
	at: number,
	next: number,
	what: string,
	mayBeTorn: boolean,
): Scan {
	const frames: Frame[] = [];
	while (at < bytes.length) {
		const frame = frameAt(bytes, name, at);
		if (frame !== undefined && isWhole(bytes, name, frame)) {
			if (frame.first !== next) throw damage(what, at, `entry ${frame.first} stands where ${next} belongs`);
			frames.push(frame);
			next += frame.count;
			at = frame.end;
			continue;
		}
		const torn = frame === undefined ? isTornHeader(bytes, at) : isTorn(bytes, frame);
		if (mayBeTorn && torn && !isFollowed(bytes, name, at + 1, next)) break;
		throw damage(what, at, `entry ${next} is not what was written`);
	}
	return { frames, end: at, next };
}

/** The frame whose header stands at `at`, whether or not the rest of it is there; undefined when no header does. */
function frameAt(bytes: Uint8Array, name: Uint8Array, at: number): Frame | undefined {
	if (bytes.length - at < FRAME_HEADER) return undefined;
	const header = Buffer.from(bytes.buffer, bytes.byteOffset + at, FRAME_HEADER);
	if (header.readUInt32LE(4) !== ENTRIES) return undefined;
	if (!header.subarray(20).equals(check(Buffer.concat([name, header.subarray(0, 20)])))) return undefined;
	return {
		first: Number(header.readBigUInt64LE(8)),
		count: header.readUInt32LE(16),
		at,
		end: at + FRAME_HEADER + header.readUInt32LE(0) + CHECK,
	};
}

function isWhole(bytes: Uint8Array, name: Uint8Array, { at, end }: Frame): boolean {
	if (end > bytes.length) return false;
	const covered = Buffer.concat([name, bytes.subarray(at, end - CHECK)]);
	return Buffer.from(bytes.buffer, bytes.byteOffset + end - CHECK, CHECK).equals(check(covered));
}

/** What stands behind the last frame is the beginning of a header, or nothing that was ever written. */
function isTornHeader(bytes: Uint8Array, at: number): boolean {
	return bytes.length - at < FRAME_HEADER || hasHole(bytes, at, bytes.length);
}

/** A frame that ends behind the end of the file, or that lacks what a system had not written yet when the power went. */
function isTorn(bytes: Uint8Array, { at, end }: Frame): boolean {
	return end > bytes.length || hasHole(bytes, at, end);
}

/**
 * Whether something from `at` to `end` was never written: a system that lost its power leaves zeros in the place of whole sectors and
 * pages. Neither the first sector of a frame that was written nor its last is all zeros, since a checksum stands in each.
 */
function hasHole(bytes: Uint8Array, at: number, end: number): boolean {
	// A few bytes alone may be zeros by chance.
	const firstEnd = Math.min(end, Math.ceil((at + CHECK) / SECTOR) * SECTOR);
	const lastStart = Math.max(at, Math.floor((end - CHECK) / SECTOR) * SECTOR);
	if (isZero(bytes, at, firstEnd) || isZero(bytes, lastStart, end)) return true;
	for (let page = Math.ceil(at / PAGE) * PAGE; page + PAGE <= end; page += PAGE)
		if (isZero(bytes, page, page + PAGE)) return true;
	return false;
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
	for (let i = from; i < to; i++) if (bytes[i] !== 0) return false;
	return true;
}

/** Whether the header of a frame with entries after `next` stands anywhere from `at` on. */
export function isFollowed(bytes: Uint8Array, name: Uint8Array, at: number, next: number): boolean {
	for (; bytes.length - at >= FRAME_HEADER; at++) {
		if (bytes[at + 4] !== ENTRIES) continue;
		const frame = frameAt(bytes, name, at);
		if (frame !== undefined && frame.first > next) return true;
	}
	return false;
}

export function damage(what: string, at: number, why: string): JournalError {
	return new JournalError('damaged', `"${what}" is damaged at byte ${at}: ${why}.`);
}
