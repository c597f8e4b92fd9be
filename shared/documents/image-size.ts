/** Size of pictures. Owns: reading it off their first bytes, so that none has to be decoded to be refused. */

import type { MediaType } from './media-type.ts';

/** Pixels. */
export interface ImageSize {
	readonly width: number;
	readonly height: number;
}

/** Returns the size of a PNG, JPEG or WebP as its header tells it; null if the header is cut off or tells none. */
export function imageSize(bytes: Uint8Array, media: MediaType): ImageSize | null {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (media === 'image/png') return ofPng(view);
	if (media === 'image/jpeg') return ofJpeg(view);
	return media === 'image/webp' ? ofWebp(view) : null;
}

const sized = (width: number, height: number): ImageSize | null =>
	width > 0 && height > 0 ? { width, height } : null;

/** The header chunk comes first: https://www.w3.org/TR/png-3/#11IHDR */
function ofPng(view: DataView): ImageSize | null {
	if (view.byteLength < 24 || view.getUint32(12) !== 0x49484452) return null;
	return sized(view.getUint32(16), view.getUint32(20));
}

/** Segments follow one another until the one that begins a frame: ITU T.81, B.2. */
function ofJpeg(view: DataView): ImageSize | null {
	let at = 2;
	while (at + 9 <= view.byteLength) {
		if (view.getUint8(at) !== 0xff) return null;
		const marker = view.getUint8(at + 1);
		if (marker === 0xff) {
			// A fill byte.
			at++;
			continue;
		}
		const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (frame) return sized(view.getUint16(at + 7), view.getUint16(at + 5));
		at += 2 + view.getUint16(at + 2);
	}
	return null;
}

/** One of three forms, by the name of the first chunk: https://developers.google.com/speed/webp/docs/riff_container */
function ofWebp(view: DataView): ImageSize | null {
	if (view.byteLength < 30) return null;
	switch (view.getUint32(12)) {
		case 0x56503820: // "VP8 "
			return sized(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
		case 0x5650384c: {
			// "VP8L"
			const bits = view.getUint32(21, true);
			return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
		}
		case 0x56503858: {
			// "VP8X"
			const part = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1;
			return sized(part(24), part(27));
		}
	}
	return null;
}
