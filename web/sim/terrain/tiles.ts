/**
 * The surface of a terrain in tiles: the squares whose first corner is a point of one chunk.
 * Owns: which points a tile has, and how tiles are distinguished. A tile ends at the first points of the chunks
 * behind it, so that tiles meet without a gap. An edit of one chunk may therefore change tiles of its neighbours.
 */

import { CHUNK, chunksAcross, FLAT_CHUNK, type TerrainGround } from '../../../shared/media/terrain.ts';
import { fnv1a } from '../core/fnv.ts';
import { pointsOf } from './ground.ts';

/** Points of a tile: the first column and row, and how many of each there are, those shared with the next tile too. */
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

/** Points beyond its own that a tile depends on: one for the edges that it shares, one more for the tips among these. */
const REACH = 2;

/** Words of a tile's print. */
export const PRINT = 2;

const encoder = new TextEncoder();
const cache = new WeakMap<TerrainGround, Uint32Array>();
/** Of a chunk of some size: of what each of the nine tiles around it depends on, by where the chunk is from the tile. */
type ChunkPrints = readonly bigint[];
const ofChunk = new WeakMap<object, ChunkPrints>();

/** Two words for each tile, which are others when any point that it depends on has another height. */
export function tilePrints(ground: TerrainGround): Uint32Array {
	let prints = cache.get(ground);
	if (prints === undefined) {
		prints = makePrints(ground);
		cache.set(ground, prints);
	}
	return prints;
}

/** Offsets of chunks from a tile that depends on them. */
const AROUND = [-1, 0, 1].flatMap((z) => [-1, 0, 1].map((x) => [x, z] as const));

/**
 * Returns true if a tile depends on a row or column of a chunk. The chunk begins with it (0), before it (-1) or
 * behind it (1).
 */
const meets = (at: number, count: number, from: number): boolean =>
	from === 0 || (from < 0 ? at >= count - REACH : at <= REACH);

function makePrints(ground: TerrainGround): Uint32Array {
	const { width, height, cell_size } = ground;
	const sides = fnv1a(encoder.encode(`${width} ${height} ${cell_size}`));
	const across = chunksAcross(ground);
	const prints = new Uint32Array(tileCount(ground) * PRINT);
	const down = Math.ceil(height / CHUNK);
	const words = new BigUint64Array(AROUND.length);
	const bytes = new Uint8Array(words.buffer);
	for (let index = 0; index < prints.length / PRINT; index++) {
		const tile = tileAt(ground, index);
		AROUND.forEach(([x, z], at) => {
			const [column, row] = [tile.column / CHUNK + x, tile.row / CHUNK + z];
			// Beyond the border there are no chunks, and no other ones that could be meant.
			const none = column < 0 || row < 0 || column >= across || row >= down;
			words[at] = none ? 0n : chunkPrints(ground, row * across + column)[at]!;
		});
		const hash = fnv1a(bytes, sides);
		prints[index * PRINT] = Number(hash & 0xffffffffn);
		prints[index * PRINT + 1] = Number(hash >> 32n);
	}
	return prints;
}

function chunkPrints(ground: TerrainGround, index: number): ChunkPrints {
	const chunk = ground.chunks[index] ?? FLAT_CHUNK;
	const { heights } = pointsOf(ground, index);
	// Flat chunks of several sizes are one object; the numbers of each size are another.
	const key = chunk.heights === '' && chunk.paint === '' ? heights : chunk;
	let prints = ofChunk.get(key);
	if (prints === undefined) {
		const columns = Math.min(CHUNK, ground.width - (index % chunksAcross(ground)) * CHUNK);
		const rows = heights.length / columns;
		prints = AROUND.map(([x, z]) => {
			const part = heights.filter(
				(_, i) => meets(i % columns, columns, x) && meets(Math.floor(i / columns), rows, z),
			);
			return fnv1a(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
		});
		ofChunk.set(key, prints);
	}
	return prints;
}
