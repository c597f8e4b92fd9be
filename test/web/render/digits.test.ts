/** The digits of damage numbers differ from each other, and none extends beyond its cell. */

import { expect, test } from 'vitest';
import { CELL_HEIGHT, digitTexture, strokeDistance } from '../../../web/render/digits.ts';

const DIGITS = Array.from({ length: 10 }, (_, digit) => digit);

/** Returns the cell as rows of ink. */
const drawDigit = (digit: number) =>
	Array.from({ length: 12 }, (_, row) =>
		Array.from({ length: 8 }, (_, column) =>
			strokeDistance(digit, (column + 0.5) / 8, ((row + 0.5) / 12) * CELL_HEIGHT) < 0.12 ? '#' : '.',
		).join(''),
	);

test('no two digits look similar', () => {
	for (const number of DIGITS)
		for (const other of DIGITS.slice(0, number)) {
			const [a, b] = [drawDigit(number).join(''), drawDigit(other).join('')];
			const difference = [...a].filter((cell, at) => cell !== b[at]).length;
			expect(difference, `${number} and ${other}`).toBeGreaterThanOrEqual(6);
		}
});

test('a nine is a six upside down, and an eight and a zero are symmetric', () => {
	const rotate = (rows: string[]) => rows.map((row) => [...row].reverse().join('')).reverse();
	expect(drawDigit(9)).toEqual(rotate(drawDigit(6)));
	expect(drawDigit(0)).toEqual(rotate(drawDigit(0)));
});

test('the edges of all cells are empty, so that neighbours do not bleed', () => {
	const { data, width, height } = digitTexture().image as unknown as {
		data: Uint8Array;
		width: number;
		height: number;
	};
	for (let row = 0; row < height; row++)
		for (let digit = 0; digit < 10; digit++)
			for (const column of [digit * 32, digit * 32 + 31])
				expect(data[row * width + column]).toBeLessThan(200);
});
