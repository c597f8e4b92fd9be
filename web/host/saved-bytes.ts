/**
 * Lists and records with byte arrays in them, as bytes.
 * Owns: taking the arrays out of the JSON, which points at them, and putting them back. Packets carry both.
 */

import { decodePacket, packetPieces } from '../../shared/transport/packet.ts';

/** Offset and length of a byte array among all of them. */
interface Pointer {
	readonly $bytes: readonly [from: number, length: number];
}

/** A tree in parts: JSON that points into the arrays, and the arrays in order. */
export interface PointedTree {
	readonly json: string;
	readonly arrays: readonly Uint8Array[];
}

/** Takes the byte arrays out of a tree. Nothing is copied. */
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

/** Puts the byte arrays back, each as a copy. Throws a RangeError if they are cut off. */
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

/** Returns a tree as a packet, in pieces that follow one another. */
export function encodeTree(tree: object): Uint8Array[] {
	const { json, arrays } = pointedTree(tree);
	return packetPieces(json, arrays);
}

/** Reverses `encodeTree`, with all pieces in one. Throws a RangeError when they are cut off. */
export function decodeTree(packet: Uint8Array): unknown {
	const { head, bytes } = decodePacket(packet);
	return wholeTree(head, bytes);
}

function isPointer(value: unknown): value is Pointer {
	return typeof value === 'object' && value !== null && '$bytes' in value;
}
