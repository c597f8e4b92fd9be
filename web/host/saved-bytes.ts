/**
 * Trees, encoded as bytes. A tree consists of lists and records that contain byte arrays.
 * Owns: splitting a tree into JSON and arrays, and joining them. The JSON has a pointer in place of each array.
 */

import { decodePacket, packetPieces } from '../../shared/transport/packet.ts';

/** Offset and length of a byte array in the joined arrays. */
interface Pointer {
	readonly $bytes: readonly [offset: number, length: number];
}

/** A tree in two parts: JSON with pointers into the arrays, and the arrays in order. */
export interface SplitTree {
	readonly json: string;
	readonly arrays: readonly Uint8Array[];
}

/** Splits a tree into JSON and byte arrays. No array is copied. */
export function splitTree(tree: object): SplitTree {
	const arrays: Uint8Array[] = [];
	let offset = 0;
	const json = JSON.stringify(tree, (_, value: unknown) => {
		if (!(value instanceof Uint8Array)) return value;
		const pointer: Pointer = { $bytes: [offset, value.length] };
		offset += value.length;
		arrays.push(value);
		return pointer;
	});
	return { json, arrays };
}

/** Replaces pointers by copies of their byte arrays. Throws a RangeError if the bytes are truncated. */
export function joinTree(head: unknown, bytes: Uint8Array): unknown {
	if (isPointer(head)) {
		const [offset, length] = head.$bytes;
		if (offset + length > bytes.length) throw new RangeError('the byte arrays are truncated');
		return bytes.slice(offset, offset + length);
	}
	if (Array.isArray(head)) return head.map((value) => joinTree(value, bytes));
	if (typeof head !== 'object' || head === null) return head;
	return Object.fromEntries(Object.entries(head).map(([name, value]) => [name, joinTree(value, bytes)]));
}

/** Encodes a tree as a packet. Returns its pieces, to be written in order. */
export function encodeTree(tree: object): Uint8Array[] {
	const { json, arrays } = splitTree(tree);
	return packetPieces(json, arrays);
}

/** Decodes the joined pieces of `encodeTree`. Throws a RangeError if they are truncated. */
export function decodeTree(packet: Uint8Array): unknown {
	const { head, bytes } = decodePacket(packet);
	return joinTree(head, bytes);
}

function isPointer(value: unknown): value is Pointer {
	return typeof value === 'object' && value !== null && '$bytes' in value;
}
