/**
 * The steps of a mesh, four to a place.
 * Owns: that those inside a tile are worked out once for the tile: after a change only steps of new tiles and between
 * tiles are.
 */

import { type NavMesh, stepTo, tilesOf } from './mesh.ts';
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

/** Returns the steps of all places. Computed on the first request. */
export function linksOf(mesh: NavMesh): Links {
	let found = linksOfMeshes.get(mesh);
	if (found === undefined) {
		found = linked(mesh);
		linksOfMeshes.set(mesh, found);
	}
	return found;
}

function linked(mesh: NavMesh): Links {
	const { width, first, tiles, settings } = mesh;
	const { across } = tilesOf(settings);
	const links = new Uint16Array(mesh.y.length * 4);
	tiles.forEach((tile, i) => {
		const corner = Math.floor(i / across) * TILE * width + (i % across) * TILE;
		const inner = linksWithin(mesh, i);
		for (let row = 0, from = 0; row < tile.rows; row++) {
			const to = tile.first[(row + 1) * tile.columns]! * 4;
			for (let at = first[corner + row * width]! * 4; from < to; from++, at++) links[at] = inner[from]!;
		}
	});
	eachBorderPlace(mesh, (place, way) => {
		links[place * 4 + way] = offsetOf(mesh, place, way);
	});
	return links;
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

/** Calls `visit` for every place beside another tile, with each way into that. */
export function eachBorderPlace(mesh: NavMesh, visit: (place: number, way: number) => void): void {
	const { width, height, first } = mesh;
	const visitCell = (column: number, row: number, way: number) => {
		const [toColumn, toRow] = [column + WAYS[way]![0], row + WAYS[way]![1]];
		if (toColumn < 0 || toRow < 0 || toColumn >= width || toRow >= height) return;
		const cell = row * width + column;
		for (let place = first[cell]!; place < first[cell + 1]!; place++) visit(place, way);
	};
	for (let row = 0; row < height; row++)
		for (let edge = 0; edge < width; edge += TILE) {
			visitCell(Math.min(edge + TILE, width) - 1, row, 0);
			visitCell(edge, row, 2);
		}
	for (let edge = 0; edge < height; edge += TILE)
		for (let column = 0; column < width; column++) {
			visitCell(column, Math.min(edge + TILE, height) - 1, 1);
			visitCell(column, edge, 3);
		}
}
