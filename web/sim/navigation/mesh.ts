/**
 * A navigation mesh: the places of all its tiles, in rows of cells, and the steps between them.
 * Owns: finding a place, stepping from one to the next, and what is connected. Never changed; forks share it.
 */

import { cellsOf, type NavmeshSettings } from '../../../shared/documents/navmesh.ts';
import { fnv1a } from '../core/fnv.ts';
import { meets, TILE, type Tile, WAYS } from './tile.ts';

export interface NavMesh {
	readonly settings: NavmeshSettings;
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

/** The mesh of tiles in rows along x. */
export function joined(settings: NavmeshSettings, tiles: readonly Tile[]): NavMesh {
	const { width, height } = cellsOf(settings);
	const { across } = tilesOf(settings);
	const total = tiles.reduce((sum, { y }) => sum + y.length, 0);
	const numbers = () => new Float32Array(total);
	const mesh = {
		settings,
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
	for (let row = 0; row < height; row++)
		for (let over = 0; over < across; over++) {
			const tile = tiles[Math.floor(row / TILE) * across + over]!;
			const begins = (row % TILE) * tile.columns;
			const from = tile.first[begins]!;
			const to = tile.first[begins + tile.columns]!;
			for (const column of ['y', 'riseX', 'riseZ', 'ceiling', 'cost'] as const)
				mesh[column].set(tile[column].subarray(from, to), at);
			for (let column = 0; column < tile.columns; column++) {
				const cell = row * width + over * TILE + column;
				mesh.first[cell] = at + tile.first[begins + column]! - from;
				mesh.cell.fill(cell, mesh.first[cell]!, at + tile.first[begins + column + 1]! - from);
			}
			at += to - from;
		}
	mesh.first[width * height] = total;
	const cheapest = settings.areas.reduce((least, { cost }) => (cost > 0 ? Math.min(least, cost) : least), 1);
	return { ...mesh, print: printOf(settings, tiles), cheapest };
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

/** Bytes that a mesh takes. */
export function bytesOf({ first, y, cell }: NavMesh): number {
	return first.byteLength + cell.byteLength + 5 * y.byteLength;
}

/** The column or row of a coordinate; out of the mesh it is below 0 or as many as there are, or more. */
export const columnOf = ({ settings }: NavMesh, x: number): number =>
	Math.floor((x - settings.min_x) / settings.cell_size);
export const rowOf = ({ settings }: NavMesh, z: number): number =>
	Math.floor((z - settings.min_z) / settings.cell_size);

/** The middle of a place's cell. */
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
 * The place of a cell on which an entity at a height stands: the highest that is not above a step, else the lowest;
 * -1: none.
 */
function placeIn({ first, y: heights, settings }: NavMesh, cell: number, y: number): number {
	let found = -1;
	for (let place = first[cell]!; place < first[cell + 1]!; place++)
		if (found < 0 || heights[place]! <= y + settings.step_height) found = place;
	return found;
}

/** The place under a position, or -1. */
export function placeAt(mesh: NavMesh, x: number, y: number, z: number): number {
	const [column, row] = [columnOf(mesh, x), rowOf(mesh, z)];
	if (column < 0 || row < 0 || column >= mesh.width || row >= mesh.height) return -1;
	return placeIn(mesh, row * mesh.width + column, y);
}

/** The place nearest to a position within a distance along the ground, or -1. */
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

/** The place of the next cell in one of the four directions to which one can step, or -1. */
export function stepTo(mesh: NavMesh, place: number, way: number): number {
	const { width, height, cell, first, y, riseX, riseZ, ceiling, settings } = mesh;
	const [dx, dz] = WAYS[way]!;
	const at = cell[place]!;
	const column = (at % width) + dx;
	const row = Math.floor(at / width) + dz;
	if (column < 0 || row < 0 || column >= width || row >= height) return -1;
	const to = row * width + column;
	const half = settings.cell_size / 2;
	const edge = y[place]! + half * (dx * riseX[place]! + dz * riseZ[place]!);
	for (let next = first[to]!; next < first[to + 1]!; next++) {
		const other = y[next]! - half * (dx * riseX[next]! + dz * riseZ[next]!);
		if (meets(edge, ceiling[place]!, other, ceiling[next]!, settings)) return next;
	}
	return -1;
}

const links = new WeakMap<NavMesh, Int32Array>();

/** Returns the target of the steps from each place, four to a place; -1: nowhere. Computed on the first request. */
export function linksOf(mesh: NavMesh): Int32Array {
	let found = links.get(mesh);
	if (found === undefined) {
		found = new Int32Array(mesh.y.length * 4);
		for (let i = 0; i < found.length; i++) found[i] = stepTo(mesh, i >> 2, i & 3);
		links.set(mesh, found);
	}
	return found;
}

const regions = new WeakMap<NavMesh, Int32Array>();

/** A number for each place: equal for those between which there is a way. Worked out when it is first asked for. */
export function regionsOf(mesh: NavMesh): Int32Array {
	let found = regions.get(mesh);
	if (found === undefined) {
		found = flooded(mesh);
		regions.set(mesh, found);
	}
	return found;
}

function flooded(mesh: NavMesh): Int32Array {
	const steps = linksOf(mesh);
	const region = new Int32Array(mesh.y.length).fill(-1);
	const stack: number[] = [];
	for (let start = 0, number = 0; start < region.length; start++) {
		if (region[start]! >= 0) continue;
		region[start] = number;
		stack.push(start);
		for (let place = stack.pop(); place !== undefined; place = stack.pop())
			for (let way = 0; way < 4; way++) {
				const next = steps[place * 4 + way]!;
				if (next < 0 || region[next]! >= 0) continue;
				region[next] = number;
				stack.push(next);
			}
		number++;
	}
	return region;
}

const tops = new WeakMap<NavMesh, Uint8Array>();

/**
 * 1 for each place on top of something, such as a wall: from there one only falls down, and no step leads up. These are the places of
 * the parts that have a lower part beside them and are not the ground.
 */
export function topsOf(mesh: NavMesh): Uint8Array {
	let found = tops.get(mesh);
	if (found === undefined) {
		found = raised(mesh);
		tops.set(mesh, found);
	}
	return found;
}

function raised(mesh: NavMesh): Uint8Array {
	const region = regionsOf(mesh);
	const lower = lowerParts(mesh, region);
	const ground = groundOf(mesh, region, lower);
	return Uint8Array.from(region, (own) => (lower[own]!.size > 0 && !ground.has(own) ? 1 : 0));
}

/** For each part, the parts that have a lower place beside one of its own. */
function lowerParts({ width, height, first, cell, y }: NavMesh, region: Int32Array): Set<number>[] {
	const lower: Set<number>[] = [];
	region.forEach((own, place) => {
		lower[own] ??= new Set();
		const column = cell[place]! % width;
		const row = Math.floor(cell[place]! / width);
		for (const [dx, dz] of WAYS) {
			if (column + dx < 0 || row + dz < 0 || column + dx >= width || row + dz >= height) continue;
			const next = first[(row + dz) * width + column + dx]!;
			if (next < first[(row + dz) * width + column + dx + 1]! && region[next] !== own && y[next]! < y[place]!)
				lower[own].add(region[next]!);
		}
	});
	return lower;
}

/**
 * The parts that are the ground, however large what stands on them is: those on the floor of the mesh. Without such, it is the largest
 * part, or a lower one beside it that has more of the edge of the mesh, as the ground around a large block has.
 */
function groundOf(
	{ settings, width, height, cell, y }: NavMesh,
	region: Int32Array,
	lower: readonly Set<number>[],
): ReadonlySet<number> {
	const { floor } = settings;
	const onFloor = new Set<number>();
	const sizes = new Uint32Array(lower.length);
	const edges = new Uint32Array(lower.length);
	region.forEach((own, place) => {
		if (floor !== null && y[place] === Math.fround(floor)) onFloor.add(own);
		const [column, row] = [cell[place]! % width, Math.floor(cell[place]! / width)];
		sizes[own]!++;
		if (column === 0 || row === 0 || column === width - 1 || row === height - 1) edges[own]!++;
	});
	if (onFloor.size > 0) return onFloor;
	const most = (numbers: Uint32Array, among: Iterable<number>) =>
		[...among].reduce((best, one) => (numbers[one]! > (numbers[best] ?? 0) ? one : best), -1);
	let ground = most(sizes, sizes.keys());
	for (;;) {
		const around = ground < 0 ? -1 : most(edges, lower[ground]!);
		if (around < 0 || edges[around]! <= edges[ground]!) break;
		ground = around;
	}
	return new Set([ground]);
}

/** Cells on which no entity can stand, or only on top of something. */
export function blockedCells(mesh: NavMesh): number {
	const { first, width, height } = mesh;
	const top = topsOf(mesh);
	let blocked = 0;
	for (let cell = 0; cell < width * height; cell++) {
		let open = false;
		for (let place = first[cell]!; place < first[cell + 1]!; place++) open ||= top[place] === 0;
		if (!open) blocked++;
	}
	return blocked;
}
