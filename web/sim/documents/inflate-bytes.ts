/** Decompression of untrusted bytes. Owns: the limit by the declared size. */

import { Inflate } from 'fflate';

/** Compressed bytes per step. They decompress to at most about a thousand times as many bytes. */
const STEP_BYTES = 16 * 1024;

/**
 * Decompresses bytes to exactly `size` bytes. Throws a RangeError if the result has another size, and stops as soon as it
 * is too large.
 */
export function inflateBytes(deflated: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(size);
	let length = 0;
	const inflate = new Inflate((piece) => {
		if (length + piece.length > size)
			throw new RangeError(`it has more than ${size} bytes after decompression`);
		bytes.set(piece, length);
		length += piece.length;
	});
	for (let from = 0; from < deflated.length; from += STEP_BYTES)
		inflate.push(deflated.subarray(from, from + STEP_BYTES), from + STEP_BYTES >= deflated.length);
	if (length < size) throw new RangeError(`it has fewer than ${size} bytes after decompression`);
	return bytes;
}
