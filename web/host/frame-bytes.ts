/**
 * A frame as bytes, for views that are not in the tab that holds the world.
 * Owns: the layout: length of a JSON head (u32, little-endian), the head, then the arrays, each at a multiple of four
 * bytes from the end of the head on. The head says where each stands and of which kind it is.
 */

import type { Frame } from './frames.ts';

/** The media type of such bytes. */
export const FRAME_TYPE = 'application/vnd.orrery.frame';

/** Every kind whose elements take at most four bytes. */
const KINDS = {
	Float32Array,
	Int8Array,
	Int16Array,
	Int32Array,
	Uint8Array,
	Uint8ClampedArray,
	Uint16Array,
	Uint32Array,
} as const;
type Kind = keyof typeof KINDS;

interface Pointer {
	readonly $array: readonly [kind: Kind, from: number, count: number];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeFrame(frame: Frame): Uint8Array {
	const arrays: { readonly at: number; readonly bytes: Uint8Array }[] = [];
	let size = 0;
	const head = encoder.encode(
		JSON.stringify(frame, (_, value: unknown) => {
			if (!ArrayBuffer.isView(value)) return value;
			const kind = value.constructor.name as Kind;
			const pointer: Pointer = { $array: [kind, size, value.byteLength / KINDS[kind].BYTES_PER_ELEMENT] };
			arrays.push({ at: size, bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength) });
			size += Math.ceil(value.byteLength / 4) * 4;
			return pointer;
		}),
	);
	const bytes = new Uint8Array(4 + head.length + size);
	new DataView(bytes.buffer).setUint32(0, head.length, true);
	bytes.set(head, 4);
	for (const array of arrays) bytes.set(array.bytes, 4 + head.length + array.at);
	return bytes;
}

/** The frame that `encodeFrame` wrote, and the buffers of its arrays, which are its own. Throws a RangeError when it is cut off. */
export function decodeFrame(bytes: Uint8Array): { frame: Frame; buffers: ArrayBuffer[] } {
	const buffers: ArrayBuffer[] = [];
	const end = 4 + new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
	const frame = JSON.parse(decoder.decode(bytes.subarray(4, end)), (_, value: unknown) => {
		if (!isPointer(value)) return value;
		const [kind, from, count] = value.$array;
		const length = count * KINDS[kind].BYTES_PER_ELEMENT;
		if (end + from + length > bytes.length) throw new RangeError('the frame is cut off');
		const { buffer } = bytes.slice(end + from, end + from + length);
		buffers.push(buffer);
		return new KINDS[kind](buffer);
	}) as Frame;
	return { frame, buffers };
}

function isPointer(value: unknown): value is Pointer {
	return typeof value === 'object' && value !== null && '$array' in value;
}
