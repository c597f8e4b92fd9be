/**
 * Fractions as people read and hear them.
 * Owns: their words and their decimals. Never: rounds a fraction itself.
 */

import type { Fraction } from './odds.ts';

const MINUS = '\u2212';
const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const PARTS: Readonly<Record<string, readonly [one: string, many: string]>> = {
	2: ['half', 'halves'],
	3: ['third', 'thirds'],
	4: ['quarter', 'quarters'],
	5: ['fifth', 'fifths'],
	6: ['sixth', 'sixths'],
	7: ['seventh', 'sevenths'],
	8: ['eighth', 'eighths'],
	9: ['ninth', 'ninths'],
	10: ['tenth', 'tenths'],
	12: ['twelfth', 'twelfths'],
	16: ['sixteenth', 'sixteenths'],
};

/** Returns a whole number of any length in groups of three: `16 777 216`. */
export function groupDigits(whole: string): string {
	return whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** Formats a fraction as `1/8`, with long numbers in groups. */
export function writtenFraction({ num, den }: Fraction): string {
	return den === '1' ? groupDigits(num) : `${groupDigits(num)}/${groupDigits(den)}`;
}

/** Returns a fraction in words: `one eighth`, `five sixteenths`, `5 in 48`, `certain`. */
export function saidFraction({ num, den }: Fraction): string {
	if (num === den) return 'certain';
	const part = PARTS[den];
	const numerator = COUNTS[Number(num)];
	if (part === undefined || numerator === undefined) return oneIn({ num, den });
	return `${numerator} ${part[num === '1' ? 0 : 1]}`;
}

/** Formats a probability with four decimals, `0.1250`; very small ones as `5.96e−8`. */
export function decimal(p: number): string {
	return p >= 0.00005 || p === 0 ? p.toFixed(4) : p.toExponential(2).replace('-', MINUS);
}

/** Formats a fraction as `1 in 8`. */
export function oneIn({ num, den }: Fraction): string {
	return `${groupDigits(num)} in ${groupDigits(den)}`;
}
