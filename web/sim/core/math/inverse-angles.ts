/**
 * Arc sine, arc cosine and arc tangent, each within 1 ulp.
 * Owns: their polynomials.
 *
 * Ported from fdlibm 5.3 (e_asin.c, e_acos.c, s_atan.c, e_atan2.c), whose notice reads:
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun Microsystems, Inc.
 * business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this
 * notice is preserved.
 */

import { highWord, upperPart } from './double-words.ts';

const PI = Math.PI;
const PI_REST = 1.2246467991473532e-16;
const HALF_PI = 1.5707963267948966;
const HALF_PI_REST = 6.123233995736766e-17;
const QUARTER_PI = 0.7853981633974483;

const P0 = 0.16666666666666666;
const P1 = -0.3255658186224009;
const P2 = 0.20121253213486293;
const P3 = -0.04005553450067941;
const P4 = 7.915349942898145e-4;
const P5 = 3.479331075960212e-5;
const Q1 = -2.403394911734414;
const Q2 = 2.0209457602335057;
const Q3 = -0.6882839716054533;
const Q4 = 0.07703815055590194;

/** Returns (asin(x) - x) / x for z = x * x, up to z = 1/4. */
function arcExcess(z: number): number {
	const p = z * (P0 + z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5)))));
	return p / (1 + z * (Q1 + z * (Q2 + z * (Q3 + z * Q4))));
}

/** Returns the angle in -pi/2..pi/2 whose sine is x; NaN beyond -1..1. */
export function asin(x: number): number {
	const size = x < 0 ? -x : x;
	if (size < 0.5) return size < 7.450580596923828e-9 ? x : x + x * arcExcess(x * x);
	if (size === 1) return x * HALF_PI + x * HALF_PI_REST;
	if (!(size < 1)) return Number.NaN;
	const z = (1 - size) * 0.5;
	const root = Math.sqrt(z);
	const r = arcExcess(z);
	let result: number;
	if (highWord(size) >= 0x3fef3333) result = HALF_PI - (2 * (root + root * r) - HALF_PI_REST);
	else {
		const upper = upperPart(root);
		const rest = (z - upper * upper) / (root + upper);
		const p = 2 * root * r - (HALF_PI_REST - 2 * rest);
		result = QUARTER_PI - (p - (QUARTER_PI - 2 * upper));
	}
	return x > 0 ? result : -result;
}

/** Returns the angle in 0..pi whose cosine is x; NaN beyond -1..1. */
export function acos(x: number): number {
	const size = x < 0 ? -x : x;
	if (size < 0.5) {
		if (size < 6.938893903907228e-18) return HALF_PI + HALF_PI_REST;
		return HALF_PI - (x - (HALF_PI_REST - x * arcExcess(x * x)));
	}
	if (size === 1) return x > 0 ? 0 : PI + 2 * HALF_PI_REST;
	if (!(size < 1)) return Number.NaN;
	const z = (1 - size) * 0.5;
	const root = Math.sqrt(z);
	const r = arcExcess(z);
	if (x < 0) return PI - 2 * (root + (r * root - HALF_PI_REST));
	const upper = upperPart(root);
	const rest = (z - upper * upper) / (root + upper);
	return 2 * (upper + (r * root + rest));
}

const A0 = 0.3333333333333293;
const A1 = -0.19999999999876483;
const A2 = 0.14285714272503466;
const A3 = -0.11111110405462356;
const A4 = 0.09090887133436507;
const A5 = -0.0769187620504483;
const A6 = 0.06661073137387531;
const A7 = -0.058335701337905735;
const A8 = 0.049768779946159324;
const A9 = -0.036531572744216916;
const A10 = 0.016285820115365782;

/** Returns (x - atan(x)) / x for z = x * x, up to z = (7/16)^2. */
function arcDefect(z: number): number {
	const w = z * z;
	const even = z * (A0 + w * (A2 + w * (A4 + w * (A6 + w * (A8 + w * A10)))));
	return even + w * (A1 + w * (A3 + w * (A5 + w * (A7 + w * A9))));
}

/** Returns base + rest + atan(t): the arc tangent of a base point in two parts, and the arc tangent of the reduced argument. */
function addToBase(base: number, rest: number, t: number): number {
	return base - (t * arcDefect(t * t) - rest - t);
}

/** From this argument on, the arc tangent is pi/2. */
const TWO_66 = 2 ** 66;

/** Returns the angle in -pi/2..pi/2 whose tangent is x. */
export function atan(x: number): number {
	const size = x < 0 ? -x : x;
	if (size < 0.4375) return size < 1.862645149230957e-9 ? x : x - x * arcDefect(x * x);
	if (!(size < TWO_66)) return x > 0 ? HALF_PI + HALF_PI_REST : x < 0 ? -HALF_PI : x;
	let result: number;
	if (size < 0.6875)
		result = addToBase(0.4636476090008061, 2.2698777452961687e-17, (2 * size - 1) / (2 + size));
	else if (size < 1.1875) result = addToBase(QUARTER_PI, 3.061616997868383e-17, (size - 1) / (size + 1));
	else if (size < 2.4375)
		result = addToBase(0.982793723247329, 1.3903311031230998e-17, (size - 1.5) / (1 + 1.5 * size));
	else result = addToBase(HALF_PI, HALF_PI_REST, -1 / size);
	return x < 0 ? -result : result;
}

/** Returns the angle in -pi..pi of the point (x, y) about the origin. */
export function atan2(y: number, x: number): number {
	if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
	const isLeft = x < 0 || Object.is(x, -0);
	const isBelow = y < 0 || Object.is(y, -0);
	if (y === 0) return isLeft ? (isBelow ? -PI : PI) : y;
	if (x === 0) return isBelow ? -HALF_PI : HALF_PI;
	const infinite = Number.POSITIVE_INFINITY;
	const isXInfinite = x === infinite || x === -infinite;
	if (y === infinite || y === -infinite) {
		const size = isXInfinite ? (isLeft ? 3 * QUARTER_PI : QUARTER_PI) : HALF_PI;
		return isBelow ? -size : size;
	}
	if (isXInfinite) return isLeft ? (isBelow ? -PI : PI) : isBelow ? -0 : 0;
	const wordDifference = (highWord(y) & 0x7fffffff) - (highWord(x) & 0x7fffffff);
	const exponentDifference = wordDifference >> 20;
	let size: number;
	let mirrors = isLeft;
	if (exponentDifference > 60) {
		size = HALF_PI + 0.5 * PI_REST;
		mirrors = false;
	} else if (isLeft && exponentDifference < -60) size = 0;
	else {
		const slope = y / x;
		size = atan(slope < 0 ? -slope : slope);
	}
	if (mirrors) size = PI - (size - PI_REST);
	return isBelow ? -size : size;
}
