/**
 * A navigation mesh: the places of all its tiles, in rows of cells, and the steps between them.
 * Owns: finding a place, and stepping from one to the next. Never changed; forks share it.
 */

import { cellsOf, type NavmeshSettings } from '../../../shared/documents/navmesh.ts';
import { fnv1a } from '../core/fnv.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { DOWN, meets, OVER, TILE, type Tile } from './tile.ts';

export interface NavMesh {
	readonly settings: NavmeshSettings;
	/** In rows along x. */
	readonly tiles: readonly Tile[];
	/** Cells along x and z. */
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
	/** 32 bits that are others when a place is; never 0. */
	readonly print: number;
	/** Least cost of a metre. */
	readonly cheapest: number;
}

/** Tiles along x and z. */
export function tilesOf(settings: NavmeshSettings): { readonly across: number; readonly down: number } {
	const { width, height } = cellsOf(settings);
	return { across: Math.ceil(width / TILE), down: Math.ceil(height / TILE) };
}

/** Numbers of each place. */
const COLUMNS = ['y', 'riseX', 'riseZ', 'ceiling', 'cost', 'cell'] as const;

type Arrays = Pick<NavMesh, 'width' | 'height' | 'first' | (typeof COLUMNS)[number]>;

/** Returns the mesh of tiles in rows along x, one row after the other. Rows of tiles that `before` has too are copied from it. */
export function* joined(
	settings: NavmeshSettings,
	tiles: readonly Tile[],
	before: NavMesh | null,
): SlicedWork<NavMesh> {
	const { width, height } = cellsOf(settings);
	const { across, down } = tilesOf(settings);
	const total = tiles.reduce((sum, { y }) => sum + y.length, 0);
	const numbers = () => new Float32Array(total);
	const mesh: Arrays = {
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
	let at = 0;
	for (let row = 0; row < down; row++) {
		const own = tiles.slice(row * across, (row + 1) * across);
		const isSame = before !== null && isSameRow({ settings, tiles }, before, row);
		at = isSame ? copyRow(mesh, before, row, at) : joinRow(mesh, own, row, at);
		yield;
	}
	mesh.first[width * height] = total;
	const cheapest = settings.areas.reduce((least, { cost }) => (cost > 0 ? Math.min(least, cost) : least), 1);
	return { ...mesh, settings, tiles, print: printOf(settings, tiles), cheapest };
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

/** Copies a row of tiles from another mesh to the place `at`; returns the place after it. */
function copyRow(mesh: Arrays, before: NavMesh, row: number, at: number): number {
	const { width, height } = mesh;
	const [begin, end] = [row * TILE * width, Math.min(height, (row + 1) * TILE) * width];
	const [from, to] = [before.first[begin]!, before.first[end]!];
	for (const column of COLUMNS) mesh[column].set(before[column].subarray(from, to), at);
	mesh.first.set(before.first.subarray(begin, end), begin);
	if (at !== from) for (let cell = begin; cell < end; cell++) mesh.first[cell]! += at - from;
	return at + to - from;
}

/** Joins a row of tiles from the place `at` on; returns the place after it. */
function joinRow(mesh: Arrays, tiles: readonly Tile[], row: number, at: number): number {
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
				// A call of the array's own `set` costs more than so few numbers.
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

function printOf(
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

/** Returns the column or row of a coordinate; out of the mesh it is below 0 or as many as there are, or more. */
export const columnOf = ({ settings }: NavMesh, x: number): number =>
	Math.floor((x - settings.min_x) / settings.cell_size);
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

/** Height of the ground of a place at x, z (m). */
export function heightAt(mesh: NavMesh, place: number, x: number, z: number): number {
	const [middleX, middleZ] = middleOf(mesh, place);
	return mesh.y[place]! + mesh.riseX[place]! * (x - middleX) + mesh.riseZ[place]! * (z - middleZ);
}

/**
 * Returns the place of a cell on which an entity at a height stands: the highest that is not above a step, else the
 * lowest; -1: none.
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
	const under = placeAt(mesh, x, y, z);
	if (under >= 0) return under;
	const { width, height, settings } = mesh;
	const reach = Math.ceil(within / settings.cell_size);
	const [column, row] = [columnOf(mesh, x), rowOf(mesh, z)];
	let [best, least] = [-1, within * within];
	for (let down = Math.max(0, row - reach); down <= Math.min(height - 1, row + reach); down++)
		for (let over = Math.max(0, column - reach); over <= Math.min(width - 1, column + reach); over++) {
			const place = placeIn(mesh, down * width + over, y);
			if (place < 0) continue;
			const [middleX, middleZ] = middleOf(mesh, place);
			const square = (middleX - x) * (middleX - x) + (middleZ - z) * (middleZ - z);
			if (square < least) [best, least] = [place, square];
		}
	return best;
}

/** Returns the place of the next cell in one of the four directions to which one can step, or -1. */
export function stepTo(mesh: NavMesh, place: number, way: number): number {
	const { width, height, cell, first, y, riseX, riseZ, ceiling, settings } = mesh;
	const dx = OVER[way]!;
	const dz = DOWN[way]!;
	const at = cell[place]!;
	const to = at + dx + dz * width;
	if (to < 0 || to >= width * height) return -1;
	if (dx !== 0 && (at % width) + dx !== to % width) return -1;
	const half = settings.cell_size / 2;
	const edge = y[place]! + half * (dx * riseX[place]! + dz * riseZ[place]!);
	for (let next = first[to]!; next < first[to + 1]!; next++) {
		const other = y[next]! - half * (dx * riseX[next]! + dz * riseZ[next]!);
		if (meets(edge, ceiling[place]!, other, ceiling[next]!, settings)) return next;
	}
	return -1;
}
