/**
 * Fractions in words and decimals.
 * Owns: the cases of fraction-words.ts.
 */

import { describe, expect, it } from 'vitest';
import {
	decimal,
	groupDigits,
	oneIn,
	saidFraction,
	writtenFraction,
} from '../../../../web/ui/odds/fraction-words.ts';

const THIN = '\u202f';
const of = (num: string, den: string) => ({ num, den });

describe('saidFraction', () => {
	it.each([
		['1', '8', 'one eighth'],
		['5', '16', 'five sixteenths'],
		['1', '2', 'one half'],
		['3', '4', 'three quarters'],
		['5', '48', '5 in 48'],
		['11', '12', '11 in 12'],
		['1', '1', 'certain'],
		['1', '16777216', `1 in 16${THIN}777${THIN}216`],
	])('says %s/%s', (num, den, words) => expect(saidFraction(of(num, den))).toBe(words));
});

it('writes fractions with their digits in groups', () => {
	expect(writtenFraction(of('3', '64'))).toBe('3/64');
	expect(writtenFraction(of('1', '1'))).toBe('1');
	expect(writtenFraction(of('390625', '4738381338321616896'))).toBe(
		`390${THIN}625/4${THIN}738${THIN}381${THIN}338${THIN}321${THIN}616${THIN}896`,
	);
	expect(oneIn(of('5', '1600'))).toBe(`5 in 1${THIN}600`);
	expect(groupDigits('12')).toBe('12');
});

it('rounds decimals, and uses powers of ten for tiny values', () => {
	expect(decimal(0.125)).toBe('0.1250');
	expect(decimal(1 / 6)).toBe('0.1667');
	expect(decimal(0.00005)).toBe('0.0001');
	expect(decimal(0.0000499)).toBe('4.99e\u22125');
	expect(decimal(0)).toBe('0.0000');
});
