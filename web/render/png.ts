/**
 * Encoding of pictures as PNG files, without colour management: red, green and blue, one byte each.
 * Never: touches a canvas.
 */

import { encode } from 'fast-png';

/**
 * Encodes a picture as an opaque 8-bit RGB PNG. `rgba` has 4 bytes per pixel, with rows from top to bottom; alpha is dropped.
 * Throws a RangeError if the number of bytes does not fit the size.
 */
export function encodePng(width: number, height: number, rgba: Uint8Array): Uint8Array {
	if (rgba.length !== width * height * 4) {
		throw new RangeError(
			`A picture of ${width} x ${height} needs ${width * height * 4} bytes, got ${rgba.length}.`,
		);
	}
	const data = new Uint8Array(width * height * 3);
	for (let source = 0, target = 0; source < rgba.length; source += 4) {
		data[target++] = rgba[source]!;
		data[target++] = rgba[source + 1]!;
		data[target++] = rgba[source + 2]!;
	}
	// Fast compression is preferred, because most pictures are viewed only once.
	return encode({ width, height, data, channels: 3, depth: 8 }, { zlib: { level: 1 } });
}
