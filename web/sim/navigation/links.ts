/**
 * The steps of a mesh, four to a place.
 * Owns: that those inside a tile are worked out once for the tile: after a change only steps of new tiles and between
 * tiles are.
 */

import { finished, type SlicedWork } from '../core/sliced-work.ts';
import { isSameRow, type NavMesh, stepTo, tilesOf } from './mesh.ts';
import { TILE, type Tile, WAYS } from './tile.ts';

/** No step leads that way. Also for one to a place above so many others, which no walker needs. */
export const NO_STEP = 0xffff;

/**
 * By place and way: the number of the place in the next cell to which the step leads, counted from the cell's first, or
 * `NO_STEP`. A tile's are the same in every mesh that has it.
 */
export type Links = Uint16Array;

const linksOfMeshes = new WeakMap<NavMesh, Links>();
const linksOfTiles = new WeakMap<Tile, Links>();

/** Returns the steps of all places. Computed on the first request, if not before. */
export const linksOf = (mesh: NavMesh): Links => finished(linkWork(mesh));

/**
 * Computes the steps of all places, one row of tiles after the other. A row that `before` has too, with both beside it, is
 * copied from it.
 */
export function* linkWork(mesh: NavMesh, before: NavMesh | null = null): SlicedWork<Links> {
	const known = linksOfMeshes.get(mesh);
	if (known !== undefined) return known;
	const links = new Uint16Array(mesh.y.length * 4);
	const old = before === null ? undefined : linksOfMeshes.get(before);
	const { down } = tilesOf(mesh.settings);
	for (let row = 0; row < down; row++) {
		const around = [row - 1, row, row + 1].filter((one) => one >= 0 && one < down);
		if (old !== undefined && around.every((one) => isSameRow(mesh, before!, one))) {
			const [begin, end] = placesOfRow(before!, row);
			links.set(old.subarray(begin * 4, end * 4), placesOfRow(mesh, row)[0] * 4);
		} else linkRow(mesh, links, row);
		yield;
	}
	linksOfMeshes.set(mesh, links);
	return links;
}

/** First place of a row of tiles, and that after its last. */
function placesOfRow({ width, height, first }: NavMesh, row: number): readonly [begin: number, end: number] {
	return [first[row * TILE * width]!, first[Math.min(height, (row + 1) * TILE) * width]!];
}

function linkRow(mesh: NavMesh, links: Links, row: number): void {
	const { width, first, tiles, settings } = mesh;
	const { across } = tilesOf(settings);
	for (let i = 0; i < across; i++) {
		const tile = tiles[row * across + i]!;
		const corner = row * TILE * width + i * TILE;
		const inner = linksWithin(mesh, row * across + i);
		for (let down = 0, from = 0; down < tile.rows; down++) {
			const to = tile.first[(down + 1) * tile.columns]! * 4;
			for (let at = first[corner + down * width]! * 4; from < to; from++, at++) links[at] = inner[from]!;
		}
	}
	eachBorderPlace(mesh, row, (place, way) => {
		links[place * 4 + way] = offsetOf(mesh, place, way);
	});
}

/** Returns the steps of a tile's own places that stay in the tile. */
export function linksWithin(mesh: NavMesh, index: number): Links {
	const tile = mesh.tiles[index]!;
	let found = linksOfTiles.get(tile);
	if (found !== undefined) return found;
	const { columns, rows, first } = tile;
	const { across } = tilesOf(mesh.settings);
	const corner = Math.floor(index / across) * TILE * mesh.width + (index % across) * TILE;
	found = new Uint16Array(tile.y.length * 4).fill(NO_STEP);
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++) {
			const own = row * columns + column;
			const begins = mesh.first[corner + row * mesh.width + column]!;
			for (let way = 0; way < 4; way++) {
				const [toColumn, toRow] = [column + WAYS[way]![0], row + WAYS[way]![1]];
				if (toColumn < 0 || toRow < 0 || toColumn >= columns || toRow >= rows) continue;
				for (let place = first[own]!; place < first[own + 1]!; place++)
					found[place * 4 + way] = offsetOf(mesh, begins + place - first[own]!, way);
			}
		}
	linksOfTiles.set(tile, found);
	return found;
}

function offsetOf(mesh: NavMesh, place: number, way: number): number {
	const to = stepTo(mesh, place, way);
	return to < 0 ? NO_STEP : Math.min(NO_STEP, to - mesh.first[mesh.cell[to]!]!);
}

/** Calls `visit` for every place of a row of tiles that is beside another tile, with each way into that. */
export function eachBorderPlace(
	mesh: NavMesh,
	row: number,
	visit: (place: number, way: number) => void,
): void {
	const { width, height, first } = mesh;
	const visitCell = (column: number, at: number, way: number) => {
		const [toColumn, toRow] = [column + WAYS[way]![0], at + WAYS[way]![1]];
		if (toColumn < 0 || toRow < 0 || toColumn >= width || toRow >= height) return;
		const cell = at * width + column;
		for (let place = first[cell]!; place < first[cell + 1]!; place++) visit(place, way);
	};
	const [begin, end] = [row * TILE, Math.min(height, (row + 1) * TILE)];
	for (let at = begin; at < end; at++)
		for (let edge = 0; edge < width; edge += TILE) {
			visitCell(Math.min(edge + TILE, width) - 1, at, 0);
			visitCell(edge, at, 2);
		}
	for (let column = 0; column < width; column++) {
		visitCell(column, end - 1, 1);
		visitCell(column, begin, 3);
	}
}
