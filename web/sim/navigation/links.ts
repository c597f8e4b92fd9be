/**
 * The steps of a mesh: four for each place, one for each direction.
 * Owns: the cache of these steps. Steps inside a tile are computed once for the tile. After a change, only the steps of new
 * tiles and between tiles are computed.
 */

import { finishWork, type SlicedWork } from '../core/sliced-work.ts';
import { isSameRow, type NavMesh, stepTo, tilesOf } from './mesh.ts';
import { DIRECTIONS, TILE, type Tile } from './tile.ts';

/** Marks a missing step. A step to a place above 65,534 others in its cell also counts as missing. */
export const NO_STEP = 0xffff;

/**
 * Steps by place and direction. Each is the number of the target place in the next cell, counted from the cell's first
 * place, or `NO_STEP`. The steps of a tile are the same in every mesh that contains it.
 */
export type Links = Uint16Array;

const linksOfMeshes = new WeakMap<NavMesh, Links>();
const linksOfTiles = new WeakMap<Tile, Links>();

/** Returns the steps of all places. They are computed at the first call, if not before. */
export const linksOf = (mesh: NavMesh): Links => finishWork(linkWork(mesh));

/**
 * Computes the steps of all places, row by row of tiles. A row is copied from `before` if that mesh has the same row and
 * the same adjacent rows.
 */
export function* linkWork(mesh: NavMesh, before: NavMesh | null = null): SlicedWork<Links> {
	const known = linksOfMeshes.get(mesh);
	if (known !== undefined) return known;
	const links = new Uint16Array(mesh.y.length * 4);
	const oldLinks = before === null ? undefined : linksOfMeshes.get(before);
	const { tileRows } = tilesOf(mesh.settings);
	for (let row = 0; row < tileRows; row++) {
		const nearRows = [row - 1, row, row + 1].filter((near) => near >= 0 && near < tileRows);
		if (oldLinks !== undefined && nearRows.every((near) => isSameRow(mesh, before!, near))) {
			const [begin, end] = placesOfRow(before!, row);
			links.set(oldLinks.subarray(begin * 4, end * 4), placesOfRow(mesh, row)[0] * 4);
		} else linkRow(mesh, links, row);
		yield;
	}
	linksOfMeshes.set(mesh, links);
	return links;
}

/** Returns the first place of a row of tiles, and the place after its last. */
function placesOfRow(
	{ width, height, firstPlace }: NavMesh,
	row: number,
): readonly [begin: number, end: number] {
	return [firstPlace[row * TILE * width]!, firstPlace[Math.min(height, (row + 1) * TILE) * width]!];
}

function linkRow(mesh: NavMesh, links: Links, row: number): void {
	const { width, firstPlace, tiles, settings } = mesh;
	const { tileColumns } = tilesOf(settings);
	for (let i = 0; i < tileColumns; i++) {
		const tile = tiles[row * tileColumns + i]!;
		const corner = row * TILE * width + i * TILE;
		const inner = linksWithin(mesh, row * tileColumns + i);
		for (let tileRow = 0, from = 0; tileRow < tile.rows; tileRow++) {
			const to = tile.firstPlace[(tileRow + 1) * tile.columns]! * 4;
			for (let linkIndex = firstPlace[corner + tileRow * width]! * 4; from < to; from++, linkIndex++)
				links[linkIndex] = inner[from]!;
		}
	}
	eachBorderPlace(mesh, row, (place, direction) => {
		links[place * 4 + direction] = offsetOf(mesh, place, direction);
	});
}

/** Returns the steps of a tile's own places that stay in the tile. */
export function linksWithin(mesh: NavMesh, index: number): Links {
	const tile = mesh.tiles[index]!;
	let links = linksOfTiles.get(tile);
	if (links !== undefined) return links;
	const { columns, rows, firstPlace } = tile;
	const { tileColumns } = tilesOf(mesh.settings);
	const corner = Math.floor(index / tileColumns) * TILE * mesh.width + (index % tileColumns) * TILE;
	links = new Uint16Array(tile.y.length * 4).fill(NO_STEP);
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++) {
			const cellIndex = row * columns + column;
			const firstInMesh = mesh.firstPlace[corner + row * mesh.width + column]!;
			for (let direction = 0; direction < 4; direction++) {
				const [toColumn, toRow] = [column + DIRECTIONS[direction]![0], row + DIRECTIONS[direction]![1]];
				if (toColumn < 0 || toRow < 0 || toColumn >= columns || toRow >= rows) continue;
				for (let place = firstPlace[cellIndex]!; place < firstPlace[cellIndex + 1]!; place++)
					links[place * 4 + direction] = offsetOf(
						mesh,
						firstInMesh + place - firstPlace[cellIndex]!,
						direction,
					);
			}
		}
	linksOfTiles.set(tile, links);
	return links;
}

function offsetOf(mesh: NavMesh, place: number, direction: number): number {
	const to = stepTo(mesh, place, direction);
	return to < 0 ? NO_STEP : Math.min(NO_STEP, to - mesh.firstPlace[mesh.cellOfPlace[to]!]!);
}

/** Visits every place of a row of tiles at the border of its tile, with each direction into another tile. */
export function eachBorderPlace(
	mesh: NavMesh,
	row: number,
	visit: (place: number, direction: number) => void,
): void {
	const { width, height, firstPlace } = mesh;
	const visitCell = (column: number, cellRow: number, direction: number) => {
		const [toColumn, toRow] = [column + DIRECTIONS[direction]![0], cellRow + DIRECTIONS[direction]![1]];
		if (toColumn < 0 || toRow < 0 || toColumn >= width || toRow >= height) return;
		const cell = cellRow * width + column;
		for (let place = firstPlace[cell]!; place < firstPlace[cell + 1]!; place++) visit(place, direction);
	};
	const [begin, end] = [row * TILE, Math.min(height, (row + 1) * TILE)];
	for (let cellRow = begin; cellRow < end; cellRow++)
		for (let tileStart = 0; tileStart < width; tileStart += TILE) {
			visitCell(Math.min(tileStart + TILE, width) - 1, cellRow, 0);
			visitCell(tileStart, cellRow, 2);
		}
	for (let column = 0; column < width; column++) {
		visitCell(column, end - 1, 1);
		visitCell(column, begin, 3);
	}
}
