/**
 * The surface of a terrain in tiles: the squares whose first corner is a point of one chunk.
 * Owns: which points a tile has, and how tiles are told apart. A tile ends at the first points of the chunks behind it, so
 * that tiles meet without a gap, and an edit of one chunk may be one of its neighbours' tiles too.
 */

import { CHUNK, chunksAcross, FLAT, type Ground } from '../../../shared/contract/terrain.ts';
import { fnv1a } from '../core/fnv.ts';
import { pointsOf } from './ground.ts';

/** Points of a tile: the first column and row, and how many of each there are, those shared with the next tile too. */
export interface Tile {
	readonly column: number;
	readonly row: number;
	readonly columns: number;
	readonly rows: number;
}

type Sides = Pick<Ground, 'width' | 'height'>;

const tilesAcross = ({ width }: Sides): number => Math.ceil((width - 1) / CHUNK);

export const tileCount = (sides: Sides): number => tilesAcross(sides) * Math.ceil((sides.height - 1) / CHUNK);

export function tileAt(sides: Sides, index: number): Tile {
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

/** Words of a tile's print. */
export const PRINT = 2;

const encoder = new TextEncoder();
const known = new WeakMap<Ground, Uint32Array>();
/** Of a chunk of some size: of all of its heights, of its first row, of its first column, of its first point. */
type ChunkPrints = readonly [all: bigint, row: bigint, column: bigint, point: bigint];
const ofChunk = new WeakMap<object, ChunkPrints>();

/** Two words for each tile, which are others when any of its points has another height. */
export function tilePrints(ground: Ground): Uint32Array {
	let prints = known.get(ground);
	if (prints === undefined) {
		prints = makePrints(ground);
		known.set(ground, prints);
	}
	return prints;
}

function makePrints(ground: Ground): Uint32Array {
	const { width, height, cell_size } = ground;
	const sides = fnv1a(encoder.encode(`${width} ${height} ${cell_size}`));
	const across = chunksAcross(ground);
	const prints = new Uint32Array(tileCount(ground) * PRINT);
	const words = new BigUint64Array(4);
	const bytes = new Uint8Array(words.buffer);
	for (let index = 0; index < prints.length / PRINT; index++) {
		const { column, row } = tileAt(ground, index);
		const chunk = (row / CHUNK) * across + column / CHUNK;
		// Behind the last points there are no chunks, and no other ones that could be meant.
		const right = column + CHUNK < width;
		const far = row + CHUNK < height;
		words[0] = chunkPrints(ground, chunk)[0];
		words[1] = far ? chunkPrints(ground, chunk + across)[1] : 0n;
		words[2] = right ? chunkPrints(ground, chunk + 1)[2] : 0n;
		words[3] = right && far ? chunkPrints(ground, chunk + across + 1)[3] : 0n;
		const hash = fnv1a(bytes, sides);
		prints[index * PRINT] = Number(hash & 0xffffffffn);
		prints[index * PRINT + 1] = Number(hash >> 32n);
	}
	return prints;
}

function chunkPrints(ground: Ground, index: number): ChunkPrints {
	const chunk = ground.chunks[index] ?? FLAT;
	const { heights } = pointsOf(ground, index);
	// Flat chunks of several sizes are one object; the numbers of each size are another.
	const key = chunk.heights === '' && chunk.paint === '' ? heights : chunk;
	let prints = ofChunk.get(key);
	if (prints === undefined) {
		const columns = Math.min(CHUNK, ground.width - (index % chunksAcross(ground)) * CHUNK);
		const print = (numbers: Float32Array) =>
			fnv1a(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
		prints = [
			print(heights),
			print(heights.subarray(0, columns)),
			print(heights.filter((_, i) => i % columns === 0)),
			print(heights.subarray(0, 1)),
		];
		ofChunk.set(key, prints);
	}
	return prints;
}
