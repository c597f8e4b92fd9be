/**
 * Hills by a seed: gradient-free value noise in octaves (Perlin, "An image synthesizer", 1985, on a lattice of hashed values).
 * Exact arithmetic only: the same numbers give the same hills everywhere.
 */

/** Settings of hills. */
export interface Hills {
	readonly seed: number;
	/** Metres between the summits of the widest hills. */
	readonly scale: number;
	readonly octaves: number;
}

/** A whole number from a place of the lattice, mixed as in MurmurHash3's last steps. */
function hashed(seed: number, x: number, z: number): number {
	let mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(x, 0x85ebca77) ^ Math.imul(z, 0xc2b2ae3d);
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** From -1 to 1 at each place of the lattice. */
const latticeValue = (seed: number, x: number, z: number): number => hashed(seed, x, z) / 0x7fffffff - 1;

/** From 0 to 1 without a bend at either end. */
const eased = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

function octave(seed: number, x: number, z: number): number {
	const [left, near] = [Math.floor(x), Math.floor(z)];
	const [u, v] = [eased(x - left), eased(z - near)];
	const row = (at: number) => {
		const first = latticeValue(seed, left, at);
		return first + u * (latticeValue(seed, left + 1, at) - first);
	};
	const here = row(near);
	return here + v * (row(near + 1) - here);
}

/** From -1 to 1 at a place (m). Each octave is half as wide and half as high as the one before. */
export function hill({ seed, scale, octaves }: Hills, x: number, z: number): number {
	let [sum, whole, share, step] = [0, 0, 1, 1 / scale];
	for (let i = 0; i < octaves; i++) {
		sum += share * octave(seed + i, x * step, z * step);
		whole += share;
		share /= 2;
		step *= 2;
	}
	return sum / whole;
}
