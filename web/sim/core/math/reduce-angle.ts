/**
 * Reduces an angle to -pi/4..pi/4.
 * Owns: enough bits of pi. Up to 2^20 quarter turns, it subtracts pi/2 in three parts (Cody and Waite, as in fdlibm's
 * e_rem_pio2.c). Beyond, it multiplies exactly with the binary digits of 2/pi (Payne and Hanek).
 */

import { double, HIGH, LOW, words } from './double-words.ts';

const TWO_OVER_PI = 0.6366197723675814;
// pi/2 in pieces of 33 bits, each with the remainder of pi/2 after it.
const PIECE_1 = 1.5707963267341256;
const REST_1 = 6.077100506506192e-11;
const PIECE_2 = 6.077100506303966e-11;
const REST_2 = 2.0222662487959506e-21;
const PIECE_3 = 2.0222662487111665e-21;
const REST_3 = 8.4784276603689e-32;
/** Upper word of 2^20 pi/2. */
const LARGE_ANGLE_HIGH = 0x413921fb;
/** Adding and subtracting 1.5 * 2^52 rounds to a whole number, ties to even. */
const ROUNDER = 6755399441055744;

/** Result of `reduceAngle`: the reduced angle is `angle[0] + angle[1]`. The second is the rounding error of the first. */
export const angle = new Float64Array(2);

/** Writes x minus a whole number of quarter turns into `angle`. Returns that number modulo 4. x must be finite. */
export function reduceAngle(x: number): number {
	double[0] = x;
	const high = words[HIGH]! & 0x7fffffff;
	if (high >= LARGE_ANGLE_HIGH) return reduceLargeAngle(x);
	const turns = x * TWO_OVER_PI + ROUNDER - ROUNDER;
	let rest = x - turns * PIECE_1;
	let error = turns * REST_1;
	let first = rest - error;
	const exponent = high >>> 20;
	if (exponent - exponentOf(first) > 16) {
		let unreduced = rest;
		error = turns * PIECE_2;
		rest = unreduced - error;
		error = turns * REST_2 - (unreduced - rest - error);
		first = rest - error;
		if (exponent - exponentOf(first) > 49) {
			unreduced = rest;
			error = turns * PIECE_3;
			rest = unreduced - error;
			error = turns * REST_3 - (unreduced - rest - error);
			first = rest - error;
		}
	}
	angle[0] = first;
	angle[1] = rest - first - error;
	return turns & 3;
}

function exponentOf(x: number): number {
	double[0] = x;
	return (words[HIGH]! >>> 20) & 0x7ff;
}

/** 2/pi times 2^1216. The largest exponent is 971, so at least 192 bits remain after the point for every x. */
const DIGITS = BigInt(
	'0xa2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1deb1' +
		'cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1' +
		'f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b6bab',
);
const DIGIT_BITS = 1216;
/** pi/2 times 2^192. */
const QUARTER_TURN = 0x1921fb54442d18469898cc51701b839a252049c1114cf98e8n;
/** Bits after the point. No 64-bit number is nearer than 2^-62 to a multiple of pi/2, so at least 190 are significant. */
const FRACTION_BITS = 256n;
const UNIT = 1 / 2 ** 256;

function reduceLargeAngle(x: number): number {
	double[0] = x;
	const exponent = ((words[HIGH]! >>> 20) & 0x7ff) - 1075;
	const fraction = (BigInt((words[HIGH]! & 0xfffff) | 0x100000) << 32n) | BigInt(words[LOW]! >>> 0);
	// |x| * 2/pi with FRACTION_BITS bits after the point.
	const droppedBits = DIGIT_BITS - exponent - Number(FRACTION_BITS);
	const quarterTurns = (fraction * DIGITS) >> BigInt(droppedBits);
	const turns = (quarterTurns + (1n << (FRACTION_BITS - 1n))) >> FRACTION_BITS;
	const rest = ((quarterTurns - (turns << FRACTION_BITS)) * QUARTER_TURN) >> 192n;
	const first = Number(rest);
	const sign = x < 0 ? -1 : 1;
	angle[0] = sign * first * UNIT;
	angle[1] = sign * Number(rest - BigInt(first)) * UNIT;
	return (sign * Number(turns & 3n)) & 3;
}
