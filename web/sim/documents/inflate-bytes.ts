/** Bytes that came deflated from elsewhere. Owns: the limit by the declared size. */

import { Inflate } from 'fflate';

/** Deflated bytes that are inflated at once: they stand for a thousand times as many at most. */
const AT_ONCE = 16 * 1024;

/**
 * Returns the `size` bytes that these stand for. Throws a RangeError as soon as they are known to stand for more, or
 * for fewer.
 */
export function inflateBytes(deflated: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(size);
	let at = 0;
	const inflate = new Inflate((some) => {
		if (at + some.length > size) throw new RangeError(`it has more than ${size} bytes after decompression`);
		bytes.set(some, at);
		at += some.length;
	});
	for (let from = 0; from < deflated.length; from += AT_ONCE)
		inflate.push(deflated.subarray(from, from + AT_ONCE), from + AT_ONCE >= deflated.length);
	if (at < size) throw new RangeError(`it has fewer than ${size} bytes after decompression`);
	return bytes;
}
