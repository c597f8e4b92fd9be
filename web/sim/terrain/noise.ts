/**
 * Hills from a seed: value noise in octaves (Perlin, "An image synthesizer", 1985), on a lattice of hashed values.
 * It uses exact arithmetic only, so the same settings give the same hills on every machine.
 */

/** Settings of hills. */
export interface Hills {
	readonly seed: number;
	/** Distance between the summits of the widest hills (m). */
	readonly scale: number;
	readonly octaves: number;
}

/** Hashes a lattice point to 32 bits, with the finalizer of MurmurHash3. */
function hashPoint(seed: number, x: number, z: number): number {
	let mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(x, 0x85ebca77) ^ Math.imul(z, 0xc2b2ae3d);
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Returns the value of a lattice point, from -1 to 1. */
const latticeValue = (seed: number, x: number, z: number): number => hashPoint(seed, x, z) / 0x7fffffff - 1;

/** Quintic smoothstep from 0 to 1; its first and second derivatives are 0 at both ends. */
const smoothstep = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

/** Returns the interpolated lattice value at a position in lattice units, from -1 to 1. */
function octaveHeight(seed: number, x: number, z: number): number {
	const [left, near] = [Math.floor(x), Math.floor(z)];
	const [u, v] = [smoothstep(x - left), smoothstep(z - near)];
	const valueInRow = (rowIndex: number) => {
		const first = latticeValue(seed, left, rowIndex);
		return first + u * (latticeValue(seed, left + 1, rowIndex) - first);
	};
	const nearRow = valueInRow(near);
	return nearRow + v * (valueInRow(near + 1) - nearRow);
}

/**
 * Returns the height of the hills at a position (m), from -1 to 1. Each octave is half as wide and high as the
 * previous one.
 */
export function hill({ seed, scale, octaves }: Hills, x: number, z: number): number {
	let [sum, amplitudes, amplitude, frequency] = [0, 0, 1, 1 / scale];
	for (let i = 0; i < octaves; i++) {
		sum += amplitude * octaveHeight(seed + i, x * frequency, z * frequency);
		amplitudes += amplitude;
		amplitude /= 2;
		frequency *= 2;
	}
	return sum / amplitudes;
}
