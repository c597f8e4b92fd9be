/**
 * Writes PNG files byte for byte, without colour management.
 * Owns: the file format (8-bit RGB, no interlace). Never: touches a canvas.
 */

import { zlibSync } from 'fflate';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Encodes a picture as an opaque 8-bit RGB PNG. `rgba` has 4 bytes a pixel, rows from top to bottom; alpha is dropped.
 * Throws a RangeError when the bytes do not fit the size.
 */
export function encodePng(width: number, height: number, rgba: Uint8Array): Uint8Array {
	if (rgba.length !== width * height * 4) {
		throw new RangeError(
			`A picture of ${width} x ${height} needs ${width * height * 4} bytes, got ${rgba.length}.`,
		);
	}
	const header = new Uint8Array(13);
	const view = new DataView(header.buffer);
	view.setUint32(0, width);
	view.setUint32(4, height);
	header.set([8, 2, 0, 0, 0], 8);
	const chunks = [
		chunk('IHDR', header),
		chunk('IDAT', zlibSync(scanlines(width, height, rgba), { level: 1 })),
		chunk('IEND', new Uint8Array(0)),
	];
	const png = new Uint8Array(SIGNATURE.length + chunks.reduce((sum, part) => sum + part.length, 0));
	png.set(SIGNATURE);
	let at = SIGNATURE.length;
	for (const part of chunks) {
		png.set(part, at);
		at += part.length;
	}
	return png;
}

/** Rows of RGB with the filter "up" (each byte less the one above it), which suits flat areas. */
function scanlines(width: number, height: number, rgba: Uint8Array): Uint8Array {
	const stride = width * 3 + 1;
	const out = new Uint8Array(stride * height);
	for (let y = 0; y < height; y++) {
		let to = y * stride;
		out[to++] = y === 0 ? 0 : 2;
		let from = y * width * 4;
		const above = width * 4;
		for (let x = 0; x < width; x++, from += 4) {
			for (let band = 0; band < 3; band++) {
				const here = rgba[from + band]!;
				out[to++] = y === 0 ? here : here - rgba[from + band - above]!;
			}
		}
	}
	return out;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
	const out = new Uint8Array(12 + data.length);
	const view = new DataView(out.buffer);
	view.setUint32(0, data.length);
	for (let index = 0; index < 4; index++) out[4 + index] = type.charCodeAt(index);
	out.set(data, 8);
	view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
	return out;
}

const CRC_TABLE = new Uint32Array(256).map((_, index) => {
	let value = index;
	for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
	return value;
});

function crc32(bytes: Uint8Array): number {
	let crc = 0xffffffff;
	for (let index = 0; index < bytes.length; index++) {
		crc = CRC_TABLE[(crc ^ bytes[index]!) & 0xff]! ^ (crc >>> 8);
	}
	return (crc ^ 0xffffffff) >>> 0;
}
