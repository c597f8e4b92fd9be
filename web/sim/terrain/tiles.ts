/**
 * Tiles of the surface of a terrain. A tile has the squares whose first corner is a point of one chunk.
 * Owns: the points of each tile, and their hash. A tile ends at the first points of the next chunks, so that tiles meet
 * without a gap. Therefore an edit of one chunk may change tiles of its neighbours.
 */

import { CHUNK, chunksAcross, FLAT_CHUNK, type TerrainGround } from '../../../shared/media/terrain.ts';
import { fnv1a } from '../core/fnv.ts';
import { pointsOf } from './ground.ts';

/** Points of a tile: the first column and row, and the number of each. Points that the next tile shares are included. */
export interface TerrainTile {
	readonly column: number;
	readonly row: number;
	readonly columns: number;
	readonly rows: number;
}

type TileSides = Pick<TerrainGround, 'width' | 'height'>;

const tilesAcross = ({ width }: TileSides): number => Math.ceil((width - 1) / CHUNK);

export const tileCount = (sides: TileSides): number =>
	tilesAcross(sides) * Math.ceil((sides.height - 1) / CHUNK);

export function tileAt(sides: TileSides, index: number): TerrainTile {
	const across = tilesAcross(sides);
	const column = (index % across) * CHUNK;
	const row = Math.floor(index / across) * CHUNK;
	return {
		column,
		row,
		columns: Math.min(CHUNK, sides.width - 1 - column) + 1,
		rows: Math.min(CHUNK, sides.height - 1 - row) + 1,
	};
}

/** Number of points beyond its own that a tile depends on: one for the shared edges, one more for tips on them. */
const REACH = 2;

/** Number of words of a tile's hash. */
export const HASH_WORDS = 2;

const encoder = new TextEncoder();
const hashesByGround = new WeakMap<TerrainGround, Uint32Array>();
/** Hashes of one chunk for the tiles around it, in the order of `AROUND`: of the heights that each of them depends on. */
type ChunkHashes = readonly bigint[];
const hashesByChunk = new WeakMap<object, ChunkHashes>();

/** Returns the hashes of all tiles. A hash changes if a point on which the tile depends gets another height. */
export function tileHashes(ground: TerrainGround): Uint32Array {
	let hashes = hashesByGround.get(ground);
	if (hashes === undefined) {
		hashes = computeHashes(ground);
		hashesByGround.set(ground, hashes);
	}
	return hashes;
}

/** Offsets of chunks from a tile that depends on them. */
const AROUND = [-1, 0, 1].flatMap((z) => [-1, 0, 1].map((x) => [x, z] as const));

/**
 * Returns true if a tile depends on a row or column of a chunk. `from`: position of the chunk relative to the tile, which
 * is 0 for the chunk of the tile, -1 before it and 1 behind it.
 */
const isNeeded = (index: number, count: number, from: number): boolean =>
	from === 0 || (from < 0 ? index >= count - REACH : index <= REACH);

function computeHashes(ground: TerrainGround): Uint32Array {
	const { width, height, cell_size } = ground;
	const sides = fnv1a(encoder.encode(`${width} ${height} ${cell_size}`));
	const chunkColumns = chunksAcross(ground);
	const hashes = new Uint32Array(tileCount(ground) * HASH_WORDS);
	const chunkRows = Math.ceil(height / CHUNK);
	const words = new BigUint64Array(AROUND.length);
	const bytes = new Uint8Array(words.buffer);
	for (let index = 0; index < hashes.length / HASH_WORDS; index++) {
		const tile = tileAt(ground, index);
		AROUND.forEach(([x, z], i) => {
			const [column, row] = [tile.column / CHUNK + x, tile.row / CHUNK + z];
			// There are no chunks beyond the border.
			const isOutside = column < 0 || row < 0 || column >= chunkColumns || row >= chunkRows;
			words[i] = isOutside ? 0n : chunkHashes(ground, row * chunkColumns + column)[i]!;
		});
		const hash = fnv1a(bytes, sides);
		hashes[index * HASH_WORDS] = Number(hash & 0xffffffffn);
		hashes[index * HASH_WORDS + 1] = Number(hash >> 32n);
	}
	return hashes;
}

function chunkHashes(ground: TerrainGround, index: number): ChunkHashes {
	const chunk = ground.chunks[index] ?? FLAT_CHUNK;
	const { heights } = pointsOf(ground, index);
	// Flat chunks of several sizes are one object, but their heights are not.
	const key = chunk.heights === '' && chunk.paint === '' ? heights : chunk;
	let hashes = hashesByChunk.get(key);
	if (hashes === undefined) {
		const columns = Math.min(CHUNK, ground.width - (index % chunksAcross(ground)) * CHUNK);
		const rows = heights.length / columns;
		hashes = AROUND.map(([x, z]) => {
			const neededHeights = heights.filter(
				(_, i) => isNeeded(i % columns, columns, x) && isNeeded(Math.floor(i / columns), rows, z),
			);
			return fnv1a(new Uint8Array(neededHeights.buffer, neededHeights.byteOffset, neededHeights.byteLength));
		});
		hashesByChunk.set(key, hashes);
	}
	return hashes;
}
