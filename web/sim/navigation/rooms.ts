/**
 * Rooms are the connected parts of each tile. Regions are the connected parts of the mesh.
 * Owns: both, computed from the cached rooms of tiles; and approximate distances from all rooms to a goal.
 */

import { finishWork, type SlicedWork } from '../core/sliced-work.ts';
import { Heap } from './heap.ts';
import { eachBorderPlace, linksOf, linksWithin, linkWork, NO_STEP } from './links.ts';
import { type NavMesh, tilesOf } from './mesh.ts';
import { DIRECTIONS, TILE, type Tile } from './tile.ts';

/** Rooms of one tile: the room of each place, numbered from 0. */
interface TileRooms {
	readonly rooms: Uint32Array;
	readonly count: number;
}

interface Rooms {
	/** Room of each place, numbered over the whole mesh. */
	readonly ofPlace: Uint32Array;
	readonly count: number;
	/** Region of each room. */
	readonly region: Int32Array;
}

const roomsOfTiles = new WeakMap<Tile, TileRooms>();
const roomsOfMeshes = new WeakMap<NavMesh, Rooms>();
const regions = new WeakMap<NavMesh, Int32Array>();

/** Returns the root of a number in a forest of parents, and shortens the path to it. */
function rootOf(parents: Uint32Array, number: number): number {
	while (parents[number] !== number) {
		parents[number] = parents[parents[number]!]!;
		number = parents[number]!;
	}
	return number;
}

/** Joins two trees: the lower root becomes the parent of the other. */
function join(parents: Uint32Array, a: number, b: number): void {
	const [rootA, rootB] = [rootOf(parents, a), rootOf(parents, b)];
	if (rootA < rootB) parents[rootB] = rootA;
	else parents[rootA] = rootB;
}

const separateParents = (count: number): Uint32Array => {
	const parents = new Uint32Array(count);
	for (let i = 0; i < count; i++) parents[i] = i;
	return parents;
};

/** Returns the rooms of a tile, computed without other tiles. */
export function roomsWithin(mesh: NavMesh, index: number): TileRooms {
	const tile = mesh.tiles[index]!;
	let rooms = roomsOfTiles.get(tile);
	if (rooms !== undefined) return rooms;
	const { firstPlace, columns, rows } = tile;
	const links = linksWithin(mesh, index);
	const parents = separateParents(tile.y.length);
	for (let cell = 0; cell < columns * rows; cell++)
		for (let place = firstPlace[cell]!; place < firstPlace[cell + 1]!; place++)
			for (let direction = 0; direction < 4; direction++) {
				const offset = links[place * 4 + direction]!;
				if (offset === NO_STEP) continue;
				join(
					parents,
					place,
					firstPlace[cell + DIRECTIONS[direction]![0] + DIRECTIONS[direction]![1] * columns]! + offset,
				);
			}
	let count = 0;
	const roomOfPlace = new Uint32Array(parents.length);
	// A root is the first place of its room.
	for (let place = 0; place < roomOfPlace.length; place++) {
		const root = rootOf(parents, place);
		roomOfPlace[place] = root === place ? count++ : roomOfPlace[root]!;
	}
	rooms = { rooms: roomOfPlace, count };
	roomsOfTiles.set(tile, rooms);
	return rooms;
}

const roomsOf = (mesh: NavMesh): Rooms => finishWork(roomWork(mesh));

function* roomWork(mesh: NavMesh): SlicedWork<Rooms> {
	const known = roomsOfMeshes.get(mesh);
	if (known !== undefined) return known;
	const { width, firstPlace, tiles, settings } = mesh;
	const { tileColumns } = tilesOf(settings);
	const ofPlace = new Uint32Array(mesh.y.length);
	let count = 0;
	for (const [i, tile] of tiles.entries()) {
		const corner = Math.floor(i / tileColumns) * TILE * width + (i % tileColumns) * TILE;
		const tileRooms = roomsWithin(mesh, i);
		for (let row = 0, from = 0; row < tile.rows; row++) {
			const to = tile.firstPlace[(row + 1) * tile.columns]!;
			for (let place = firstPlace[corner + row * width]!; from < to; from++, place++)
				ofPlace[place] = count + tileRooms.rooms[from]!;
		}
		count += tileRooms.count;
		if (i % tileColumns === 0) yield;
	}
	const parents = separateParents(count);
	yield* eachPassage(mesh, ofPlace, (a, b) => join(parents, a, b));
	// Regions are counted in the order of their first places.
	const region = new Int32Array(count).fill(-1);
	let next = 0;
	for (let place = 0; place < ofPlace.length; place++) {
		if (place % PLACES_PER_SLICE === 0) yield;
		const room = ofPlace[place]!;
		if (region[room]! >= 0) continue;
		const root = rootOf(parents, room);
		if (region[root]! < 0) region[root] = next++;
		region[room] = region[root]!;
	}
	const rooms = { ofPlace, count, region };
	roomsOfMeshes.set(mesh, rooms);
	return rooms;
}

/** Number of places that are visited in one slice of work. */
const PLACES_PER_SLICE = 1 << 16;

/** Calls `visit` for each step from a room into a room of another tile. A pair of rooms may be visited several times. */
function* eachPassage(
	mesh: NavMesh,
	ofPlace: Uint32Array,
	visit: (from: number, to: number) => void,
): SlicedWork<void> {
	const { firstPlace, cellOfPlace, width, settings } = mesh;
	const links = linksOf(mesh);
	const { tileRows } = tilesOf(settings);
	for (let row = 0; row < tileRows; row++) {
		eachBorderPlace(mesh, row, (place, direction) => {
			const offset = links[place * 4 + direction]!;
			if (offset === NO_STEP) return;
			const to =
				firstPlace[cellOfPlace[place]! + DIRECTIONS[direction]![0] + DIRECTIONS[direction]![1] * width]! +
				offset;
			visit(ofPlace[place]!, ofPlace[to]!);
		});
		yield;
	}
}

