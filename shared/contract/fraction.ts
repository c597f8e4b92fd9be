/**
 * Exact fractions of whole numbers, so that probabilities are never rounded.
 * Owns: their arithmetic, and their two text forms: that of callers and that of answers.
 * Never: imports the schema library, so that pages that only read odds stay small.
 */

/** Fraction `num / den` in lowest terms. `den` is above 0. */
export interface Fraction {
	readonly num: bigint;
	readonly den: bigint;
}

function gcd(a: bigint, b: bigint): bigint {
	let [x, y] = [a < 0n ? -a : a, b];
	while (y !== 0n) [x, y] = [y, x % y];
	return x;
}

/** Maximum bits of the common denominator of a list. Exact calculation stays fast below it. */
export const MAX_COMMON_BITS = 512;

/** Returns the least common denominator of a list; null if it exceeds MAX_COMMON_BITS. */
export function commonDenominator(fractions: readonly Fraction[]): bigint | null {
	let common = 1n;
	for (const { den } of fractions) {
		common *= den / gcd(common, den);
		if (bitsOf(common) > MAX_COMMON_BITS) return null;
	}
	return common;
}

export function fraction(num: bigint, den = 1n): Fraction {
	if (den === 0n) throw new RangeError('a fraction needs a denominator other than zero');
	const sign = den < 0n ? -1n : 1n;
	const divisor = gcd(num, den * sign) || 1n;
	return { num: (num * sign) / divisor, den: (den * sign) / divisor };
}

export function addFractions(a: Fraction, b: Fraction): Fraction {
	return fraction(a.num * b.den + b.num * a.den, a.den * b.den);
}

export function subtractFractions(a: Fraction, b: Fraction): Fraction {
	return fraction(a.num * b.den - b.num * a.den, a.den * b.den);
}

export function multiplyFractions(a: Fraction, b: Fraction): Fraction {
	return fraction(a.num * b.num, a.den * b.den);
}

/** Fraction whose denominator is a product of many factors, such as the odds of many draws. It is not in lowest terms. */
export interface LongFraction {
	readonly num: bigint;
	readonly dens: readonly bigint[];
}

const MAX_SMALL = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns the product of numbers as a JavaScript number; null if it is too large. */
function smallProductOf(numbers: readonly bigint[]): number | null {
	let product = 1;
	for (const number of numbers) {
		if (number > MAX_SMALL) return null;
		product *= Number(number);
		if (product > Number.MAX_SAFE_INTEGER) return null;
	}
	return product;
}

function reduceSmall(num: number, den: number): Fraction {
	let [a, b] = [num, den];
	while (b !== 0) [a, b] = [b, a % b];
	return { num: BigInt(num / a), den: BigInt(den / a) };
}

/** Returns the product of numbers. It multiplies halves, because products of equally long numbers are faster. */
function productOf(numbers: readonly bigint[]): bigint {
	if (numbers.length < 2) return numbers[0] ?? 1n;
	const small = smallProductOf(numbers);
	if (small !== null) return BigInt(small);
	const half = numbers.length >> 1;
	return productOf(numbers.slice(0, half)) * productOf(numbers.slice(half));
}

/**
 * Returns a fraction in lowest terms. The factors of the denominator are reduced one by one with short divisions. A
 * greatest common divisor of the whole product would take many long divisions.
 */
export function reduceFraction({ num, dens }: LongFraction): Fraction {
	if (num === 0n) return { num, den: 1n };
	const small = smallProductOf(dens);
	if (small !== null && num > 0n && num <= MAX_SMALL) return reduceSmall(Number(num), small);
	let [rest, den] = [num, 1n];
	for (const factor of dens) {
		let remaining = factor;
		for (;;) {
			const shared = gcd(rest % remaining, remaining);
			if (shared === 1n) break;
			rest /= shared;
			remaining /= shared;
		}
		den *= remaining;
	}
	return { num: rest, den };
}

/** Sum of long fractions. It is reduced to lowest terms once, at the end. */
export class LongSum {
	/** Terms of the sum by their denominator. Outcomes of the same draws share one. */
	readonly #parts = new Map<bigint, LongFraction>();

