/** Shortest decimal form of 32-bit numbers. */

const bits = new Float32Array(1);
const words = new Uint32Array(bits.buffer);
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/**
 * Returns the 64-bit number whose decimal text is the shortest that reads back to the 32-bit number `x`, such as 0.1 for
 * 0.10000000149011612. Nine digits always suffice. Shorter forms are tried first.
 */
export function shortestFloat32(x: number): number {
	const size = x < 0 ? -x : x;
	if (size < 16777216 && Number.isInteger(x)) return x;
	bits[0] = size;
	const exponent = (words[0]! >>> 23) - 127;
	let power = 8 - Math.floor(exponent * 0.30102999566398);
	if (power > 22 || power < -22) return shortestByPrinting(x);
	let scaled = power >= 0 ? size * POWERS_OF_TEN[power]! : size / POWERS_OF_TEN[-power]!;
	if (scaled >= 1e9) {
		power--;
		scaled = power >= 0 ? size * POWERS_OF_TEN[power]! : size / POWERS_OF_TEN[-power]!;
	}
	for (let unit = 1000; unit >= 1; unit /= 10) {
		const digits = Math.round(scaled / unit) * unit;
		const candidate = power >= 0 ? digits / POWERS_OF_TEN[power]! : digits * POWERS_OF_TEN[-power]!;
		if (Math.fround(candidate) === size) return x < 0 ? -candidate : candidate;
	}
	return shortestByPrinting(x);
}

/** Returns the result of `shortestFloat32` by printing and reading. Used for very large and very small numbers. */
function shortestByPrinting(x: number): number {
	for (let digits = 1; digits < 9; digits++) {
		const candidate = Number(x.toPrecision(digits));
		if (Math.fround(candidate) === x) return candidate;
	}
	return Number(x.toPrecision(9));
}
