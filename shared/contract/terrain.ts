/**
 * Ground by its heights: a grid of points, kept in chunks.
 * Owns: how it is written, its limits, and which points a chunk has. Never: works out a height.
 */

import * as z from 'zod';
import { integer, number } from './values.ts';

/** Most points along a side. */
export const MOST_POINTS = 513;
/** Most points of all terrains of a world: the physics library takes some 200 bytes for each. */
export const MOST_POINTS_IN_ALL = 4 * MOST_POINTS * MOST_POINTS;
/** Points along a side of a chunk; those at the far edges have fewer. */
export const CHUNK = 32;
/** Highest that a point may be above the terrain, and lowest below it (m). */
export const HIGHEST = 10_000;
/** What a point can be painted with; what is left unpainted looks as its slope and height say. */
export const LAYERS = ['grass', 'rock', 'sand', 'snow'] as const;

export type Layer = (typeof LAYERS)[number];

/** One chunk. Never changed in place: an edit makes other ones, so that worlds share those that it left alone. */
export interface TerrainChunk {
	/** Heights in metres, 32-bit numbers (little-endian) in rows along x, as base64; empty where all are 0. */
	readonly heights: string;
	/** Four bytes a point: how much of 255 is painted with each layer, as base64; empty where nothing is painted. */
	readonly paint: string;
}

/** A terrain. Its corner is at its entity; columns go along x, rows along z. */
export interface Ground {
	/** Metres between neighbouring points. */
	readonly cell_size: number;
	/** In rows along x. */
	readonly chunks: readonly TerrainChunk[];
	/** Points along z and along x. */
	readonly height: number;
	readonly width: number;
}

/** Which points a chunk has. */
export interface ChunkPlace {
	readonly column: number;
	readonly row: number;
	readonly columns: number;
	readonly rows: number;
}

type Sides = Pick<Ground, 'width' | 'height'>;

export const chunksAcross = ({ width }: Sides): number => Math.ceil(width / CHUNK);
export const chunkCount = (sides: Sides): number => chunksAcross(sides) * Math.ceil(sides.height / CHUNK);

export function chunkPlace(sides: Sides, index: number): ChunkPlace {
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

/** Digits of base64 that so many bytes take. */
const digits = (bytes: number): number => Math.ceil(bytes / 3) * 4;

const packed = (description: string) =>
	z
		.string()
		.max(digits(4 * CHUNK * CHUNK))
		.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'base64, with padding')
		.describe(description);

const chunk = z.strictObject({
	heights: packed(
		'Heights of its points (m), 32-bit floats (little-endian) in rows along x, as base64; missing ones are 0',
	),
	paint: packed(
		`Four bytes a point, as base64: how much of 255 is ${LAYERS.join(', ')}; empty: nothing is painted`,
	),
});

/** Points along a side. */
export const side = (description: string) => integer(description, { min: 2, max: MOST_POINTS });
export const cellSize = number('Distance between neighbouring points', { unit: 'm', min: 0.01, max: 100 });

/** A terrain as documents and worlds hold it. */
export const groundSchema = z
	.strictObject({
		cell_size: cellSize,
		chunks: z
			.array(chunk)
			.max(Math.ceil(MOST_POINTS / CHUNK) ** 2)
			.describe(
				`Chunks of ${CHUNK} x ${CHUNK} points in rows along x, those at the far edges smaller; missing ones are flat`,
			),
		height: side('Points along z'),
		width: side('Points along x'),
	})
	.describe('Ground by its heights; POST /terrain/create makes one')
	.meta({ id: 'Terrain' }) as unknown as z.ZodType<Ground>;

/** A flat terrain. */
export function flatGround(width: number, height: number, cell_size: number): Ground {
	const chunks = new Array<TerrainChunk>(chunkCount({ width, height })).fill(FLAT);
	return { cell_size, chunks, height, width };
}
