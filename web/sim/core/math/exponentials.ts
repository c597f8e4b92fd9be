/**
 * Exponential, natural logarithm and power, each within 1 ulp.
 * Owns: their polynomials.
 *
 * Ported from fdlibm 5.3 (e_exp.c, e_log.c, e_pow.c), whose notice reads:
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc.
 * business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this
 * notice is preserved.
 */

import { double, HIGH, highWord, LOW, upperPart, words } from './double-words.ts';

const LN2_UPPER = 0.6931471803691238;
const LN2_LOWER = 1.9082149292705877e-10;
const ONE_OVER_LN2 = Math.LOG2E;

const P1 = 0.16666666666666602;
const P2 = -0.0027777777777015593;
const P3 = 6.613756321437934e-5;
const P4 = -1.6533902205465252e-6;
const P5 = 4.1381367970572385e-8;

/** Returns the polynomial x - z * (P1 + ...), where z = x * x, which approximates the exponential. */
function exponentTerm(x: number): number {
	const z = x * x;
	return x - z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5))));
}

/** Returns y * 2^k for y in 1/2..2. Uses two steps if one would overflow or lose bits. */
function scale(y: number, k: number): number {
	if (k > 1023) return y * 2 * powerOfTwo(k - 1);
	if (k >= -1021) return y * powerOfTwo(k);
	return y * powerOfTwo(k + 1000) * 9.332636185032189e-302;
}

/** Returns 2^k for k from -1022 to 1023. */
function powerOfTwo(k: number): number {
	words[LOW] = 0;
	words[HIGH] = (k + 1023) << 20;
	return double[0]!;
}

/** Returns e to the power x. */
export function exp(x: number): number {
	if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
	if (x < -745.1332191019411) return 0;
	const size = x < 0 ? -x : x;
	const high = highWord(size);
	if (high <= 0x3fd62e42) {
		if (high < 0x3e300000) return 1 + x;
		const c = exponentTerm(x);
		return 1 - ((x * c) / (c - 2) - x);
	}
	if (Number.isNaN(x)) return x;
	let k: number;
	if (high < 0x3ff0a2b2) k = x < 0 ? -1 : 1;
	else k = Math.trunc(ONE_OVER_LN2 * x + (x < 0 ? -0.5 : 0.5));
	const upper = x - k * LN2_UPPER;
	const lower = k * LN2_LOWER;
	const reduced = upper - lower;
	const c = exponentTerm(reduced);
	return scale(1 - (lower - (reduced * c) / (2 - c) - upper), k);
}

const G1 = 0.6666666666666735;
const G2 = 0.3999999999940942;
const G3 = 0.2857142874366239;
const G4 = 0.22222198432149784;
const G5 = 0.1818357216161805;
const G6 = 0.15313837699209373;
const G7 = 0.14798198605116586;

/** Returns the natural logarithm of x: -Infinity for 0, NaN for negative numbers. */
export function log(x: number): number {
	if (x === 0) return Number.NEGATIVE_INFINITY;
	if (!(x > 0)) return Number.NaN;
	if (x === Number.POSITIVE_INFINITY) return x;
	double[0] = x;
	let k = 0;
	if (words[HIGH]! < 0x00100000) {
		k = -54;
		double[0] = x * 18014398509481984;
	}
	const high = words[HIGH]! & 0xfffff;
	const carry = (high + 0x95f64) & 0x100000;
	k += (words[HIGH]! >> 20) - 1023 + (carry >> 20);
	words[HIGH] = high | (carry ^ 0x3ff00000);
	const f = double[0]! - 1;
	if ((0xfffff & (2 + high)) < 3) {
		if (f === 0) return k === 0 ? 0 : k * LN2_UPPER + k * LN2_LOWER;
		const r = f * f * (0.5 - 0.3333333333333333 * f);
		return k === 0 ? f - r : k * LN2_UPPER - (r - k * LN2_LOWER - f);
	}
	const s = f / (2 + f);
	const z = s * s;
	const w = z * z;
	const r = z * (G1 + w * (G3 + w * (G5 + w * G7))) + w * (G2 + w * (G4 + w * G6));
	if (((high - 0x6147a) | (0x6b851 - high)) > 0) {
		const half = 0.5 * f * f;
		if (k === 0) return f - (half - s * (half + r));
		return k * LN2_UPPER - (half - (s * (half + r) + k * LN2_LOWER) - f);
	}
	if (k === 0) return f - s * (f - r);
	return k * LN2_UPPER - (s * (f - r) - k * LN2_LOWER - f);
}

