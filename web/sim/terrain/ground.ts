/**
 * Reading the ground of a terrain, and making another from it.
 * Owns: the numbers of a chunk, taken from its texts once. Never: changes a chunk in place.
 */

import {
	CHUNK,
	type ChunkPlace,
	chunkCount,
	chunkPlace,
	chunksAcross,
	FLAT,
	HIGHEST,
	type SurfacePoint,
	surfaceOn,
	type TerrainChunk,
	type TerrainGround,
} from '../../../shared/media/terrain.ts';
import { fromBase64, toBase64 } from '../core/base64.ts';

/** The numbers of a chunk; not to be written to. */
export interface ChunkPoints {
	readonly heights: Float32Array;
	/** Four a point. */
	readonly paint: Uint8Array;
	readonly lowest: number;
	readonly highest: number;
}

const unpacked = new WeakMap<TerrainChunk, ChunkPoints>();
/** Chunks without heights or paint are one object for many places of several sizes: their numbers, by columns and rows. */
const level = new Map<number, ChunkPoints>();

/**
 * Returns the numbers of the chunk at a place. Texts that came from anywhere give finite heights within bounds all
 * the same.
 */
export function pointsOf(ground: TerrainGround, index: number): ChunkPoints {
	const chunk = ground.chunks[index] ?? FLAT;
	const { columns, rows } = chunkPlace(ground, index);
	const count = columns * rows;
	if (chunk.heights === '' && chunk.paint === '') {
		const sides = columns * (CHUNK + 1) + rows;
		const chunkPoints = level.get(sides) ?? measured(new Float32Array(count), new Uint8Array(count * 4));
		level.set(sides, chunkPoints);
		return chunkPoints;
	}
	let points = unpacked.get(chunk);
	if (points === undefined) {
		const heights = new Float32Array(count);
		fill(new Uint8Array(heights.buffer), chunk.heights);
		for (let i = 0; i < count; i++) {
			const height = heights[i]!;
			// + 0 makes -0 to 0, which the physics library tells apart.
			heights[i] = Number.isFinite(height) ? Math.max(-HIGHEST, Math.min(HIGHEST, height)) + 0 : 0;
		}
		const paint = new Uint8Array(count * 4);
		fill(paint, chunk.paint);
		points = measured(heights, paint);
		unpacked.set(chunk, points);
	}
	return points;
}

/** Puts the bytes of a text where they belong, as far as there is room. */
function fill(bytes: Uint8Array, text: string): void {
	if (text !== '') bytes.set(fromBase64(text).subarray(0, bytes.length));
}

function measured(heights: Float32Array, paint: Uint8Array): ChunkPoints {
	let [lowest, highest] = [heights[0] ?? 0, heights[0] ?? 0];
	for (const height of heights) {
		lowest = Math.min(lowest, height);
		highest = Math.max(highest, height);
	}
	return { heights, paint, lowest, highest };
}

function packedChunk(heights: Float32Array, paint: Uint8Array): TerrainChunk {
	const text = (numbers: Float32Array | Uint8Array) =>
		numbers.some((candidate) => candidate !== 0)
			? toBase64(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
			: '';
	const chunk = { heights: text(heights), paint: text(paint) };
	unpacked.set(chunk, measured(heights, paint));
	return chunk;
}

/** Height of a point of the grid (m). */
export function pointHeight(ground: TerrainGround, column: number, row: number): number {
	const chunk = Math.floor(row / CHUNK) * chunksAcross(ground) + Math.floor(column / CHUNK);
	const columns = Math.min(CHUNK, ground.width - (column - (column % CHUNK)));
	return pointsOf(ground, chunk).heights[(row % CHUNK) * columns + (column % CHUNK)]!;
}

/** Extent from the first point to the last [along x, along z] (m). */
export function sizeOf({ width, height, cell_size }: TerrainGround): readonly [number, number] {
	return [(width - 1) * cell_size, (height - 1) * cell_size];
}

/** Returns the surface at a place of the terrain (m), or null outside. */
export function surfaceAt(ground: TerrainGround, x: number, z: number): SurfacePoint | null {
	return surfaceOn(ground, (column, row) => pointHeight(ground, column, row), x, z);
}

/** Least and greatest height (m). */
export function range(ground: TerrainGround): { readonly lowest: number; readonly highest: number } {
	let [lowest, highest] = [HIGHEST, -HIGHEST];
	for (let index = 0; index < chunkCount(ground); index++) {
		const points = pointsOf(ground, index);
		lowest = Math.min(lowest, points.lowest);
		highest = Math.max(highest, points.highest);
	}
	return { lowest, highest };
}

/** Returns all heights in rows along x (m). */
export function heightRows(ground: TerrainGround): Float32Array[] {
	return Array.from({ length: ground.height }, (_, row) =>
		Float32Array.from({ length: ground.width }, (__, column) => pointHeight(ground, column, row)),
	);
}

/** Points of a grid, their columns and rows inclusive. */
export interface GroundBox {
	readonly left: number;
	readonly right: number;
	readonly near: number;
	readonly far: number;
}

/** The numbers of a chunk, to be written to. */
export interface OpenChunk {
	readonly place: ChunkPlace;
	readonly heights: Float32Array;
	readonly paint: Uint8Array;
}

/**
 * Returns the ground with changed points in a box, and the number of changed chunks. `change` is called for each chunk that
 * overlaps the box, and returns true if it changed a point. Other chunks are shared with `ground`.
 */
export function changePoints(
	ground: TerrainGround,
	{ left, right, near, far }: GroundBox,
	change: (chunk: OpenChunk) => boolean,
): { readonly ground: TerrainGround; readonly chunks: number } {
	const across = chunksAcross(ground);
	const chunks = Array.from({ length: chunkCount(ground) }, (_, i) => ground.chunks[i] ?? FLAT);
	let count = 0;
	for (let down = Math.floor(near / CHUNK); down <= Math.floor(far / CHUNK); down++)
		for (let over = Math.floor(left / CHUNK); over <= Math.floor(right / CHUNK); over++) {
			const index = down * across + over;
			const { heights, paint } = pointsOf(ground, index);
			const open = { place: chunkPlace(ground, index), heights: heights.slice(), paint: paint.slice() };
			if (!change(open)) continue;
			chunks[index] = packedChunk(open.heights, open.paint);
			count++;
		}
	return { ground: { ...ground, chunks }, chunks: count };
}
