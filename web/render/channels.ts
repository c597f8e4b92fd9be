/**
 * Encoding of captured pictures, and the steps after reading back.
 * Owns: the encodings of segmentation and depth, the order of rows, and the marks that detect undrawn
 * pictures. Never: draws.
 */

import type { Channel } from '../frames/frames.ts';

/** Depth of an empty pixel (mm). */
export const EMPTY_DEPTH_MM = 0xffffff;

/** Returns the colour of an entity in the segmentation channel: `id + 1`, lowest byte in red. */
export function segmentationColor(id: number): [number, number, number] {
	const code = id + 1;
	return [code & 255, (code >>> 8) & 255, (code >>> 16) & 255];
}

/** Returns the entity id of a segmentation pixel, or null if there is no entity. */
export function segmentationId(red: number, green: number, blue: number): number | null {
	const code = red + green * 256 + blue * 65536;
	return code === 0 ? null : code - 1;
}

/**
 * Returns the metres along the view axis of a depth pixel, exact to half a millimetre; null for an empty
 * pixel.
 */
export function depthMetres(red: number, green: number, blue: number): number | null {
	const mm = red + green * 256 + blue * 65536;
	return mm === EMPTY_DEPTH_MM ? null : mm / 1000;
}

/** Returns the clear colour of a channel as three bytes. */
export function clearBytes(channel: Channel): [number, number, number] {
	return channel === 'depth' ? [255, 255, 255] : [0, 0, 0];
}

/** Turns a picture upside down in place, because WebGL 2 reads the bottom row first. 4 bytes per pixel. */
export function flipRows(width: number, height: number, rgba: Uint8Array): void {
	const stride = width * 4;
	const savedRow = new Uint8Array(stride);
	for (let top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
		const a = rgba.subarray(top * stride, top * stride + stride);
		const b = rgba.subarray(bottom * stride, bottom * stride + stride);
		savedRow.set(a);
		a.set(b);
		b.set(savedRow);
	}
}

/** Colour that fills a target before a picture is drawn. A drawn picture covers all of it. */
export type Mark = readonly [number, number, number];

/** Two marks, because a correct picture may begin with the colour of one of them. */
export const MARKS: readonly Mark[] = [
	[255, 0, 255],
	[0, 255, 0],
];

/** Returns true if a picture still begins with the mark. */
export function isMarked(rgba: Uint8Array, mark: Mark): boolean {
	return mark.every((byte, index) => rgba[index] === byte);
}

/** True on little-endian machines. */
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Makes every pixel opaque in place. 4 bytes per pixel; their offset in the buffer must be a multiple of 4. */
export function makeOpaque(rgba: Uint8Array): void {
	const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length >> 2);
	// Writing whole pixels is faster than writing every fourth byte.
	const alpha = IS_LITTLE_ENDIAN ? 0xff000000 : 0x000000ff;
	for (let index = 0; index < pixels.length; index++) pixels[index] = pixels[index]! | alpha;
}
