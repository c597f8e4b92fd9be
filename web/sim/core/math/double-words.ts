/**
 * The two 32-bit words of a 64-bit number.
 * Owns: their order on this machine.
 */

/** Buffer for one 64-bit number. `words` reads and writes its halves. */
export const double = new Float64Array(1);
/** The same bytes as two signed words. */
export const words = new Int32Array(double.buffer);

double[0] = 1;
/** Index of the word with sign, exponent and the upper 20 bits of the fraction. */
export const HIGH = words[1] === 0 ? 0 : 1;
export const LOW = 1 - HIGH;

/** Returns the upper word of `x` as a signed number. */
export function highWord(x: number): number {
	double[0] = x;
	return words[HIGH]!;
}

/** Returns `x` with its lower word set to zero. Products of two such numbers are exact. */
export function upperPart(x: number): number {
	double[0] = x;
	words[LOW] = 0;
	return double[0]!;
}
