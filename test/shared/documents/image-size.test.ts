/** The size of a picture comes from its header, whatever other data its file has. */

import { expect, test } from 'vitest';
import { imageSize } from '../../../shared/documents/image-size.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';

const sizeOf = (...bytes: number[]) => {
	const file = Uint8Array.from([...bytes, ...Array(40).fill(0)]);
	return imageSize(file, mediaTypeOf(file));
};
const text = (word: string) => [...word].map((letter) => letter.charCodeAt(0));
const riff = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBP')];

test.each([
	[
		'PNG',
		[0x89, ...text('PNG\r\n\x1a\n'), 0, 0, 0, 13, ...text('IHDR'), 0, 0, 0x4e, 0x20, 0, 0, 0, 9],
		{ width: 20_000, height: 9 },
	],
	[
		'JPEG with a comment first',
		[0xff, 0xd8, 0xff, 0xfe, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 0x01, 0x02, 0x03, 0x04, 3],
		{ width: 0x304, height: 0x102 },
	],
	[
		'WebP, lossy',
		[...riff, ...text('VP8 '), 0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0x00],
		{ width: 320, height: 240 },
	],
	[
		'WebP, lossless',
		[...riff, ...text('VP8L'), 0, 0, 0, 0, 0x2f, 0x3f, 0xc1, 0x3b, 0x00],
		{ width: 320, height: 240 },
	],
	[
		'WebP, extended',
		[...riff, ...text('VP8X'), 10, 0, 0, 0, 0, 0, 0, 0, 0x3f, 0x01, 0, 0xef, 0, 0],
		{ width: 320, height: 240 },
	],
])('the size of a file: %s', (_, bytes, size) => {
	expect(sizeOf(...bytes)).toEqual(size);
});

test('truncated files, a size of zero and other media types give no size', () => {
	expect(imageSize(Uint8Array.from([0x89, ...text('PNG\r\n\x1a\n')]), 'image/png')).toBeNull();
	expect(sizeOf(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0)).toBeNull();
	expect(sizeOf(...text('OggS'))).toBeNull();
	expect(sizeOf(0x89, ...text('PNG\r\n\x1a\n'), 0, 0, 0, 13, ...text('IHDR'))).toBeNull();
});
