/**
 * A frame as bytes, for views in other tabs than the engine's.
 * Owns: the format: a packet whose bytes are the arrays, each at a multiple of four bytes. The head has the offset and the type
 * of each array.
 */

import { decodePacket, encodePackets } from '../../shared/transport/packet.ts';
import type { Frame } from './frames.ts';

/** Media type of an encoded frame. */
export const FRAME_TYPE = 'application/vnd.orrery.frame';

/** Array types whose elements have at most four bytes. */
const ARRAY_TYPES = {
	Float32Array,
	Int8Array,
	Int16Array,
	Int32Array,
	Uint8Array,
	Uint8ClampedArray,
	Uint16Array,
	Uint32Array,
} as const;
type Kind = keyof typeof ARRAY_TYPES;

/** Array type, offset in bytes, and number of elements of an array. */
interface Pointer {
	readonly $array: readonly [kind: Kind, from: number, count: number];
}

/** Encodes a frame as a packet. */
export function encodeFrame(frame: Frame): Uint8Array {
	const arrays: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
	let size = 0;
	const json = JSON.stringify(frame, (_, value: unknown) => {
		if (!ArrayBuffer.isView(value)) return value;
		const kind = value.constructor.name as Kind;
		const pointer: Pointer = { $array: [kind, size, value.byteLength / ARRAY_TYPES[kind].BYTES_PER_ELEMENT] };
		arrays.push({ offset: size, bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength) });
		size += Math.ceil(value.byteLength / 4) * 4;
		return pointer;
	});
	const bytes = new Uint8Array(size);
	for (const array of arrays) bytes.set(array.bytes, array.offset);
	return encodePackets([{ head: json, bytes }]);
}

/**
 * Decodes a frame of `encodeFrame`. Also returns the new buffers of its arrays, for a transfer. Throws a RangeError if the bytes are cut
 * off.
 */
export function decodeFrame(packet: Uint8Array): { frame: Frame; buffers: ArrayBuffer[] } {
	const buffers: ArrayBuffer[] = [];
	const { head, bytes } = decodePacket(packet);
	const restore = (value: unknown): unknown => {
		if (isPointer(value)) {
			const [kind, from, count] = value.$array;
			const length = count * ARRAY_TYPES[kind].BYTES_PER_ELEMENT;
			if (from + length > bytes.length) throw new RangeError('the frame is cut off');
			const { buffer } = bytes.slice(from, from + length);
			buffers.push(buffer);
			return new ARRAY_TYPES[kind](buffer);
		}
		if (Array.isArray(value)) return value.map(restore);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, restore(inner)]));
	};
	return { frame: restore(head) as Frame, buffers };
}

function isPointer(value: unknown): value is Pointer {
	return typeof value === 'object' && value !== null && '$array' in value;
}
