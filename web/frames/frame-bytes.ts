/**
 * A frame as bytes, for views in other tabs than the engine's.
 * Owns: the format: a packet whose bytes are the arrays, each at a multiple of four bytes. The head has the position and type of each.
 */

import { decodePacket, encodePackets } from '../../shared/transport/packet.ts';
import type { Frame } from './frames.ts';

/** Media type of an encoded frame. */
export const FRAME_TYPE = 'application/vnd.orrery.frame';

/** Array types whose elements have at most four bytes. */
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

export function encodeFrame(frame: Frame): Uint8Array {
	const arrays: { readonly at: number; readonly bytes: Uint8Array }[] = [];
	let size = 0;
	const json = JSON.stringify(frame, (_, value: unknown) => {
		if (!ArrayBuffer.isView(value)) return value;
		const kind = value.constructor.name as Kind;
		const pointer: Pointer = { $array: [kind, size, value.byteLength / KINDS[kind].BYTES_PER_ELEMENT] };
		arrays.push({ at: size, bytes: new Uint8Array(value.buffer, value.byteOffset, value.byteLength) });
		size += Math.ceil(value.byteLength / 4) * 4;
		return pointer;
	});
	const bytes = new Uint8Array(size);
	for (const array of arrays) bytes.set(array.bytes, array.at);
	return encodePackets([{ head: json, bytes }]);
}

/**
 * Decodes a frame of `encodeFrame`. Also returns the new buffers of its arrays, for a transfer. Throws a RangeError if the bytes are cut
 * off.
 */
export function decodeFrame(packet: Uint8Array): { frame: Frame; buffers: ArrayBuffer[] } {
	const buffers: ArrayBuffer[] = [];
	const { head, bytes } = decodePacket(packet);
	const whole = (value: unknown): unknown => {
		if (isPointer(value)) {
			const [kind, from, count] = value.$array;
			const length = count * KINDS[kind].BYTES_PER_ELEMENT;
			if (from + length > bytes.length) throw new RangeError('the frame is cut off');
			const { buffer } = bytes.slice(from, from + length);
			buffers.push(buffer);
			return new KINDS[kind](buffer);
		}
		if (Array.isArray(value)) return value.map(whole);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, whole(of)]));
	};
	return { frame: whole(head) as Frame, buffers };
}

function isPointer(value: unknown): value is Pointer {
	return typeof value === 'object' && value !== null && '$array' in value;
}
