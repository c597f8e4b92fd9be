/**
 * A navigation mesh: the places of all its tiles, in rows of cells, and the steps between them. A place is a surface in a
 * cell on which a walker can stand.
 * Owns: finding a place, and stepping from one to the next. A mesh is never changed, so forks share it.
 */

import { cellsOf, type NavmeshSettings } from '../../../shared/documents/navmesh.ts';
import { fnv1a } from '../core/fnv.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { canStep, DIRECTION_X, DIRECTION_Z, TILE, type Tile } from './tile.ts';

export interface NavMesh {
	readonly settings: NavmeshSettings;
	/** Tiles in rows along x. */
	readonly tiles: readonly Tile[];
	/** Number of cells along x and z. */
	readonly width: number;
	readonly height: number;
	/** Index of each cell's first place; one more entry than there are cells. */
	readonly first: Uint32Array;
	readonly y: Float32Array;
	readonly riseX: Float32Array;
	readonly riseZ: Float32Array;
	readonly ceiling: Float32Array;
	readonly cost: Float32Array;
	/** The cell of each place. */
	readonly cell: Uint32Array;
	/** 32-bit hash of settings and tiles; never 0. */
	readonly print: number;
	/** Lowest cost of a metre. */
	readonly minCost: number;
}

/** Returns the number of tiles along x and z. */
export function tilesOf(settings: NavmeshSettings): { readonly across: number; readonly down: number } {
	const { width, height } = cellsOf(settings);
	return { across: Math.ceil(width / TILE), down: Math.ceil(height / TILE) };
}

/** Numbers of each place. */
const COLUMNS = ['y', 'riseX', 'riseZ', 'ceiling', 'cost', 'cell'] as const;

type MeshArrays = Pick<NavMesh, 'width' | 'height' | 'first' | (typeof COLUMNS)[number]>;

/** Joins tiles, which are in rows along x, into a mesh, row by row. Rows that `before` has too are copied from it. */
export function* joinTiles(
	settings: NavmeshSettings,
	tiles: readonly Tile[],
	before: NavMesh | null,
): SlicedWork<NavMesh> {
	const { width, height } = cellsOf(settings);
	const { across, down } = tilesOf(settings);
	const total = tiles.reduce((sum, { y }) => sum + y.length, 0);
	const numbers = () => new Float32Array(total);
	const mesh: MeshArrays = {
		width,
		height,
		first: new Uint32Array(width * height + 1),
		y: numbers(),
		riseX: numbers(),
		riseZ: numbers(),
		ceiling: numbers(),
		cost: numbers(),
		cell: new Uint32Array(total),
	};
	let placeCount = 0;
	for (let row = 0; row < down; row++) {
		const rowTiles = tiles.slice(row * across, (row + 1) * across);
		const isSame = before !== null && isSameRow({ settings, tiles }, before, row);
		placeCount = isSame ? copyRow(mesh, before, row, placeCount) : joinRow(mesh, rowTiles, row, placeCount);
		yield;
	}
	mesh.first[width * height] = total;
	const minCost = settings.areas.reduce((min, { cost }) => (cost > 0 ? Math.min(min, cost) : min), 1);
	return { ...mesh, settings, tiles, print: meshHash(settings, tiles), minCost };
}

/** Returns true if both meshes have the same tiles in a row. */
export function isSameRow(
	{ settings, tiles }: Pick<NavMesh, 'settings' | 'tiles'>,
	before: NavMesh,
	row: number,
): boolean {
	const { across } = tilesOf(settings);
	for (let i = row * across; i < (row + 1) * across; i++) if (tiles[i] !== before.tiles[i]) return false;
	return tilesOf(before.settings).across === across;
}

/** Copies a row of tiles from another mesh, from place `at` on. Returns the place after it. */
function copyRow(mesh: MeshArrays, before: NavMesh, row: number, at: number): number {
	const { width, height } = mesh;
	const [begin, end] = [row * TILE * width, Math.min(height, (row + 1) * TILE) * width];
	const [from, to] = [before.first[begin]!, before.first[end]!];
	for (const column of COLUMNS) mesh[column].set(before[column].subarray(from, to), at);
	mesh.first.set(before.first.subarray(begin, end), begin);
	if (at !== from) for (let cell = begin; cell < end; cell++) mesh.first[cell]! += at - from;
	return at + to - from;
}

/** Joins a row of tiles, from place `at` on. Returns the place after it. */
function joinRow(mesh: MeshArrays, tiles: readonly Tile[], row: number, at: number): number {
	const { width, first, y, riseX, riseZ, ceiling, cost, cell } = mesh;
	const { rows } = tiles[0]!;
	for (let down = 0; down < rows; down++)
		for (let over = 0; over < tiles.length; over++) {
			const tile = tiles[over]!;
			const begins = down * tile.columns;
			let from = tile.first[begins]!;
			for (let column = 0; column < tile.columns; column++) {
				const own = (row * TILE + down) * width + over * TILE + column;
				const to = tile.first[begins + column + 1]!;
				first[own] = at;
				// For so few numbers, this is faster than `set` of the array.
				for (; from < to; from++, at++) {
					cell[at] = own;
					y[at] = tile.y[from]!;
					riseX[at] = tile.riseX[from]!;
					riseZ[at] = tile.riseZ[from]!;
					ceiling[at] = tile.ceiling[from]!;
					cost[at] = tile.cost[from]!;
				}
			}
		}
	return at;
}

