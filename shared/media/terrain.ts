/**
 * Terrain: a grid of heights, stored in chunks.
 * Owns: its fields, its limits, the points of a chunk, and the surface between points.
 */

import * as z from 'zod';
import { integer, number } from '../contract/values.ts';

/** Maximum number of points along a side. */
export const MAX_POINTS = 513;
/** Maximum number of points of all terrains of a world. The physics library needs about 200 bytes for each. */
export const MAX_TOTAL_POINTS = 4 * MAX_POINTS * MAX_POINTS;
/** Points along a side of a chunk. Chunks at the far edges have fewer. */
export const CHUNK = 32;
/** Maximum distance of a point above or below the origin of its terrain (m). */
export const MAX_HEIGHT = 10_000;
/** Layers of paint on a point. The look of an unpainted point depends on its slope and height. */
export const LAYERS = ['grass', 'rock', 'sand', 'snow'] as const;

export type PaintLayer = (typeof LAYERS)[number];

/** A chunk. It is never changed: an edit creates new chunks, so worlds can share unchanged chunks. */
export interface TerrainChunk {
	/** Heights in metres, 32-bit numbers (little-endian) in rows along x, as base64; empty if all are 0. */
	readonly heights: string;
	/** Four bytes per point, one for each layer: its share of 255, as base64. Empty if nothing is painted. */
	readonly paint: string;
}

/** A terrain. Its corner is at its entity. Columns are along x, and rows along z. */
export interface TerrainGround {
	/** Metres between neighbouring points. */
	readonly cell_size: number;
	/** Chunks in rows along x. */
	readonly chunks: readonly TerrainChunk[];
	/** Points along z. */
	readonly height: number;
	/** Points along x. */
	readonly width: number;
}

/** Position of a chunk's first point in the grid, and the number of its points. */
export interface ChunkPlace {
	readonly column: number;
	readonly row: number;
	readonly columns: number;
	readonly rows: number;
}

type GroundSides = Pick<TerrainGround, 'width' | 'height'>;

export const chunksAcross = ({ width }: GroundSides): number => Math.ceil(width / CHUNK);
export const chunkCount = (sides: GroundSides): number =>
	chunksAcross(sides) * Math.ceil(sides.height / CHUNK);

export function chunkPlace(sides: GroundSides, index: number): ChunkPlace {
	const across = chunksAcross(sides);
	const column = (index % across) * CHUNK;
	const row = Math.floor(index / across) * CHUNK;
	return {
		column,
		row,
		columns: Math.min(CHUNK, sides.width - column),
		rows: Math.min(CHUNK, sides.height - row),
	};
}

export const FLAT_CHUNK: TerrainChunk = { heights: '', paint: '' };

/** Yields the memory of the chunks of a terrain: their texts, and eight bytes per point of decoded values. */
export function* weighGround(ground: TerrainGround | null): Generator<readonly [TerrainChunk, number]> {
	for (const [index, chunk] of ground?.chunks.entries() ?? []) {
		if (chunk.heights === '' && chunk.paint === '') continue;
		const { columns, rows } = chunkPlace(ground!, index);
		yield [chunk, chunk.heights.length + chunk.paint.length + 8 * columns * rows];
	}
}

/** Returns the length of the base64 text of a number of bytes. */
const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

const base64Field = (description: string) =>
	z
		.string()
		.max(base64Length(4 * CHUNK * CHUNK))
		.regex(
			/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
			'it must be base64, with padding',
		)
		.describe(description);

const chunk = z.strictObject({
	heights: base64Field(
		'Heights of its points (m), 32-bit floats (little-endian) in rows along x, as base64; missing ones are 0',
	),
	paint: base64Field(
		`Four bytes per point, as base64: shares of 255 for ${LAYERS.join(', ')}; empty: unpainted`,
	),
});

/** Returns the schema of a number of points along a side. */
export const side = (description: string) => integer(description, { min: 2, max: MAX_POINTS });
export const cellSize = number('Distance between neighbouring points', { unit: 'm', min: 0.01, max: 100 });

/** Schema of a terrain in documents and worlds. */
export const groundSchema: z.ZodType<TerrainGround> = z
	.strictObject({
		cell_size: cellSize,
		chunks: z
			.array(chunk)
			.max(Math.ceil(MAX_POINTS / CHUNK) ** 2)
			.describe(
				`Chunks of ${CHUNK} x ${CHUNK} points in rows along x; those at the far edges are smaller, missing ones are flat`,
			),
		height: side('Points along z'),
		width: side('Points along x'),
	})
	.describe('Ground as a grid of heights; POST /terrain/create creates one')
	.meta({ id: 'Terrain' });

/** Returns a flat terrain. */
export function flatGround(width: number, height: number, cell_size: number): TerrainGround {
	const chunks = new Array<TerrainChunk>(chunkCount({ width, height })).fill(FLAT_CHUNK);
	return { cell_size, chunks, height, width };
}

/** Height and normal of the surface at a point. */
export interface SurfacePoint {
	readonly height: number;
	readonly normal: readonly [number, number, number];
}

/**
 * Returns the surface at `x`, `z` (m from the corner); null outside. `heightAt` returns the height of a grid point. Each square
 * consists of two triangles, as in the physics collider. Their shared edge connects the next point of the row with the
 * next point of the column.
 */
export function gridSurfaceAt(
	{ width, height, cell_size }: Pick<TerrainGround, 'width' | 'height' | 'cell_size'>,
	heightAt: (column: number, row: number) => number,
	x: number,
	z: number,
): SurfacePoint | null {
	const [gridX, gridZ] = [x / cell_size, z / cell_size];
	if (!(gridX >= 0 && gridZ >= 0 && gridX <= width - 1 && gridZ <= height - 1)) return null;
	const column = Math.min(width - 2, Math.floor(gridX));
	const row = Math.min(height - 2, Math.floor(gridZ));
	const [u, v] = [gridX - column, gridZ - row];
	const near = heightAt(column, row);
	const right = heightAt(column + 1, row);
	const far = heightAt(column, row + 1);
	const diagonal = heightAt(column + 1, row + 1);
	const isFirstTriangle = u + v <= 1;
	const [slopeX, slopeZ] = isFirstTriangle ? [right - near, far - near] : [diagonal - far, diagonal - right];
	const level = isFirstTriangle
		? near + u * slopeX + v * slopeZ
		: diagonal - (1 - u) * slopeX - (1 - v) * slopeZ;
	const length = Math.sqrt(slopeX * slopeX + slopeZ * slopeZ + cell_size * cell_size);
	return { height: level, normal: [0 - slopeX / length, cell_size / length, 0 - slopeZ / length] };
}
