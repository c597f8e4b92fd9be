/**
 * Reads the ground of a terrain, and creates changed copies.
 * Owns: the numbers of a chunk, decoded once. Never: changes a chunk in place.
 */

import {
	CHUNK,
	type ChunkPlace,
	chunkCount,
	chunkPlace,
	chunksAcross,
	FLAT_CHUNK,
	gridSurfaceAt,
	MAX_HEIGHT,
	type SurfacePoint,
	type TerrainChunk,
	type TerrainGround,
} from '../../../shared/media/terrain.ts';
import { fromBase64, toBase64 } from '../core/base64.ts';

/** Numbers of a chunk. Read-only. */
export interface ChunkPoints {
	readonly heights: Float32Array;
	/** Four bytes per point. */
	readonly paint: Uint8Array;
	readonly lowest: number;
	readonly highest: number;
}

const pointsByChunk = new WeakMap<TerrainChunk, ChunkPoints>();
/** Points of flat chunks by columns and rows, because one object represents flat chunks of several sizes. */
const flatPoints = new Map<number, ChunkPoints>();

/**
 * Returns the numbers of the chunk at an index. Heights are always finite and within bounds, for any text.
 */
export function pointsOf(ground: TerrainGround, index: number): ChunkPoints {
	const chunk = ground.chunks[index] ?? FLAT_CHUNK;
	const { columns, rows } = chunkPlace(ground, index);
	const count = columns * rows;
	if (chunk.heights === '' && chunk.paint === '') {
		const sides = columns * (CHUNK + 1) + rows;
		const chunkPoints =
			flatPoints.get(sides) ?? measurePoints(new Float32Array(count), new Uint8Array(count * 4));
		flatPoints.set(sides, chunkPoints);
		return chunkPoints;
	}
	let points = pointsByChunk.get(chunk);
	if (points === undefined) {
		const heights = new Float32Array(count);
		decodeInto(new Uint8Array(heights.buffer), chunk.heights);
		for (let i = 0; i < count; i++) {
			const height = heights[i]!;
			// + 0 changes -0 to 0, because the physics library distinguishes them.
			heights[i] = Number.isFinite(height) ? Math.max(-MAX_HEIGHT, Math.min(MAX_HEIGHT, height)) + 0 : 0;
		}
		const paint = new Uint8Array(count * 4);
		decodeInto(paint, chunk.paint);
		points = measurePoints(heights, paint);
		pointsByChunk.set(chunk, points);
	}
	return points;
}

/** Decodes a text into bytes. Surplus bytes are ignored. */
function decodeInto(bytes: Uint8Array, text: string): void {
	if (text !== '') bytes.set(fromBase64(text).subarray(0, bytes.length));
}

/** Returns the numbers of a chunk with its range of heights. */
function measurePoints(heights: Float32Array, paint: Uint8Array): ChunkPoints {
	let [lowest, highest] = [heights[0] ?? 0, heights[0] ?? 0];
	for (const height of heights) {
		lowest = Math.min(lowest, height);
		highest = Math.max(highest, height);
	}
	return { heights, paint, lowest, highest };
}

/** Returns a chunk with these numbers as texts. */
function packChunk(heights: Float32Array, paint: Uint8Array): TerrainChunk {
	const text = (numbers: Float32Array | Uint8Array) =>
		numbers.some((number) => number !== 0)
			? toBase64(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
			: '';
	const chunk = { heights: text(heights), paint: text(paint) };
	pointsByChunk.set(chunk, measurePoints(heights, paint));
	return chunk;
}

/** Returns the height of a point of the grid (m). */
export function pointHeight(ground: TerrainGround, column: number, row: number): number {
	const chunk = Math.floor(row / CHUNK) * chunksAcross(ground) + Math.floor(column / CHUNK);
	const columns = Math.min(CHUNK, ground.width - (column - (column % CHUNK)));
	return pointsOf(ground, chunk).heights[(row % CHUNK) * columns + (column % CHUNK)]!;
}

/** Returns the extent from the first point to the last, [along x, along z] (m). */
export function sizeOf({ width, height, cell_size }: TerrainGround): readonly [number, number] {
	return [(width - 1) * cell_size, (height - 1) * cell_size];
}

/** Returns the surface at a position of the terrain (m), or null outside. */
export function surfaceAt(ground: TerrainGround, x: number, z: number): SurfacePoint | null {
	return gridSurfaceAt(ground, (column, row) => pointHeight(ground, column, row), x, z);
}

/** Returns the lowest and highest height (m). */
export function heightRange(ground: TerrainGround): { readonly lowest: number; readonly highest: number } {
	let [lowest, highest] = [MAX_HEIGHT, -MAX_HEIGHT];
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

/** Points of a grid. Columns and rows are inclusive. */
export interface GroundBox {
	readonly left: number;
	readonly right: number;
	readonly near: number;
	readonly far: number;
}

/** Numbers of a chunk that may be written. */
export interface WritableChunk {
	readonly place: ChunkPlace;
	readonly heights: Float32Array;
	readonly paint: Uint8Array;
}

/**
 * Returns the ground with changed points in a box, and the number of changed chunks. `change` is called for each chunk
 * that overlaps the box, and returns true if it changed a point. Other chunks are shared with `ground`.
 */
export function changePoints(
	ground: TerrainGround,
	{ left, right, near, far }: GroundBox,
	change: (chunk: WritableChunk) => boolean,
): { readonly ground: TerrainGround; readonly chunks: number } {
	const chunkColumns = chunksAcross(ground);
	const chunks = Array.from({ length: chunkCount(ground) }, (_, i) => ground.chunks[i] ?? FLAT_CHUNK);
	let count = 0;
	for (let chunkRow = Math.floor(near / CHUNK); chunkRow <= Math.floor(far / CHUNK); chunkRow++)
		for (
			let chunkColumn = Math.floor(left / CHUNK);
			chunkColumn <= Math.floor(right / CHUNK);
			chunkColumn++
		) {
			const index = chunkRow * chunkColumns + chunkColumn;
			const { heights, paint } = pointsOf(ground, index);
			const copy = { place: chunkPlace(ground, index), heights: heights.slice(), paint: paint.slice() };
			if (!change(copy)) continue;
			chunks[index] = packChunk(copy.heights, copy.paint);
			count++;
		}
	return { ground: { ...ground, chunks }, chunks: count };
}
