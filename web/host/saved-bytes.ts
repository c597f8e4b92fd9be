/**
 * Saved worlds as bytes, for the way from one tab to another through the relay.
 * Owns: the layout: length of a JSON head (u32, little-endian), the head, then all byte arrays that it points at.
 */

import type { SavedWorlds } from './frames.ts';

/** Where a byte array stands: from the end of the head on, and how long. */
interface Pointer {
	readonly $bytes: readonly [from: number, length: number];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The saved worlds in pieces that follow one another. Nothing is copied but the head. */
export const encodeSaved = (saved: SavedWorlds): Uint8Array[] => encodeTree(saved);

/** The saved worlds that `encodeSaved` wrote, all pieces in one. Throws a RangeError when they are cut off. */
export const decodeSaved = (bytes: Uint8Array): SavedWorlds => decodeTree(bytes) as SavedWorlds;

/** Lists and records with byte arrays in them, in pieces. */
export function encodeTree(saved: object): Uint8Array[] {
	const pieces: Uint8Array[] = [];
	let at = 0;
	const head = encoder.encode(
		JSON.stringify(saved, (_, value: unknown) => {
			if (!(value instanceof Uint8Array)) return value;
			const pointer: Pointer = { $bytes: [at, value.length] };
			at += value.length;
			pieces.push(value);
			return pointer;
		}),
	);
	const length = new Uint8Array(4);
	new DataView(length.buffer).setUint32(0, head.length, true);
	return [length, head, ...pieces];
}

/** What `encodeTree` wrote, all pieces in one. Throws a RangeError when they are cut off. */
export function decodeTree(bytes: Uint8Array): unknown {
	const end = 4 + new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
	return JSON.parse(decoder.decode(bytes.subarray(4, end)), (_, value: unknown) => {
		if (!isPointer(value)) return value;
		const [from, length] = value.$bytes;
		if (end + from + length > bytes.length) throw new RangeError('the saved worlds are cut off');
		return bytes.slice(end + from, end + from + length);
	});
}

function isPointer(value: unknown): value is Pointer {
	return typeof value === 'object' && value !== null && '$bytes' in value;
}
