/**
 * Formatting and reading of numbers.
 * Owns: the cases of numbers.ts.
 */

import { describe, expect, it } from 'vitest';
import {
	axisDigits,
	count,
	exactNumber,
	formatBytes,
	formatMs,
	formatNumber,
	formatTime,
	readNumber,
} from '../../../web/ui/numbers.ts';

const THIN = '\u202f';
const MINUS = '\u2212';

describe('formatNumber', () => {
	it.each([
		[0, '0'],
		[-0, '0'],
		[43_447, `43${THIN}447`],
		[1_234_567, `1${THIN}234${THIN}567`],
		[999, '999'],
		[-3.51, `${MINUS}3.51`],
		[0.1 + 0.2, '0.3'],
		[-0.0004, `${MINUS}4.00e${MINUS}4`],
		[1e21, '1.00e+21'],
	])('writes %d', (value, text) => expect(formatNumber(value)).toBe(text));

	it('keeps at most the requested digits', () => {
		expect(formatNumber(47.6, 0)).toBe('48');
		expect(formatNumber(-1.005, 2)).toBe(`${MINUS}1`);
	});
});

it('shortens numbers so that three fit in a row', () => {
	const short = (value: number) => formatNumber(value, axisDigits(value));
	expect([-6.9362, 99.996, -123.456, 999.96, -4321.5].map(short)).toEqual([
		`${MINUS}6.94`,
		'100',
		`${MINUS}123.5`,
		`1${THIN}000`,
		`${MINUS}4${THIN}322`,
	]);
});

describe('readNumber', () => {
	it.each([
		['6.84', 6.84],
		[`${MINUS}3.51`, -3.51],
		['-3.51', -3.51],
		[`43${THIN}447`, 43_447],
		['1,5', 1.5],
		['.5', 0.5],
		['1e-3', 0.001],
	])('reads %s', (text, value) => expect(readNumber(text)).toBe(value));

	it.each(['', 'abc', '1.2.3', '--1', '1e999', 'NaN', 'Infinity', '0x10'])('refuses %s', (text) =>
		expect(readNumber(text)).toBeNull(),
	);

	it('restores a number from its exact text', () => {
		for (const value of [0.1, -1e-7, 123456.789, -0.000123])
			expect(readNumber(exactNumber(value))).toBe(value);
	});
});

it('writes times, milliseconds, bytes and counts', () => {
	expect(formatTime(0)).toBe('0.0 s');
	expect(formatTime(43_447)).toBe('12 min 4.1 s');
	expect(formatTime(60)).toBe('1.0 s');
	expect(formatTime(3599)).toBe('1 min 0.0 s');
	expect(formatTime(60 * 3600 * 2 + 60 * 60)).toBe('2 h 1 min');
	expect(formatMs(0.42)).toBe('0.4');
	expect(formatMs(1234.5)).toBe(`1${THIN}235`);
	expect(formatBytes(1)).toBe('1 byte');
	expect(formatBytes(96)).toBe('96 bytes');
	expect(formatBytes(2100)).toBe('2.1 kB');
	expect(formatBytes(38_400)).toBe('38 kB');
	expect(formatBytes(2_100_000)).toBe('2.1 MB');
	expect(count(1, 'fork')).toBe('1 fork');
	expect(count(2, 'entity', 'entities')).toBe('2 entities');
});
