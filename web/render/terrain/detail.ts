/**
 * Relief of near ground as repeating pictures: soil for level ground, rock for steep ground.
 * Owns: the pictures, computed when a renderer starts. Their channels: slope along both axes, height, and roughness.
 */

import {
	DataTexture,
	LinearFilter,
	LinearMipmapLinearFilter,
	RepeatWrapping,
	RGBAFormat,
	UnsignedByteType,
} from 'three/webgpu';

/** Texels along a side. */
const SIDE = 256;

/** Returns a number from 0 to 1 for a point of a lattice, the same on every machine. */
function chanceAt(column: number, row: number, seed: number): number {
	let bits = Math.imul(column, 0x27d4eb2d) ^ Math.imul(row, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
	bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return ((bits ^ (bits >>> 16)) >>> 0) / 0x100000000;
}

const smooth = (share: number): number => share * share * (3 - 2 * share);

/** Returns noise from 0 to 1 that repeats after `cells` squares. */
function noise(x: number, y: number, cells: number, seed: number): number {
	const [column, row] = [Math.floor(x), Math.floor(y)];
	const [u, v] = [smooth(x - column), smooth(y - row)];
	const at = (i: number, j: number) => chanceAt((column + i) % cells, (row + j) % cells, seed);
	const [near, far] = [at(0, 0) + (at(1, 0) - at(0, 0)) * u, at(0, 1) + (at(1, 1) - at(0, 1)) * u];
	return near + (far - near) * v;
}

/** Returns the height, from 0 to 1, at a place (0 to 1 along both sides). */
type Relief = (u: number, v: number) => number;

/** Clods and grains. */
const soil: Relief = (u, v) => {
	let [sum, weight, all] = [0, 1, 0];
	for (const [i, cells] of [8, 19, 43, 97].entries()) {
		sum += weight * noise(u * cells, v * cells, cells, i + 1);
		all += weight;
		weight *= 0.72;
	}
	return sum / all;
};

/** Ledges and cracks: the rock is split where the noise is near its middle. */
const rock: Relief = (u, v) => {
	let [sum, weight, all] = [0, 1, 0];
	for (const [i, cells] of [5, 11, 23, 61].entries()) {
		const split = Math.abs(2 * noise(u * cells, v * cells, cells, i + 11) - 1);
		sum += weight * (1 - (1 - split) ** 2);
		all += weight;
		weight *= 0.55;
	}
	return sum / all;
};

function pictureOf(relief: Relief, steep: number): DataTexture {
	const heights = new Float32Array(SIDE * SIDE);
	for (let row = 0; row < SIDE; row++)
		for (let column = 0; column < SIDE; column++)
			heights[row * SIDE + column] = relief(column / SIDE, row / SIDE);
	const at = (column: number, row: number) =>
		heights[((row + SIDE) % SIDE) * SIDE + ((column + SIDE) % SIDE)]!;
	const texels = new Uint8Array(SIDE * SIDE * 4);
	const byte = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 255);
	for (let row = 0; row < SIDE; row++)
		for (let column = 0; column < SIDE; column++) {
			const height = at(column, row);
			const along = at(column + 1, row) - at(column - 1, row);
			const across = at(column, row + 1) - at(column, row - 1);
			texels.set(
				[
					byte(0.5 + along * steep),
					byte(0.5 + across * steep),
					byte(height),
					byte(0.75 + (0.5 - height) * 0.5),
				],
				(row * SIDE + column) * 4,
			);
		}
	const picture = new DataTexture(texels, SIDE, SIDE, RGBAFormat, UnsignedByteType);
	picture.wrapS = picture.wrapT = RepeatWrapping;
	picture.magFilter = LinearFilter;
	picture.minFilter = LinearMipmapLinearFilter;
	picture.generateMipmaps = true;
	picture.anisotropy = 4;
	picture.needsUpdate = true;
	return picture;
}

export interface GroundDetail {
	readonly soil: DataTexture;
	readonly rock: DataTexture;
	dispose(): void;
}

export function groundDetail(): GroundDetail {
	const made = { soil: pictureOf(soil, 2.2), rock: pictureOf(rock, 1.6) };
	return {
		...made,
		dispose: () => {
			for (const picture of Object.values(made)) picture.dispose();
		},
	};
}
