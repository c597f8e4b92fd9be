/** Size of pictures. Owns: reading the size from the first bytes, so that a picture that is too large is refused without decoding. */

import type { MediaType } from './media-type.ts';

/** Size in pixels. */
export interface ImageSize {
	readonly width: number;
	readonly height: number;
}

/** Returns the size in the header of a PNG, JPEG or WebP; null if the header is incomplete or has no size. */
export function imageSize(bytes: Uint8Array, media: MediaType): ImageSize | null {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (media === 'image/png') return pngSize(view);
	if (media === 'image/jpeg') return jpegSize(view);
	return media === 'image/webp' ? webpSize(view) : null;
}

const validSize = (width: number, height: number): ImageSize | null =>
	width > 0 && height > 0 ? { width, height } : null;

/** Returns the size in the header chunk, which is the first: https://www.w3.org/TR/png-3/#11IHDR */
function pngSize(view: DataView): ImageSize | null {
	if (view.byteLength < 24 || view.getUint32(12) !== 0x49484452) return null;
	return validSize(view.getUint32(16), view.getUint32(20));
}

/** Returns the size in the segment that begins a frame. Other segments come before it: ITU T.81, B.2. */
function jpegSize(view: DataView): ImageSize | null {
	let offset = 2;
	while (offset + 9 <= view.byteLength) {
		if (view.getUint8(offset) !== 0xff) return null;
		const marker = view.getUint8(offset + 1);
		if (marker === 0xff) {
			// This is a fill byte.
			offset++;
			continue;
		}
		const startsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (startsFrame) return validSize(view.getUint16(offset + 7), view.getUint16(offset + 5));
		offset += 2 + view.getUint16(offset + 2);
	}
	return null;
}

/** Returns the size in the first chunk, which has one of three forms: https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(view: DataView): ImageSize | null {
	if (view.byteLength < 30) return null;
	switch (view.getUint32(12)) {
		case 0x56503820: // "VP8 "
			return validSize(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
		case 0x5650384c: {
			// "VP8L"
			const bits = view.getUint32(21, true);
			return validSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
		}
		case 0x56503858: {
			// "VP8X"
			const sizeAt = (offset: number) =>
				view.getUint16(offset, true) + view.getUint8(offset + 2) * 65_536 + 1;
			return validSize(sizeAt(24), sizeAt(27));
		}
	}
	return null;
}
