/**
 * Blocks of split rock: cells around scattered points, each with a flat, tilted side, and cracks between them.
 * Owns: the height at a place of a repeating square (0 to 1 along both sides).
 */

import { chanceAt, smooth } from './noise.ts';

/** Width of a crack, as a share of the distance between points, and the depth of a crack. */
const CRACK = 0.16;
const DEPTH = 0.5;
/** Steepness of the tilted sides. */
const TILT = 1.1;

/** Returns the height, from 0 to 1, at a place of a square with `across` times `up` blocks. */
export function blockAt(u: number, v: number, across: number, up: number, seed: number): number {
	const [x, y] = [u * across, v * up];
	const [column, row] = [Math.floor(x), Math.floor(y)];
	let nearest = Infinity;
	let second = Infinity;
	let [blockColumn, blockRow, asideX, asideY] = [0, 0, 0, 0];
	for (let j = -1; j <= 1; j++)
		for (let i = -1; i <= 1; i++) {
			const c = (column + i + across) % across;
			const r = (row + j + up) % up;
			const dx = x - column - i - 0.15 - 0.7 * chanceAt(c, r, seed);
			const dy = y - row - j - 0.15 - 0.7 * chanceAt(c, r, seed + 20);
			const distance = Math.sqrt(dx * dx + dy * dy);
			if (distance < nearest) {
				second = nearest;
				nearest = distance;
				blockColumn = c;
				blockRow = r;
				asideX = dx;
				asideY = dy;
			} else if (distance < second) second = distance;
		}
	const chance = (nth: number): number => chanceAt(blockColumn, blockRow, seed + nth) - 0.5;
	const tilted = asideX * chance(60) + asideY * chance(80);
	const edge = smooth(Math.min(1, (second - nearest) / CRACK));
	const height = 0.45 + chance(40) * 0.4 + tilted * TILT;
	return Math.min(1, Math.max(0, height * (1 - DEPTH + DEPTH * edge)));
}
