/** Exact fractions: reading, arithmetic, and the nearest 64-bit number. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	addFractions,
	compareFractions,
	divideFractions,
	fraction,
	LongSum,
	multiplyFractions,
	parseFraction,
	readFraction,
	reduceFraction,
	toNumber,
	writeFraction,
} from '../../../shared/contract/fraction.ts';
import { writtenFraction } from '../../../shared/contract/written-fraction.ts';
import { check, SEED } from '../../support/property.ts';

describe('reading', () => {
	test.each([
		[3, 3n, 1n],
		[0, 0n, 1n],
		[0.25, 1n, 4n],
		[0.1, 1n, 10n],
		[1e-7, 1n, 10_000_000n],
		[1.5e21, 1_500_000_000_000_000_000_000n, 1n],
		['0.25', 1n, 4n],
		['1/3', 1n, 3n],
		[' 2/8 ', 1n, 4n],
		['0/5', 0n, 1n],
		['007', 7n, 1n],
	] as const)('%j', (written, num, den) => {
		expect(parseFraction(written)).toEqual({ num, den });
	});

	test.each([
		-1,
		'-1',
		'1/0',
		'1/-2',
		'',
		'x',
		'1/2/3',
		'.5',
		'1.',
		'1e3',
		Number.NaN,
		Number.POSITIVE_INFINITY,
	])('%j is no fraction', (written) => {
		expect(parseFraction(written)).toBeNull();
	});
});

test('fractions are stored in lowest terms with the sign above', () => {
	expect(fraction(4n, -6n)).toEqual({ num: -2n, den: 3n });
	expect(fraction(0n, 9n)).toEqual({ num: 0n, den: 1n });
	expect(() => fraction(1n, 0n)).toThrow(RangeError);
});

const any = fc
	.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 30n }))
	.map(([num, den]) => fraction(num, den));

test(`sums, products and quotients undo each other (seed ${SEED})`, () =>
	check(200, [any, any], (a, b) => {
		expect(addFractions(addFractions(a, b), fraction(-b.num, b.den))).toEqual(a);
		if (b.num !== 0n) expect(multiplyFractions(divideFractions(a, b), b)).toEqual(a);
		expect(addFractions(a, b)).toEqual(addFractions(b, a));
	}));

test(`sums of long products are those of short steps (seed ${SEED})`, () => {
	// Small ones share factors, also several times.
	const small = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 60 }));
	const few = small.map(([num, den]) => ({ num: BigInt(num), den: BigInt(den) }));
	const factors = fc.array(fc.oneof(few, any), { maxLength: 8 });
	return check(200, [fc.array(factors, { maxLength: 6 })], (products) => {
		const sum = new LongSum();
		const steps = products.map((product) => product.map(({ num, den }) => fraction(num, den)));
		products.forEach((product, i) => {
			const long = {
				num: product.reduce((all, { num }) => all * num, 1n),
				dens: product.map(({ den }) => den),
			};
			expect(reduceFraction(long)).toEqual(steps[i]!.reduce(multiplyFractions, fraction(1n)));
			sum.add(long);
		});
		const added = steps.map((step) => step.reduce(multiplyFractions, fraction(1n)));
		expect(sum.total()).toEqual(added.reduce(addFractions, fraction(0n)));
	});
});

test(`the nearest number is within half a step (seed ${SEED})`, () =>
	check(200, [any], (a) => {
		const number = toNumber(a);
		const scaled = Number((a.num * 10n ** 40n) / a.den) / 1e40;
		expect(Math.abs(number - scaled)).toBeLessThanOrEqual(Math.abs(scaled) * 1e-15 + 2 ** -63);
	}));

test('the nearest numbers of plain fractions are what JavaScript prints', () => {
	for (const [num, den] of [
		[1n, 3n],
		[2n, 3n],
		[1n, 10n],
		[7n, 1n],
		[999n, 1000n],
	] as const)
		expect(toNumber(fraction(num, den))).toBe(Number(num) / Number(den));
});

describe('in answers', () => {
	test('a written fraction reads back, and compares by value', async () => {
		const whole = fc.bigInt({ min: 0n, max: 10n ** 30n });
		await check(100, [whole, whole, whole, whole], (a, b, c, d) => {
			const [x, y] = [fraction(a, b + 1n), fraction(c, d + 1n)];
			expect(readFraction(JSON.parse(JSON.stringify(writeFraction(x))))).toEqual(x);
			expect(writtenFraction.parse(writeFraction(x))).toEqual(writeFraction(x));
			const [left, right] = [a * (d + 1n), c * (b + 1n)];
			expect(compareFractions(x, y)).toBe(left > right ? 1 : left < right ? -1 : 0);
		});
	});
});