const L1 = 0.5999999999999946;
const L2 = 0.4285714285785502;
const L3 = 0.33333332981837743;
const L4 = 0.272728123808534;
const L5 = 0.23066074577556175;
const L6 = 0.20697501780033842;
const LN2 = Math.LN2;
const LN2_UP = 0.6931471824645996;
const LN2_DOWN = -1.904654299957768e-9;
/** Largest excess over 1024 that still rounds to 1024. */
const OVERFLOW_REST = 8.008566259537294e-17;
const TWO_THIRDS_LN2 = 0.9617966939259756;
const TWO_THIRDS_UP = 0.9617967009544373;
const TWO_THIRDS_DOWN = -7.028461650952758e-9;
const INVERSE_UP = 1.4426950216293335;
const INVERSE_DOWN = 1.9259629911266175e-8;
/** log2 of 1.5 in two parts. */
const LOG_UP = 0.5849624872207642;
const LOG_DOWN = 1.350039202129749e-8;

/** Result of `logarithm2`: a base-2 logarithm as the sum of two parts. */
const logarithm = new Float64Array(2);

/** Returns 0 for a fractional number, 1 for an odd one and 2 for an even one. */
function wholeness(y: number): 0 | 1 | 2 {
	if (!Number.isInteger(y)) return 0;
	return y % 2 === 0 ? 2 : 1;
}

/** Writes log2 of a finite positive number into `logarithm`. */
function logarithm2(argument: number): void {
	let ax = argument;
	let n = 0;
	if (highWord(ax) < 0x00100000) {
		ax *= 9007199254740992;
		n = -53;
	}
	double[0] = ax;
	n += (words[HIGH]! >> 20) - 1023;
	const fraction = words[HIGH]! & 0xfffff;
	let high = fraction | 0x3ff00000;
	let upperHalf = 0;
	if (fraction > 0x3988e) {
		if (fraction < 0xbb67a) upperHalf = 1;
		else {
			n += 1;
			high -= 0x00100000;
		}
	}
	words[HIGH] = high;
	ax = double[0]!;
	const base = upperHalf === 1 ? 1.5 : 1;
	const u = ax - base;
	const v = 1 / (ax + base);
	const ss = u * v;
	const sUp = upperPart(ss);
	words[LOW] = 0;
	words[HIGH] = ((high >> 1) | 0x20000000) + 0x00080000 + (upperHalf << 18);
	let tUp = double[0]!;
	let tDown = ax - (tUp - base);
	const sDown = v * (u - sUp * tUp - sUp * tDown);
	const s2 = ss * ss;
	const r = s2 * s2 * (L1 + s2 * (L2 + s2 * (L3 + s2 * (L4 + s2 * (L5 + s2 * L6))))) + sDown * (sUp + ss);
	const square = sUp * sUp;
	tUp = upperPart(3 + square + r);
	tDown = r - (tUp - 3 - square);
	const product = sUp * tUp;
	const productRest = sDown * tUp + tDown * ss;
	const pUp = upperPart(product + productRest);
	const pDown = productRest - (pUp - product);
	const zUp = TWO_THIRDS_UP * pUp;
	const zDown = TWO_THIRDS_DOWN * pUp + pDown * TWO_THIRDS_LN2 + (upperHalf === 1 ? LOG_DOWN : 0);
	const logUp = upperHalf === 1 ? LOG_UP : 0;
	const first = upperPart(zUp + zDown + logUp + n);
	logarithm[0] = first;
	logarithm[1] = zDown - (first - n - logUp - zUp);
}

