/**
 * Counter-based random numbers: Philox 4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers:
 * as easy as 1, 2, 3"). The same key and counter always return the same bits, independent of earlier draws. `M0` to `W1`
 * are the constants of that paper.
 */

const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;

/** Returns the high 32 bits of the product of two unsigned 32-bit numbers, from products of their 16-bit halves. */
function mulHigh(a: number, b: number): number {
	const al = a & 0xffff;
	const ah = a >>> 16;
	const bl = b & 0xffff;
	const bh = b >>> 16;
	const low = al * bl;
	const mid1 = ah * bl + (low >>> 16);
	const mid2 = al * bh + (mid1 & 0xffff);
	return (ah * bh + Math.floor(mid1 / 65536) + (mid2 >>> 16)) >>> 0;
}

export type Counter = readonly [number, number, number, number];

/** Returns four unsigned 32-bit numbers for a 128-bit counter and a 64-bit key. */
export function philox(counter: Counter, key: readonly [number, number]): [number, number, number, number] {
	let [c0, c1, c2, c3] = counter;
	let [k0, k1] = key;
	for (let round = 0; round < 10; round++) {
		const h0 = mulHigh(M0, c0);
		const h1 = mulHigh(M1, c2);
		const l0 = Math.imul(M0, c0) >>> 0;
		c0 = (h1 ^ c1 ^ k0) >>> 0;
		c1 = Math.imul(M1, c2) >>> 0;
		c2 = (h0 ^ c3 ^ k1) >>> 0;
		c3 = l0;
		k0 = (k0 + W0) >>> 0;
		k1 = (k1 + W1) >>> 0;
	}
	return [c0, c1, c2, c3];
}

/** Returns an exactly uniform whole number in `[0, below)`, by rejection sampling of 32-bit numbers. */
export function uniformBelow(below: bigint, next32: () => number): bigint {
	if (below <= 0n) throw new RangeError('a draw needs at least one possibility');
	let words = 2;
	while (1n << BigInt(words * 32) < below) words++;
	const span = 1n << BigInt(words * 32);
	const limit = span - (span % below);
	for (;;) {
		let value = 0n;
		for (let i = 0; i < words; i++) value = (value << 32n) | BigInt(next32());
		if (value < limit) return value % below;
	}
}

/** Up to this bound, draws need no bigints, because a product of two remainders is exact as a number. */
export const SMALL_BOUND = 2 ** 26;

/** Returns the same draw as `uniformBelow` for a whole bound up to `SMALL_BOUND`, in plain numbers. */
export function smallUniformBelow(below: number, next32: () => number): number {
	// The highest 2^64 % below values are rejected. Only a high word of all ones reaches them.
	const wrap = 2 ** 32 % below;
	const rejectedCount = (wrap * wrap) % below;
	for (;;) {
		const high = next32();
		const low = next32();
		if (high === 0xffffffff && low >= 2 ** 32 - rejectedCount) continue;
		return ((high % below) * wrap + low) % below;
	}
}
