/**
 * Worn stone slabs of floors: joints, chipped edges, cracks, and pebbles that lie about.
 * Owns: their heights and shades in a repeating square.
 */

import { chanceAt, noise, smooth } from './noise.ts';

/** Rows of slabs, and slabs in the narrowest and the widest row. */
const ROWS = 6;
const SLABS = { least: 4, most: 6 };
/** Half the width of a joint, and the width of the worn edge of a slab, as shares of the square. */
const JOINT = 0.0035;
const EDGE = 0.007;
/** Shift of a joint from its even place, as a share of a slab. */
const UNEVEN = 0.3;
/** Share of slabs with a crack, and half the width of the crack in the noise. */
const CRACKED = 0.4;
const CRACK = 0.016;
/** Squares with at most one pebble each along a side, and the share of them with a pebble. */
const PEBBLE_CELLS = 15;
const PEBBLED = 0.16;

interface Slab {
	/** Number of the slab. */
	readonly row: number;
	readonly column: number;
	/** Distance from the nearest joint, as a share of the square. */
	readonly inside: number;
}

const modulo = (value: number, size: number): number => ((value % size) + size) % size;

/** Returns the place of the joint before a slab, in slabs. */
const jointAt = (row: number, column: number, slabs: number): number =>
	column + (chanceAt(modulo(column, slabs), row, 31) - 0.5) * UNEVEN * 2;

function slabAt(u: number, v: number): Slab {
	// Joints are not quite straight.
	const bentU = u + (noise(u * 9, v * 9, 9, 41) - 0.5) * 0.014;
	const bentV = v + (noise(u * 9, v * 9, 9, 42) - 0.5) * 0.014;
	const across = modulo(bentV, 1) * ROWS;
	const row = Math.floor(across);
	const slabs = SLABS.least + Math.floor(chanceAt(row, 0, 33) * (SLABS.most - SLABS.least + 1));
	const along = (modulo(bentU, 1) + chanceAt(row, 1, 34)) * slabs;
	let column = Math.floor(along);
	if (along < jointAt(row, column, slabs)) column--;
	else if (along >= jointAt(row, column + 1, slabs)) column++;
	const aside =
		Math.min(along - jointAt(row, column, slabs), jointAt(row, column + 1, slabs) - along) / slabs;
	const ahead = Math.min(across - row, row + 1 - across) / ROWS;
	return { row, column: modulo(column, slabs), inside: Math.min(aside, ahead) };
}

/** Returns the height of the pebble at a place, 0 beside pebbles. */
function pebbleAt(u: number, v: number): number {
	const [x, y] = [u * PEBBLE_CELLS, v * PEBBLE_CELLS];
	const [column, row] = [Math.floor(x), Math.floor(y)];
	if (chanceAt(column, row, 51) > PEBBLED) return 0;
	const size = 0.07 + 0.13 * chanceAt(column, row, 52);
	const middle = (seed: number): number => 0.25 + 0.5 * chanceAt(column, row, seed);
	const away = Math.hypot(x - column - middle(53), (y - row - middle(54)) * 1.3) / size;
	return away >= 1 ? 0 : Math.sqrt(1 - away * away);
}

/** Returns true if a slab has a crack at a place. */
function isCrack({ row, column }: Slab, u: number, v: number): boolean {
	if (chanceAt(column, row, 61) > CRACKED) return false;
	return Math.abs(noise(u * 7, v * 7, 7, 62 + row) - 0.5) < CRACK;
}

/** Heights and shades of a square, from 0 to 1, row by row. */
export interface SlabSquare {
	readonly heights: Float32Array;
	readonly shades: Float32Array;
}

/** Returns a square with `side` points along each side. */
export function slabSquare(side: number): SlabSquare {
	const heights = new Float32Array(side * side);
	const shades = new Float32Array(side * side);
	for (let at = 0; at < heights.length; at++) {
		const [u, v] = [(at % side) / side, Math.floor(at / side) / side];
		const slab = slabAt(u, v);
		const pebble = pebbleAt(u, v);
		const pitted = noise(u * 53, v * 53, 53, 71);
		const chipped = EDGE * (0.6 + 1.5 * noise(u * 29, v * 29, 29, 73) ** 2);
		const edge = smooth(Math.min(1, Math.max(0, (slab.inside - JOINT) / chipped)));
		const sunk = (chanceAt(slab.column, slab.row, 74) - 0.5) * 0.12;
		const crack = isCrack(slab, u, v) ? 0.2 : 0;
		heights[at] = Math.min(1, edge * (0.62 + sunk - crack) + pitted * 0.14 + pebble * 0.4);
		const worn = noise(u * 11, v * 11, 11, 81) - 0.5;
		shades[at] =
			0.5 + (chanceAt(slab.column, slab.row, 83) - 0.5) * 0.6 + worn * 0.5 - (pebble > 0 ? 0.15 : 0);
	}
	return { heights, shades };
}