/** Writes log2 of `ax` into `logarithm`, for `ax` within 2^-20 of 1. Used for exponents beyond 2^31. */
function logarithm2NearOne(ax: number): void {
	const t = ax - 1;
	const w = t * t * (0.5 - t * (0.3333333333333333 - t * 0.25));
	const u = INVERSE_UP * t;
	const v = t * INVERSE_DOWN - w * ONE_OVER_LN2;
	const first = upperPart(u + v);
	logarithm[0] = first;
	logarithm[1] = v - (first - u);
}

/** Returns 2 to the power up + down. |up| must be below 1076, and |down| much smaller. */
function powerOfTwoOf(up: number, down: number): number {
	const high = highWord(up + down);
	const size = high & 0x7fffffff;
	let n = 0;
	let rest = up;
	if (size > 0x3fe00000) {
		let k = (size >> 20) - 0x3ff;
		n = high + (0x00100000 >> (k + 1));
		k = ((n & 0x7fffffff) >> 20) - 0x3ff;
		words[LOW] = 0;
		words[HIGH] = n & ~(0x000fffff >> k);
		const whole = double[0]!;
		n = ((n & 0x000fffff) | 0x00100000) >> (20 - k);
		if (high < 0) n = -n;
		rest = up - whole;
	}
	const t = upperPart(down + rest);
	const u = t * LN2_UP;
	const v = (down - (t - rest)) * LN2 + t * LN2_DOWN;
	const z = u + v;
	const w = v - (z - u);
	const c = exponentTerm(z);
	return scale(1 - ((z * c) / (c - 2) - (w + z * w) - z), n);
}

/**
 * Returns x to the power y, with the special cases of `Math.pow`, such as 1 for y = 0 and NaN for a negative x with a
 * fractional y.
 */
export function pow(x: number, y: number): number {
	if (y === 0) return 1;
	if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
	const ax = x < 0 ? -x : x;
	const infinite = Number.POSITIVE_INFINITY;
	if (y === infinite || y === -infinite) {
		if (ax === 1) return Number.NaN;
		return ax > 1 === y > 0 ? infinite : 0;
	}
	if (y === 1) return x;
	if (y === 2) return x * x;
	if (y === -1) return 1 / x;
	if (y === 0.5 && x > 0) return Math.sqrt(x);
	const whole = wholeness(y);
	const isNegative = x < 0 || Object.is(x, -0);
	const sign = isNegative && whole === 1 ? -1 : 1;
	if (ax === 0 || ax === infinite) return sign * ((ax === 0) === y > 0 ? 0 : infinite);
	if (isNegative && whole === 0) return Number.NaN;
	if (ax === 1) return sign;
	const exponent = highWord(y) & 0x7fffffff;
	if (exponent > 0x41e00000) {
		const high = highWord(ax);
		const isHuge = exponent > 0x43f00000;
		if (high < (isHuge ? 0x3ff00000 : 0x3fefffff)) return sign * (y < 0 ? infinite : 0);
		if (high > (isHuge ? 0x3fefffff : 0x3ff00000)) return sign * (y > 0 ? infinite : 0);
		logarithm2NearOne(ax);
	} else logarithm2(ax);
	const y1 = upperPart(y);
	const down = (y - y1) * logarithm[0]! + y * logarithm[1]!;
	const up = y1 * logarithm[0]!;
	const z = up + down;
	if (z >= 1024) {
		if (z > 1024 || down + OVERFLOW_REST > z - up) return sign * infinite;
	} else if (z <= -1075) {
		if (z < -1075 || down <= z - up) return sign * 0;
	}
	return sign * powerOfTwoOf(up, down);
}
