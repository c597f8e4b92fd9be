/**
 * Noise on a repeating lattice, for pictures that are computed when a renderer starts.
 * Owns: the numbers, which are the same on every machine.
 */

/** Returns a number from 0 to 1 for a point of a lattice, the same on every machine. */
export function chanceAt(column: number, row: number, seed: number): number {
	let bits = Math.imul(column, 0x27d4eb2d) ^ Math.imul(row, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
	bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return ((bits ^ (bits >>> 16)) >>> 0) / 0x100000000;
}

export const smooth = (share: number): number => share * share * (3 - 2 * share);

/** Returns noise from 0 to 1 that repeats after `cells` squares. */
export function noise(x: number, y: number, cells: number, seed: number): number {
	const [column, row] = [Math.floor(x), Math.floor(y)];
	const [u, v] = [smooth(x - column), smooth(y - row)];
	const at = (i: number, j: number) => chanceAt((column + i) % cells, (row + j) % cells, seed);
	const [near, far] = [at(0, 0) + (at(1, 0) - at(0, 0)) * u, at(0, 1) + (at(1, 1) - at(0, 1)) * u];
	return near + (far - near) * v;
}