	add({ num, dens }: LongFraction): void {
		const den = productOf(dens);
		const sum = (this.#parts.get(den)?.num ?? 0n) + num;
		this.#parts.set(den, { num: sum, dens });
	}

	/** Returns the sum. Terms are added in pairs, so that most sums are short. */
	total(): Fraction {
		let parts = [...this.#parts.values()];
		while (parts.length > 1)
			parts = parts.flatMap((part, i) => (i % 2 === 1 ? [] : [addLongFractions(part, parts[i + 1] ?? ZERO)]));
		return reduceFraction(parts[0] ?? ZERO);
	}
}

const ZERO: LongFraction = { num: 0n, dens: [] };

function addLongFractions(a: LongFraction, b: LongFraction): LongFraction {
	const onlyInB = withoutItems(b.dens, a.dens);
	const onlyInA = withoutItems(a.dens, b.dens);
	const num = a.num * productOf(onlyInB) + b.num * productOf(onlyInA);
	return { num, dens: [...a.dens, ...onlyInB] };
}

/** Returns a list without the items of another. Repeated items count separately. */
function withoutItems(list: readonly bigint[], other: readonly bigint[]): bigint[] {
	const counts = new Map<bigint, number>();
	for (const number of other) counts.set(number, (counts.get(number) ?? 0) + 1);
	return list.filter((candidate) => {
		const remaining = counts.get(candidate) ?? 0;
		counts.set(candidate, remaining - 1);
		return remaining <= 0;
	});
}

export function divideFractions(a: Fraction, b: Fraction): Fraction {
	return fraction(a.num * b.den, a.den * b.num);
}

/** Returns a number above 0 if `a` is greater than `b`, below 0 if it is less, and 0 if they are equal. */
export function compareFractions(a: Fraction, b: Fraction): number {
	const { num } = subtractFractions(a, b);
	return num > 0n ? 1 : num < 0n ? -1 : 0;
}

/** Fraction in answers. Its parts are texts of digits, because JSON readers lose precision in large numbers. */
export interface WrittenFraction {
	readonly num: string;
	readonly den: string;
}

export function writeFraction({ num, den }: Fraction): WrittenFraction {
	return { num: num.toString(), den: den.toString() };
}

export function readFraction({ num, den }: WrittenFraction): Fraction {
	return fraction(BigInt(num), BigInt(den));
}

/** Reads `3`, `0.25`, `"0.25"` or `"1/4"` exactly as written; null if it is none of these or negative. */
export function parseFraction(value: number | string): Fraction | null {
	const text = typeof value === 'number' ? decimal(value) : value.trim();
	const ratio = /^(\d{1,40})\/(\d{1,40})$/.exec(text);
	if (ratio) return BigInt(ratio[2]!) === 0n ? null : fraction(BigInt(ratio[1]!), BigInt(ratio[2]!));
	const parts = /^(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text);
	if (!parts) return null;
	const digits = parts[2] ?? '';
	return fraction(BigInt(parts[1]! + digits), 10n ** BigInt(digits.length));
}

/** Returns a number's shortest decimal without an exponent. */
function decimal(value: number): string {
	const [mantissa = '', exponent] = String(value).split('e');
	if (exponent === undefined) return mantissa;
	const [whole = '', digits = ''] = mantissa.split('.');
	const shift = Number(exponent);
	if (shift < 0) return `0.${'0'.repeat(-shift - 1)}${whole}${digits}`;
	return whole + digits.padEnd(shift, '0');
}

/** Returns the nearest 64-bit number. */
export function toNumber({ num, den }: Fraction): number {
	// The quotient has at least 64 bits. Its last bit is set if there is a remainder, so that it is rounded correctly.
	const shift = Math.max(0, 64 + bitsOf(den) - bitsOf(num));
	const wide = num << BigInt(shift);
	const quotient = wide / den;
	const value = Number(wide % den === 0n ? quotient : quotient | 1n);
	// Two divisions, because 2 to the power of a large shift would be infinite.
	const half = Math.floor(shift / 2);
	return value / 2 ** half / 2 ** (shift - half);
}

/** Returns the number of bits of a number, rounded up to a multiple of four. */
export function bitsOf(value: bigint): number {
	return value.toString(16).length * 4;
}
