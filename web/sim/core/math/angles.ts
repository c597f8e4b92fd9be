/**
 * Sine, cosine and tangent, each within 1 ulp.
 * Owns: the polynomials between -pi/4 and pi/4.
 *
 * Ported from fdlibm 5.3 (k_sin.c, k_cos.c, k_tan.c, s_sin.c, s_cos.c, s_tan.c), whose notice reads:
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc.
 * business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this
 * notice is preserved.
 */

import { highWord, upperPart } from './double-words.ts';
import { angle, reduceAngle } from './reduce-angle.ts';

/** Upper word of pi/4. */
const QUARTER_PI_HIGH = 0x3fe921fb;
const INFINITY_HIGH = 0x7ff00000;

const S1 = -0.16666666666666632;
const S2 = 0.00833333333332249;
const S3 = -1.984126982985795e-4;
const S4 = 2.7557313707070068e-6;
const S5 = -2.5050760253406863e-8;
const S6 = 1.58969099521155e-10;

/** Returns the sine of x + y. |x| must be below pi/4; y is the rounding error of x. */
function sineNearZero(x: number, y: number): number {
	const z = x * x;
	const r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
	const v = z * x;
	return x - (z * (0.5 * y - v * r) - y - v * S1);
}

const C1 = 0.0416666666666666;
const C2 = -0.001388888888887411;
const C3 = 2.480158728947673e-5;
const C4 = -2.7557314351390663e-7;
const C5 = 2.087572321298175e-9;
const C6 = -1.1359647557788195e-11;

/** Returns the cosine of x + y. |x| must be below pi/4; y is the rounding error of x. */
function cosineNearZero(x: number, y: number): number {
	const z = x * x;
	const r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
	const half = 0.5 * z;
	const w = 1 - half;
	return w + (1 - w - half + (z * r - x * y));
}

const T0 = 0.3333333333333341;
const T1 = 0.13333333333320124;
const T2 = 0.05396825397622605;
const T3 = 0.021869488294859542;
const T4 = 0.0088632398235993;
const T5 = 0.0035920791075913124;
const T6 = 0.0014562094543252903;
const T7 = 5.880412408202641e-4;
const T8 = 2.464631348184699e-4;
const T9 = 7.817944429395571e-5;
const T10 = 7.140724913826082e-5;
const T11 = -1.8558637485527546e-5;
const T12 = 2.590730518636337e-5;
const QUARTER_PI = 0.7853981633974483;
const QUARTER_PI_REST = 3.061616997868383e-17;
/** Upper word of 0.67434. */
const STEEP_HIGH = 0x3fe59428;

/**
 * Returns the tangent of `argument + error`, or with `inverse` minus the cotangent. |argument| must be below pi/4;
 * `error` is its rounding error.
 */
function tangentNearZero(argument: number, error: number, inverse: boolean): number {
	let x = argument;
	let y = error;
	const isSteep = (highWord(x) & 0x7fffffff) >= STEEP_HIGH;
	if (isSteep) {
		if (argument < 0) {
			x = -x;
			y = -y;
		}
		x = QUARTER_PI - x + (QUARTER_PI_REST - y);
		y = 0;
	}
	const z = x * x;
	const w = z * z;
	const odd = T1 + w * (T3 + w * (T5 + w * (T7 + w * (T9 + w * T11))));
	const even = z * (T2 + w * (T4 + w * (T6 + w * (T8 + w * (T10 + w * T12)))));
	const s = z * x;
	const r = y + z * (s * (odd + even) + y) + T0 * s;
	const sum = x + r;
	if (isSteep) {
		const sign = inverse ? -1 : 1;
		const value = sign - 2 * (x - ((sum * sum) / (sum + sign) - r));
		return argument < 0 ? -value : value;
	}
	if (!inverse) return sum;
	const upper = upperPart(sum);
	const rest = r - (upper - x);
	const quotient = -1 / sum;
	const upperQuotient = upperPart(quotient);
	return upperQuotient + quotient * (1 + upperQuotient * upper + upperQuotient * rest);
}

/** Returns the sine of an angle in radians. */
export function sin(x: number): number {
	const high = highWord(x) & 0x7fffffff;
	if (high <= QUARTER_PI_HIGH) return high < 0x3e500000 ? x : sineNearZero(x, 0);
	if (high >= INFINITY_HIGH) return Number.NaN;
	switch (reduceAngle(x)) {
		case 0:
			return sineNearZero(angle[0]!, angle[1]!);
		case 1:
			return cosineNearZero(angle[0]!, angle[1]!);
		case 2:
			return -sineNearZero(angle[0]!, angle[1]!);
		default:
			return -cosineNearZero(angle[0]!, angle[1]!);
	}
}

/** Returns the cosine of an angle in radians. */
export function cos(x: number): number {
	const high = highWord(x) & 0x7fffffff;
	if (high <= QUARTER_PI_HIGH) return cosineNearZero(x, 0);
	if (high >= INFINITY_HIGH) return Number.NaN;
	switch (reduceAngle(x)) {
		case 0:
			return cosineNearZero(angle[0]!, angle[1]!);
		case 1:
			return -sineNearZero(angle[0]!, angle[1]!);
		case 2:
			return -cosineNearZero(angle[0]!, angle[1]!);
		default:
			return sineNearZero(angle[0]!, angle[1]!);
	}
}

/** Returns the tangent of an angle in radians. */
export function tan(x: number): number {
	const high = highWord(x) & 0x7fffffff;
	if (high <= QUARTER_PI_HIGH) return high < 0x3e400000 ? x : tangentNearZero(x, 0, false);
	if (high >= INFINITY_HIGH) return Number.NaN;
	const quarter = reduceAngle(x);
	return tangentNearZero(angle[0]!, angle[1]!, (quarter & 1) === 1);
}
