/**
 * Relief of near ground as repeating pictures: soil for level ground, rock for steep ground, slabs for floors.
 * Owns: the pictures, computed when a renderer starts. Their channels: slope along both axes, height, and roughness, or for
 * slabs the shade of each slab.
 */

import {
	DataTexture,
	LinearFilter,
	LinearMipmapLinearFilter,
	RepeatWrapping,
	RGBAFormat,
	UnsignedByteType,
} from 'three/webgpu';
import { blockAt } from './blocks.ts';
import { noise } from './noise.ts';
import { slabSquare } from './slabs.ts';

/** Texels along a side. */
const TEXTURE_SIZE = 256;

/** Returns the height, from 0 to 1, at a place (0 to 1 along both sides). */
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

/** Blocks with flat, tilted sides and cracks between them; small blocks lie on large ones. */
const rock: Relief = (u, v) => {
	const bentU = u + (noise(u * 13, v * 13, 13, 11) - 0.5) * 0.03;
	const bentV = v + (noise(u * 13, v * 13, 13, 12) - 0.5) * 0.03;
	const [large, small] = [blockAt(bentU, bentV, 4, 6, 13), blockAt(bentU, bentV, 11, 15, 14)];
	const rough = noise(u * 61, v * 61, 61, 15);
	return large * 0.62 + small * 0.26 + rough * 0.12;
};

/** Returns the heights of a square. */
function heightsOf(relief: Relief): Float32Array {
	const heights = new Float32Array(TEXTURE_SIZE * TEXTURE_SIZE);
	for (let row = 0; row < TEXTURE_SIZE; row++)
		for (let column = 0; column < TEXTURE_SIZE; column++)
			heights[row * TEXTURE_SIZE + column] = relief(column / TEXTURE_SIZE, row / TEXTURE_SIZE);
	return heights;
}

/** `last`: the fourth channel; by default the roughness, which is larger in hollows. */
function pictureOf(heights: Float32Array, steepness: number, last: Float32Array | null = null): DataTexture {
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
					byte(last === null ? 0.75 + (0.5 - height) * 0.5 : last[row * TEXTURE_SIZE + column]!),
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
	readonly slabs: DataTexture;
	dispose(): void;
}

export function groundDetail(): GroundDetail {
	const { heights, shades } = slabSquare(TEXTURE_SIZE);
	const pictures = {
		soil: pictureOf(heightsOf(soil), 2.2),
		rock: pictureOf(heightsOf(rock), 1.5),
		slabs: pictureOf(heights, 1.1, shades),
	};
	return {
		...pictures,
		dispose: () => {
			for (const picture of Object.values(pictures)) picture.dispose();
		},
	};
}
