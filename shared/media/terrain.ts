/**
 * Ground by its heights: a grid of points, kept in chunks.
 * Owns: its fields, its limits, and the points of a chunk. Never: works out a height.
 */

import * as z from 'zod';
import { integer, number } from '../contract/values.ts';

/** Most points along a side. */
export const MAX_POINTS = 513;
/** Maximum number of points of all terrains of a world: the physics library takes some 200 bytes for each. */
export const MAX_POINTS_IN_ALL = 4 * MAX_POINTS * MAX_POINTS;
/** Points along a side of a chunk; those at the far edges have fewer. */
export const CHUNK = 32;
/** Highest that a point may be above the terrain, and lowest below it (m). */
export const HIGHEST = 10_000;
/** Layers that a point can be painted with; an unpainted point looks as its slope and height determine. */
export const LAYERS = ['grass', 'rock', 'sand', 'snow'] as const;

export type PaintLayer = (typeof LAYERS)[number];

/** One chunk. Never changed in place: an edit makes other ones, so that worlds share those that it left alone. */
export interface TerrainChunk {
	/** Heights in metres, 32-bit numbers (little-endian) in rows along x, as base64; empty where all are 0. */
	readonly heights: string;
	/** Four bytes a point: how much of 255 is painted with each layer, as base64; empty if nothing is painted. */
	readonly paint: string;
}

/** A terrain. Its corner is at its entity; columns go along x, rows along z. */
export interface TerrainGround {
	/** Metres between neighbouring points. */
	readonly cell_size: number;
	/** In rows along x. */
	readonly chunks: readonly TerrainChunk[];
	/** Points along z and along x. */
	readonly height: number;
	readonly width: number;
}

/** Points of a chunk. */
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

export const FLAT: TerrainChunk = { heights: '', paint: '' };

/** Yields the memory that the chunks of a terrain take: their texts, and eight bytes a point once they are read. */
export function* weighGround(ground: TerrainGround | null): Generator<readonly [TerrainChunk, number]> {
	for (const [index, chunk] of ground?.chunks.entries() ?? []) {
		if (chunk.heights === '' && chunk.paint === '') continue;
		const { columns, rows } = chunkPlace(ground!, index);
		yield [chunk, chunk.heights.length + chunk.paint.length + 8 * columns * rows];
	}
}

/** Digits of base64 that so many bytes take. */
const digits = (bytes: number): number => Math.ceil(bytes / 3) * 4;

const packed = (description: string) =>
	z
		.string()
		.max(digits(4 * CHUNK * CHUNK))
		.regex(
			/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
			'it must be base64, with padding',
		)
		.describe(description);

const chunk = z.strictObject({
	heights: packed(
		'Heights of its points (m), 32-bit floats (little-endian) in rows along x, as base64; missing ones are 0',
	),
	paint: packed(`Four bytes per point, as base64: shares of 255 for ${LAYERS.join(', ')}; empty: unpainted`),
});

/** Returns points along a side. */
export const side = (description: string) => integer(description, { min: 2, max: MAX_POINTS });
export const cellSize = number('Distance between neighbouring points', { unit: 'm', min: 0.01, max: 100 });

/** A terrain as documents and worlds hold it. */
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
	const chunks = new Array<TerrainChunk>(chunkCount({ width, height })).fill(FLAT);
	return { cell_size, chunks, height, width };
}

/** A height of the surface and the direction that is up from it. */
export interface SurfacePoint {
	readonly height: number;
	readonly normal: readonly [number, number, number];
}

/**
 * Returns the surface at a place (m from the corner), or null outside; `at` has the height of each point. Each square
 * is two triangles, as for bodies. They meet along the line from the corner of the next row to the corner of the next
 * column.
 */
export function surfaceOn(
	{ width, height, cell_size }: Pick<TerrainGround, 'width' | 'height' | 'cell_size'>,
	at: (column: number, row: number) => number,
	x: number,
	z: number,
): SurfacePoint | null {
	const [across, along] = [x / cell_size, z / cell_size];
	if (!(across >= 0 && along >= 0 && across <= width - 1 && along <= height - 1)) return null;
	const column = Math.min(width - 2, Math.floor(across));
	const row = Math.min(height - 2, Math.floor(along));
	const [u, v] = [across - column, along - row];
	const near = at(column, row);
	const right = at(column + 1, row);
	const far = at(column, row + 1);
	const last = at(column + 1, row + 1);
	const first = u + v <= 1;
	const [alongX, alongZ] = first ? [right - near, far - near] : [last - far, last - right];
	const level = first ? near + u * alongX + v * alongZ : last - (1 - u) * alongX - (1 - v) * alongZ;
	const length = Math.sqrt(alongX * alongX + alongZ * alongZ + cell_size * cell_size);
	return { height: level, normal: [0 - alongX / length, cell_size / length, 0 - alongZ / length] };
}
