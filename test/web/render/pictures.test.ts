/**
 * The bytes of captured pictures: encodings, row order, PNG files.
 * Owns: rules of `channels.ts` and `png.ts`.
 */

import fc from 'fast-check';
import { decode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import {
	depthMetres,
	flipRows,
	isMarked,
	MARKS,
	makeOpaque,
	segmentationColor,
	segmentationId,
} from '../../../web/render/channels.ts';
import { encodePng } from '../../../web/render/png.ts';
import { check } from '../../support/property.ts';

test('every id reads back from its colour, and black is no entity', async () => {
	await check(100, [fc.integer({ min: 0, max: 0xfffffe })], (id) => {
		expect(segmentationId(...segmentationColor(id))).toBe(id);
	});
	expect(segmentationId(0, 0, 0)).toBeNull();
	expect(segmentationColor(0)).toEqual([1, 0, 0]);
	expect(segmentationColor(255)).toEqual([0, 1, 0]);
});

test('depth is in millimetres, lowest byte first, and white is empty', () => {
	expect(depthMetres(0x39, 0x30, 0)).toBe(12.345);
	expect(depthMetres(255, 255, 255)).toBeNull();
});

test('two flips change nothing, and one reverses the rows', () => {
	const picture = Uint8Array.from({ length: 2 * 3 * 4 }, (_, index) => index);
	const flipped = picture.slice();
	flipRows(2, 3, flipped);
	expect([...flipped.slice(0, 8)]).toEqual([...picture.slice(16)]);
	expect([...flipped.slice(8, 16)]).toEqual([...picture.slice(8, 16)]);
	flipRows(2, 3, flipped);
	expect(flipped).toEqual(picture);
});

test('no picture begins with both marks', () => {
	for (const mark of MARKS)
		expect(MARKS.filter((other) => isMarked(new Uint8Array([...mark, 255]), other))).toEqual([mark]);
});

test('opaque sets every pixel and keeps its colour', () => {
	const picture = Uint8Array.from({ length: 24 }, (_, index) => index * 11);
	const part = picture.subarray(4, 20);
	makeOpaque(part);
	for (const [at, value] of picture.entries())
		expect(value).toBe(at % 4 === 3 && at >= 4 && at < 20 ? 255 : (at * 11) & 255);
});

describe('encodePng', () => {
	test('a decoder reads exactly the red, green and blue bytes that went in', async () => {
		await check(
			40,
			[fc.integer({ min: 1, max: 19 }), fc.integer({ min: 1, max: 13 }), fc.nat()],
			(width, height, seed) => {
				const rgba = Uint8Array.from(
					{ length: width * height * 4 },
					(_, index) => (index * 7919 + seed) % 251,
				);
				const image = decode(encodePng(width, height, rgba));
				expect([image.width, image.height, image.channels, image.depth]).toEqual([width, height, 3, 8]);
				expect([...image.data]).toEqual([...rgba.filter((_, index) => index % 4 !== 3)]);
			},
		);
	});

	test('a wrong number of bytes is refused', () => {
		expect(() => encodePng(2, 2, new Uint8Array(15))).toThrow(RangeError);
	});
});
