/**
 * The two 32-bit words of a 64-bit number.
 * Owns: their order on this machine.
 */

/** One 64-bit number, to be read and written by its words. */
export const double = new Float64Array(1);
/** The same bytes as two signed words. */
export const words = new Int32Array(double.buffer);

double[0] = 1;
/** Index of the word with sign, exponent and the upper 20 bits of the fraction. */
export const HIGH = words[1] === 0 ? 0 : 1;
export const LOW = 1 - HIGH;

/** Returns the upper word of `x`, signed. */
export function highWord(x: number): number {
	double[0] = x;
	return words[HIGH]!;
}

/** `x` with the lower half of its fraction set to zero, so that products of two such are exact. */
export function upperPart(x: number): number {
	double[0] = x;
	words[LOW] = 0;
	return double[0]!;
}
