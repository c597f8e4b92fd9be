/**
 * A navigation mesh: all places of its tiles in rows of cells, and the steps between them. A place is a surface in a
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
	/** Number of cells along x. */
	readonly width: number;
	/** Number of cells along z. */
	readonly height: number;
	/** Index of each cell's first place; one more entry than there are cells. */
	readonly firstPlace: Uint32Array;
	/** Height in the middle of the cell (m). */
	readonly y: Float32Array;
	/** Slope along x and z (m/m). */
	readonly riseX: Float32Array;
	readonly riseZ: Float32Array;
	/** Height at which matter begins above the place (m). */
	readonly ceiling: Float32Array;
	/** Cost of a metre. */
	readonly cost: Float32Array;
	/** The cell of each place. */
	readonly cellOfPlace: Uint32Array;
	/** 32-bit hash of the tiles and of their grid, step height and agent height; never 0. */
	readonly hash: number;
	/** Lowest cost of a metre. */
	readonly minCost: number;
}

/** Returns the number of tiles along x and z. */
export function tilesOf(settings: NavmeshSettings): {
	readonly tileColumns: number;
	readonly tileRows: number;
} {
	const { width, height } = cellsOf(settings);
	return { tileColumns: Math.ceil(width / TILE), tileRows: Math.ceil(height / TILE) };
}

/** Names of the arrays with one number for each place. */
const COLUMNS = ['y', 'riseX', 'riseZ', 'ceiling', 'cost', 'cellOfPlace'] as const;

type MeshArrays = Pick<NavMesh, 'width' | 'height' | 'firstPlace' | (typeof COLUMNS)[number]>;

/**
 * Joins tiles, which are in rows along x, into a mesh, row by row. Rows with the same tiles in `before`
 * are copied from it.
 */
export function* joinTiles(
	settings: NavmeshSettings,
	tiles: readonly Tile[],
	before: NavMesh | null,
): SlicedWork<NavMesh> {
	const { width, height } = cellsOf(settings);
	const { tileColumns, tileRows } = tilesOf(settings);
	const total = tiles.reduce((sum, { y }) => sum + y.length, 0);
	const createColumn = () => new Float32Array(total);
	const mesh: MeshArrays = {
		width,
		height,
		firstPlace: new Uint32Array(width * height + 1),
		y: createColumn(),
		riseX: createColumn(),
		riseZ: createColumn(),
		ceiling: createColumn(),
		cost: createColumn(),
		cellOfPlace: new Uint32Array(total),
	};
	let placeCount = 0;
	for (let row = 0; row < tileRows; row++) {
		const rowTiles = tiles.slice(row * tileColumns, (row + 1) * tileColumns);
		const isSame = before !== null && isSameRow({ settings, tiles }, before, row);
		placeCount = isSame ? copyRow(mesh, before, row, placeCount) : joinRow(mesh, rowTiles, row, placeCount);
		yield;
	}
	mesh.firstPlace[width * height] = total;
	const minCost = settings.areas.reduce((min, { cost }) => (cost > 0 ? Math.min(min, cost) : min), 1);
	return { ...mesh, settings, tiles, hash: meshHash(settings, tiles), minCost };
}

/** Returns true if both meshes have the same tiles in a row. */
export function isSameRow(
	{ settings, tiles }: Pick<NavMesh, 'settings' | 'tiles'>,
	before: NavMesh,
	row: number,
): boolean {
	const { tileColumns } = tilesOf(settings);
	for (let i = row * tileColumns; i < (row + 1) * tileColumns; i++)
		if (tiles[i] !== before.tiles[i]) return false;
	return tilesOf(before.settings).tileColumns === tileColumns;
}

/** Copies a row of tiles from another mesh, from place `nextPlace` on. Returns the place after it. */
function copyRow(mesh: MeshArrays, before: NavMesh, row: number, nextPlace: number): number {
	const { width, height } = mesh;
	const [begin, end] = [row * TILE * width, Math.min(height, (row + 1) * TILE) * width];
	const [from, to] = [before.firstPlace[begin]!, before.firstPlace[end]!];
	for (const column of COLUMNS) mesh[column].set(before[column].subarray(from, to), nextPlace);
	mesh.firstPlace.set(before.firstPlace.subarray(begin, end), begin);
	if (nextPlace !== from)
		for (let cell = begin; cell < end; cell++) mesh.firstPlace[cell]! += nextPlace - from;
	return nextPlace + to - from;
}

/** Joins a row of tiles, from place `nextPlace` on. Returns the place after it. */
function joinRow(mesh: MeshArrays, tiles: readonly Tile[], row: number, nextPlace: number): number {
	const { width, firstPlace, y, riseX, riseZ, ceiling, cost, cellOfPlace } = mesh;
	const { rows } = tiles[0]!;
	for (let tileRow = 0; tileRow < rows; tileRow++)
		for (let tileIndex = 0; tileIndex < tiles.length; tileIndex++) {
			const tile = tiles[tileIndex]!;
			const rowStart = tileRow * tile.columns;
			let from = tile.firstPlace[rowStart]!;
			for (let column = 0; column < tile.columns; column++) {
				const cellIndex = (row * TILE + tileRow) * width + tileIndex * TILE + column;
				const to = tile.firstPlace[rowStart + column + 1]!;
				firstPlace[cellIndex] = nextPlace;
				// A loop is faster than `set`, because a cell has few places.
				for (; from < to; from++, nextPlace++) {
					cellOfPlace[nextPlace] = cellIndex;
					y[nextPlace] = tile.y[from]!;
					riseX[nextPlace] = tile.riseX[from]!;
					riseZ[nextPlace] = tile.riseZ[from]!;
					ceiling[nextPlace] = tile.ceiling[from]!;
					cost[nextPlace] = tile.cost[from]!;
				}
			}
		}
	return nextPlace;
}