function meshHash(
	{ min_x, min_z, cell_size, step_height, agent_height }: NavmeshSettings,
	tiles: readonly Tile[],
): number {
	const numbers = Float64Array.of(min_x, min_z, cell_size, step_height, agent_height);
	const prints = BigUint64Array.from(tiles, ({ print }) => print);
	const hash = fnv1a(new Uint8Array(prints.buffer), fnv1a(new Uint8Array(numbers.buffer)));
	return Number(hash & 0xffffffffn) || 1;
}

/** Returns the number of bytes that a mesh takes. */
export function bytesOf({ first, y, cell }: NavMesh): number {
	return first.byteLength + cell.byteLength + 5 * y.byteLength;
}

/** Returns the column of a coordinate, which may be outside the mesh. */
export const columnOf = ({ settings }: NavMesh, x: number): number =>
	Math.floor((x - settings.min_x) / settings.cell_size);
/** Returns the row of a coordinate, which may be outside the mesh. */
export const rowOf = ({ settings }: NavMesh, z: number): number =>
	Math.floor((z - settings.min_z) / settings.cell_size);

/** Returns the middle of a place's cell. */
export function middleOf({ settings, width, cell }: NavMesh, place: number): readonly [x: number, z: number] {
	const at = cell[place]!;
	return [
		settings.min_x + ((at % width) + 0.5) * settings.cell_size,
		settings.min_z + (Math.floor(at / width) + 0.5) * settings.cell_size,
	];
}

/** Returns the height of the ground of a place at x, z (m). */
export function heightAt(mesh: NavMesh, place: number, x: number, z: number): number {
	const [middleX, middleZ] = middleOf(mesh, place);
	return mesh.y[place]! + mesh.riseX[place]! * (x - middleX) + mesh.riseZ[place]! * (z - middleZ);
}

/**
 * Returns the place of a cell on which an entity at a height stands: the highest place that is at most a step above it, or
 * else the lowest place; -1 if there is none.
 */
function placeIn({ first, y: heights, settings }: NavMesh, cell: number, y: number): number {
	let found = -1;
	for (let place = first[cell]!; place < first[cell + 1]!; place++)
		if (found < 0 || heights[place]! <= y + settings.step_height) found = place;
	return found;
}

/** Returns the place under a position, or -1. */
export function placeAt(mesh: NavMesh, x: number, y: number, z: number): number {
	const [column, row] = [columnOf(mesh, x), rowOf(mesh, z)];
	if (column < 0 || row < 0 || column >= mesh.width || row >= mesh.height) return -1;
	return placeIn(mesh, row * mesh.width + column, y);
}

/** Returns the place nearest to a position within a distance along the ground, or -1. */
export function placeNear(mesh: NavMesh, x: number, y: number, z: number, within: number): number {
	const placeUnder = placeAt(mesh, x, y, z);
	if (placeUnder >= 0) return placeUnder;
	const { width, height, settings } = mesh;
	const reach = Math.ceil(within / settings.cell_size);
	const [column, row] = [columnOf(mesh, x), rowOf(mesh, z)];
	let [nearest, minSquare] = [-1, within * within];
	for (let down = Math.max(0, row - reach); down <= Math.min(height - 1, row + reach); down++)
		for (let over = Math.max(0, column - reach); over <= Math.min(width - 1, column + reach); over++) {
			const place = placeIn(mesh, down * width + over, y);
			if (place < 0) continue;
			const [middleX, middleZ] = middleOf(mesh, place);
			const square = (middleX - x) * (middleX - x) + (middleZ - z) * (middleZ - z);
			if (square < minSquare) [nearest, minSquare] = [place, square];
		}
	return nearest;
}

/** Returns the place of the next cell in a direction to which a walker can step, or -1. */
export function stepTo(mesh: NavMesh, place: number, direction: number): number {
	const { width, height, cell, first, y, riseX, riseZ, ceiling, settings } = mesh;
	const dx = DIRECTION_X[direction]!;
	const dz = DIRECTION_Z[direction]!;
	const from = cell[place]!;
	const to = from + dx + dz * width;
	if (to < 0 || to >= width * height) return -1;
	if (dx !== 0 && (from % width) + dx !== to % width) return -1;
	const half = settings.cell_size / 2;
	const edge = y[place]! + half * (dx * riseX[place]! + dz * riseZ[place]!);
	for (let next = first[to]!; next < first[to + 1]!; next++) {
		const other = y[next]! - half * (dx * riseX[next]! + dz * riseZ[next]!);
		if (canStep(edge, ceiling[place]!, other, ceiling[next]!, settings)) return next;
	}
	return -1;
}
