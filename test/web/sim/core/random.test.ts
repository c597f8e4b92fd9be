/** Philox 4x32-10, compared with the published results of its authors, and uniform draws. */

import { describe, expect, test } from 'vitest';
import { philox, uniformBelow } from '../../../../web/sim/core/random.ts';

const ALL = 0xffffffff;

describe('Philox equals the published values of Random123', () => {
	test.each([
		{
			name: 'all zero',
			counter: [0, 0, 0, 0],
			key: [0, 0],
			answer: [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
		},
		{
			name: 'all ones',
			counter: [ALL, ALL, ALL, ALL],
			key: [ALL, ALL],
			answer: [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
		},
		{
			name: 'digits of pi',
			counter: [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
			key: [0xa4093822, 0x299f31d0],
			answer: [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
		},
	] as const)('$name', ({ counter, key, answer }) => {
		expect(philox(counter, key)).toEqual(answer);
	});
});

describe('a draw below a bound', () => {
	const words = (list: number[]) => () => {
		const next = list.shift();
		if (next === undefined) throw new Error('drew more words than expected');
		return next;
	};

	test('takes the remainder of 64 bits', () => {
		expect(uniformBelow(10n, words([0, 123]))).toBe(3n);
		expect(uniformBelow(1n, words([7, 7]))).toBe(0n);
		expect(uniformBelow(2n ** 64n, words([1, 2]))).toBe(2n ** 32n + 2n);
	});

	test('rejects words that would favour low values, and draws again', () => {
		// 2^64 = 6 mod 10: the last six values are one too many for the lowest six.
		expect(uniformBelow(10n, words([ALL, ALL, 0, 4]))).toBe(4n);
		expect(uniformBelow(10n, words([ALL, ALL - 5, 0, 4]))).toBe(4n);
		expect(uniformBelow(10n, words([ALL, ALL - 6]))).toBe((2n ** 64n - 7n) % 10n);
	});

	test('takes more words for a larger bound', () => {
		expect(uniformBelow(2n ** 64n + 1n, words([1, 0, 0]))).toBe(2n ** 64n);
	});

	test('needs at least one option', () => {
		expect(() => uniformBelow(0n, () => 0)).toThrow(RangeError);
	});
});
