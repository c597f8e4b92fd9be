/**
 * Counter-based random numbers: Philox 4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw 2011,
 * "Parallel random numbers: as easy as 1, 2, 3"). The same key and counter give the same bits anywhere,
 * whatever else was drawn.
 */

const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;

/** High 32 bits of the product of two unsigned 32-bit numbers. */
function mulHigh(a: number, b: number): number {
	const [al, ah] = [a & 0xffff, a >>> 16];
	const [bl, bh] = [b & 0xffff, b >>> 16];
	const low = al * bl;
	const mid1 = ah * bl + (low >>> 16);
	const mid2 = al * bh + (mid1 & 0xffff);
	return (ah * bh + Math.floor(mid1 / 65536) + (mid2 >>> 16)) >>> 0;
}

export type Counter = readonly [number, number, number, number];

/** Four unsigned 32-bit numbers for a 128-bit counter under a 64-bit key. */
export function philox(counter: Counter, key: readonly [number, number]): [number, number, number, number] {
	let [c0, c1, c2, c3] = counter;
	let [k0, k1] = key;
	for (let round = 0; round < 10; round++) {
		const [h0, l0] = [mulHigh(M0, c0), Math.imul(M0, c0) >>> 0];
		const [h1, l1] = [mulHigh(M1, c2), Math.imul(M1, c2) >>> 0];
		[c0, c1, c2, c3] = [(h1 ^ c1 ^ k0) >>> 0, l1, (h0 ^ c3 ^ k1) >>> 0, l0];
		k0 = (k0 + W0) >>> 0;
		k1 = (k1 + W1) >>> 0;
	}
	return [c0, c1, c2, c3];
}

/** A uniform whole number in `[0, below)`, drawn from successive 32-bit numbers; exact, by rejection. */
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