/**
 * Returns the region of each place. Places of the same region are connected. Computed at the first call.
 */
export const regionsOf = (mesh: NavMesh): Int32Array => finishWork(regionWork(mesh));

function* regionWork(mesh: NavMesh): SlicedWork<Int32Array> {
	const known = regions.get(mesh);
	if (known !== undefined) return known;
	const { ofPlace, region } = yield* roomWork(mesh);
	const regionOfPlace = new Int32Array(ofPlace.length);
	for (let place = 0; place < regionOfPlace.length; place++) {
		if (place % PLACES_PER_SLICE === 0) yield;
		regionOfPlace[place] = region[ofPlace[place]!]!;
	}
	regions.set(mesh, regionOfPlace);
	return regionOfPlace;
}

/** Computes all data that searches need beside the mesh. Parts of it may be copied from the mesh `before`. */
export function* searchWork(mesh: NavMesh, before: NavMesh | null = null): SlicedWork<void> {
	yield* linkWork(mesh, before);
	yield* regionWork(mesh);
	yield* graphWork(mesh);
}

/** Returns true if `searchWork` is complete. */
export const isSearchable = (mesh: NavMesh): boolean => graphs.has(mesh);

/** Graph of the rooms of a mesh. Distances are in cells, multiplied by the mean costs of rooms. */
interface RoomGraph {
	/** Middle of each room in columns and rows. */
	readonly columns: Float64Array;
	readonly rows: Float64Array;
	readonly costs: Float64Array;
	/** Rooms that are connected by a step, in either direction. */
	readonly neighbours: readonly ReadonlySet<number>[];
}

const graphs = new WeakMap<NavMesh, RoomGraph>();

const graphOf = (mesh: NavMesh): RoomGraph => finishWork(graphWork(mesh));

function* graphWork(mesh: NavMesh): SlicedWork<RoomGraph> {
	const known = graphs.get(mesh);
	if (known !== undefined) return known;
	const { width, cellOfPlace, cost } = mesh;
	const { ofPlace, count } = yield* roomWork(mesh);
	const createColumn = () => new Float64Array(count);
	const [columns, rows, costs, sizes] = [createColumn(), createColumn(), createColumn(), createColumn()];
	for (let place = 0; place < ofPlace.length; place++) {
		if (place % PLACES_PER_SLICE === 0) yield;
		const room = ofPlace[place]!;
		const column = cellOfPlace[place]! % width;
		columns[room]! += column;
		rows[room]! += (cellOfPlace[place]! - column) / width;
		costs[room]! += cost[place]!;
		sizes[room]! += 1;
	}
	for (let room = 0; room < count; room++)
		for (const sums of [columns, rows, costs]) sums[room]! /= sizes[room]!;
	const neighbours = Array.from({ length: count }, () => new Set<number>());
	yield* eachPassage(mesh, ofPlace, (a, b) => {
		neighbours[a]!.add(b);
		neighbours[b]!.add(a);
	});
	const graph = { columns, rows, costs, neighbours };
	graphs.set(mesh, graph);
	return graph;
}

/** Approximate routes of all rooms to a goal, which a search follows. */
interface Guide extends Omit<RoomGraph, 'neighbours' | 'costs'> {
	readonly ofPlace: Uint32Array;
	/** The next room on the way from each room; -1 for the room of the goal. */
	readonly nextRoom: Int32Array;
	/** Approximate distance from the middle of each room to the goal (cells, multiplied by costs). */
	readonly distances: Float64Array;
}

/** Returns the routes from all rooms to a place (Dijkstra, 1959). */
export function guideTo(mesh: NavMesh, goal: number): Guide {
	const { columns, rows, costs, neighbours } = graphOf(mesh);
	const { ofPlace, count } = roomsOf(mesh);
	const towards = new Int32Array(count).fill(-1);
	const distances = new Float64Array(count).fill(Infinity);
	const open = new Heap();
	const goalRoom = ofPlace[goal]!;
	const column = mesh.cellOfPlace[goal]! % mesh.width;
	const row = Math.floor(mesh.cellOfPlace[goal]! / mesh.width);
	distances[goalRoom] = octileDistance(columns[goalRoom]! - column, rows[goalRoom]! - row) * costs[goalRoom]!;
	open.push(distances[goalRoom]!, goalRoom);
	const closed = new Uint8Array(count);
	for (let room = open.pop(); room >= 0; room = open.pop()) {
		if (closed[room] === 1) continue;
		closed[room] = 1;
		for (const next of neighbours[room]!) {
			const step = octileDistance(columns[next]! - columns[room]!, rows[next]! - rows[room]!);
			const distance = distances[room]! + (step * (costs[next]! + costs[room]!)) / 2;
			if (distance >= distances[next]!) continue;
			distances[next] = distance;
			towards[next] = room;
			open.push(distance, next);
		}
	}
	return { columns, rows, ofPlace, nextRoom: towards, distances };
}

/** Length of a diagonal step. */
export const DIAGONAL = Math.sqrt(2);

/** Returns the distance in cells between two cells without obstacles, with straight and diagonal steps. */
export function octileDistance(columns: number, rows: number): number {
	const a = Math.abs(columns);
	const b = Math.abs(rows);
	return Math.max(a, b) + (DIAGONAL - 1) * Math.min(a, b);
}
