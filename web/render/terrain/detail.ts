/**
 * Relief of near ground as repeating pictures: soil for level ground, rock for steep ground.
 * Owns: the pictures, computed when a renderer starts. Their channels: slope along both axes, height, and
 * roughness.
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
const TEXTURE_SIZE = 256;

/** Returns a number from 0 to 1 for a point of a lattice, the same on every machine. */
function randomAt(column: number, row: number, seed: number): number {
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
	const valueAt = (i: number, j: number) => randomAt((column + i) % cells, (row + j) % cells, seed);
	const [first, second] = [
		valueAt(0, 0) + (valueAt(1, 0) - valueAt(0, 0)) * u,
		valueAt(0, 1) + (valueAt(1, 1) - valueAt(0, 1)) * u,
	];
	return first + (second - first) * v;
}

/** Returns the height, from 0 to 1, at a position (0 to 1 along both sides). */
type Relief = (u: number, v: number) => number;

/** Relief of soil: clods and grains. */
const soil: Relief = (u, v) => {
	let [sum, weight, totalWeight] = [0, 1, 0];
	for (const [i, cells] of [8, 19, 43, 97].entries()) {
		sum += weight * noise(u * cells, v * cells, cells, i + 1);
		totalWeight += weight;
		weight *= 0.72;
	}
	return sum / totalWeight;
};

/** Relief of rock: ledges, and cracks at middle values of the noise. */
const rock: Relief = (u, v) => {
	let [sum, weight, totalWeight] = [0, 1, 0];
	for (const [i, cells] of [5, 11, 23, 61].entries()) {
		const edge = Math.abs(2 * noise(u * cells, v * cells, cells, i + 11) - 1);
		sum += weight * (1 - (1 - edge) ** 2);
		totalWeight += weight;
		weight *= 0.55;
	}
	return sum / totalWeight;
};

function pictureOf(relief: Relief, steepness: number): DataTexture {
	const heights = new Float32Array(TEXTURE_SIZE * TEXTURE_SIZE);
	for (let row = 0; row < TEXTURE_SIZE; row++)
		for (let column = 0; column < TEXTURE_SIZE; column++)
			heights[row * TEXTURE_SIZE + column] = relief(column / TEXTURE_SIZE, row / TEXTURE_SIZE);
	const heightAt = (column: number, row: number) =>
		heights[((row + TEXTURE_SIZE) % TEXTURE_SIZE) * TEXTURE_SIZE + ((column + TEXTURE_SIZE) % TEXTURE_SIZE)]!;
	const texels = new Uint8Array(TEXTURE_SIZE * TEXTURE_SIZE * 4);
	const byte = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 255);
	for (let row = 0; row < TEXTURE_SIZE; row++)
		for (let column = 0; column < TEXTURE_SIZE; column++) {
			const height = heightAt(column, row);
			const slopeX = heightAt(column + 1, row) - heightAt(column - 1, row);
			const slopeY = heightAt(column, row + 1) - heightAt(column, row - 1);
			texels.set(
				[
					byte(0.5 + slopeX * steepness),
					byte(0.5 + slopeY * steepness),
					byte(height),
					byte(0.75 + (0.5 - height) * 0.5),
				],
				(row * TEXTURE_SIZE + column) * 4,
			);
		}
	const picture = new DataTexture(texels, TEXTURE_SIZE, TEXTURE_SIZE, RGBAFormat, UnsignedByteType);
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
	const pictures = { soil: pictureOf(soil, 2.2), rock: pictureOf(rock, 1.6) };
	return {
		...pictures,
		dispose: () => {
			for (const picture of Object.values(pictures)) picture.dispose();
		},
	};
}
