/**
 * Lists and records that contain byte arrays, encoded as bytes.
 * Owns: the split into JSON and arrays, to which the JSON has pointers, and the reverse. A packet contains both.
 */

import { decodePacket, packetPieces } from '../../shared/transport/packet.ts';

/** Offset and length of a byte array in the joined arrays. */
interface Pointer {
	readonly $bytes: readonly [from: number, length: number];
}

/** A tree in two parts: JSON with pointers into the arrays, and the arrays in order. */
export interface PointedTree {
	readonly json: string;
	readonly arrays: readonly Uint8Array[];
}

/** Splits a tree into JSON and byte arrays. No array is copied. */
export function pointedTree(tree: object): PointedTree {
	const arrays: Uint8Array[] = [];
	let at = 0;
	const json = JSON.stringify(tree, (_, value: unknown) => {
		if (!(value instanceof Uint8Array)) return value;
		const pointer: Pointer = { $bytes: [at, value.length] };
		at += value.length;
		arrays.push(value);
		return pointer;
	});
	return { json, arrays };
}

/** Replaces pointers by copies of their byte arrays. Throws a RangeError if the bytes are cut off. */
export function wholeTree(head: unknown, bytes: Uint8Array): unknown {
	if (isPointer(head)) {
		const [from, length] = head.$bytes;
		if (from + length > bytes.length) throw new RangeError('the saved worlds are cut off');
		return bytes.slice(from, from + length);
	}
	if (Array.isArray(head)) return head.map((value) => wholeTree(value, bytes));
	if (typeof head !== 'object' || head === null) return head;
	return Object.fromEntries(Object.entries(head).map(([name, value]) => [name, wholeTree(value, bytes)]));
}

/** Encodes a tree as a packet. Returns its pieces, to be written in order. */
export function encodeTree(tree: object): Uint8Array[] {
	const { json, arrays } = pointedTree(tree);
	return packetPieces(json, arrays);
}

/** Decodes the joined pieces of `encodeTree`. Throws a RangeError if they are cut off. */
export function decodeTree(packet: Uint8Array): unknown {
	const { head, bytes } = decodePacket(packet);
	return wholeTree(head, bytes);
}

function isPointer(value: unknown): value is Pointer {
	return typeof value === 'object' && value !== null && '$bytes' in value;
}