function meshHash(
	{ min_x, min_z, cell_size, step_height, agent_height }: NavmeshSettings,
	tiles: readonly Tile[],
): number {
	const numbers = Float64Array.of(min_x, min_z, cell_size, step_height, agent_height);
	const hashes = BigUint64Array.from(tiles, ({ hash }) => hash);
	const hash = fnv1a(new Uint8Array(hashes.buffer), fnv1a(new Uint8Array(numbers.buffer)));
	return Number(hash & 0xffffffffn) || 1;
}

/** Returns the number of bytes that a mesh takes. */
export function bytesOf({ firstPlace, y, cellOfPlace }: NavMesh): number {
	return firstPlace.byteLength + cellOfPlace.byteLength + 5 * y.byteLength;
}

/** Returns the column of a coordinate, which may be outside the mesh. */
export const columnAt = ({ settings }: NavMesh, x: number): number =>
	Math.floor((x - settings.min_x) / settings.cell_size);
/** Returns the row of a coordinate, which may be outside the mesh. */
export const rowAt = ({ settings }: NavMesh, z: number): number =>
	Math.floor((z - settings.min_z) / settings.cell_size);

/** Returns the middle of a place's cell. */
export function middleOf(
	{ settings, width, cellOfPlace }: NavMesh,
	place: number,
): readonly [x: number, z: number] {
	const cellIndex = cellOfPlace[place]!;
	return [
		settings.min_x + ((cellIndex % width) + 0.5) * settings.cell_size,
		settings.min_z + (Math.floor(cellIndex / width) + 0.5) * settings.cell_size,
	];
}

/** Returns the height of the ground of a place at x, z (m). */
export function heightAt(mesh: NavMesh, place: number, x: number, z: number): number {
	const [middleX, middleZ] = middleOf(mesh, place);
	return mesh.y[place]! + mesh.riseX[place]! * (x - middleX) + mesh.riseZ[place]! * (z - middleZ);
}

/**
 * Returns the place in a cell that carries an entity at height `y`: the highest place that is at most a step above it, or
 * otherwise the lowest place; -1 if there is none.
 */
function placeIn({ firstPlace, y: heights, settings }: NavMesh, cell: number, y: number): number {
	let result = -1;
	for (let place = firstPlace[cell]!; place < firstPlace[cell + 1]!; place++)
		if (result < 0 || heights[place]! <= y + settings.step_height) result = place;
	return result;
}

/** Returns the place under a position, or -1. */
export function placeAt(mesh: NavMesh, x: number, y: number, z: number): number {
	const [column, row] = [columnAt(mesh, x), rowAt(mesh, z)];
	if (column < 0 || row < 0 || column >= mesh.width || row >= mesh.height) return -1;
	return placeIn(mesh, row * mesh.width + column, y);
}

/** Returns the place nearest to a position within a horizontal distance (m), or -1. */
export function placeNear(mesh: NavMesh, x: number, y: number, z: number, within: number): number {
	const placeUnder = placeAt(mesh, x, y, z);
	if (placeUnder >= 0) return placeUnder;
	const { width, height, settings } = mesh;
	const reach = Math.ceil(within / settings.cell_size);
	const [column, row] = [columnAt(mesh, x), rowAt(mesh, z)];
	let [nearest, minSquare] = [-1, within * within];
	for (let cellRow = Math.max(0, row - reach); cellRow <= Math.min(height - 1, row + reach); cellRow++)
		for (
			let cellColumn = Math.max(0, column - reach);
			cellColumn <= Math.min(width - 1, column + reach);
			cellColumn++
		) {
			const place = placeIn(mesh, cellRow * width + cellColumn, y);
			if (place < 0) continue;
			const [middleX, middleZ] = middleOf(mesh, place);
			const square = (middleX - x) * (middleX - x) + (middleZ - z) * (middleZ - z);
			if (square < minSquare) [nearest, minSquare] = [place, square];
		}
	return nearest;
}

/** Returns the place of the next cell in a direction to which a walker can step, or -1. */
export function stepTo(mesh: NavMesh, place: number, direction: number): number {
	const { width, height, cellOfPlace, firstPlace, y, riseX, riseZ, ceiling, settings } = mesh;
	const dx = DIRECTION_X[direction]!;
	const dz = DIRECTION_Z[direction]!;
	const from = cellOfPlace[place]!;
	const to = from + dx + dz * width;
	if (to < 0 || to >= width * height) return -1;
	if (dx !== 0 && (from % width) + dx !== to % width) return -1;
	const half = settings.cell_size / 2;
	const ownEdge = y[place]! + half * (dx * riseX[place]! + dz * riseZ[place]!);
	for (let next = firstPlace[to]!; next < firstPlace[to + 1]!; next++) {
		const nextEdge = y[next]! - half * (dx * riseX[next]! + dz * riseZ[next]!);
		if (canStep(ownEdge, ceiling[place]!, nextEdge, ceiling[next]!, settings)) return next;
	}
	return -1;
}
