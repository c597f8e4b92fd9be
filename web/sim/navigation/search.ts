/**
 * Searches the cheapest path between two places of a navigation mesh.
 * Owns: A* over eight directions (Hart, Nilsson and Raphael, 1968), and straightening its result. Ties are broken by the
 * numbers of places, so that the result is the same on every computer. Across a large mesh the path may not be the
 * cheapest, so that a tick stays short.
 */

import type { Vector } from '../core/math/vector.ts';
import { Heap } from './heap.ts';
import { maxCellsOnLine, type Spot, walkLine } from './line.ts';
import { linksOf, NO_STEP } from './links.ts';
import { heightAt, middleOf, type NavMesh, placeAt } from './mesh.ts';
import { DIAGONAL, guideTo, octileDistance, regionsOf } from './rooms.ts';
import { DIRECTION_X, DIRECTION_Z } from './tile.ts';

export interface FoundPath {
	/** Points on the ground, from the start to the end. */
	readonly points: readonly Vector[];
	/** Horizontal length (m). */
	readonly length: number;
	/** Sum of the length (m) times the cost of the ground. */
	readonly cost: number;
	/** Number of visited places. */
	readonly visits: number;
}

/** Working memory for each place. Searches share it: an entry is valid if it has the `mark` of the current search. */
const memory = {
	mark: 0,
	size: 0,
	opened: new Uint32Array(0),
	closed: new Uint32Array(0),
	cost: new Float64Array(0),
	predecessor: new Int32Array(0),
};

function beginSearch(size: number): typeof memory {
	if (memory.size < size) {
		memory.size = size;
		memory.opened = new Uint32Array(size);
		memory.closed = new Uint32Array(size);
		memory.cost = new Float64Array(size);
		memory.predecessor = new Int32Array(size);
		memory.mark = 0;
	}
	if (memory.mark === 0xffffffff) {
		memory.opened.fill(0);
		memory.closed.fill(0);
		memory.mark = 0;
	}
	memory.mark++;
	return memory;
}

/** Returns the path between two places, or null. `from` and `to` are positions on them. */
export function findPath(mesh: NavMesh, start: number, from: Spot, goal: number, to: Spot): FoundPath | null {
	const straight = walkLine(mesh, start, from, to);
	if (straight !== null && straight.place === goal) {
		const length = distanceBetween(from, to);
		// No path can be cheaper than a straight line at the lowest cost.
		if (straight.cost <= length * mesh.minCost * (1 + 1e-9))
			return {
				points: [onGround(mesh, start, from), onGround(mesh, goal, to)],
				length,
				cost: straight.cost,
				visits: visitsOfLine(mesh, from, to),
			};
	}
	const regions = regionsOf(mesh);
	if (regions[start] !== regions[goal]) return null;
	const result = searchPlaces(mesh, start, goal);
	if (result === null) return null;
	return { ...straighten(mesh, result.places, from, to), visits: result.visits };
}

/** Number of cells of a straight line that count as one visited place. */
const CELLS_PER_PLACE = 256;

/** Returns the number of visited places that testing a straight line counts as. */
export function visitsOfLine(mesh: NavMesh, [ax, az]: Spot, [bx, bz]: Spot): number {
	return 1 + Math.floor(maxCellsOnLine(mesh, bx - ax, bz - az) / CELLS_PER_PLACE);
}

const distanceBetween = ([ax, az]: Spot, [bx, bz]: Spot): number =>
	Math.sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));

const onGround = (mesh: NavMesh, place: number, [x, z]: Spot): Vector => [x, heightAt(mesh, place, x, z), z];

/**
 * Maximum number of places that the exact search visits. Then a search guided by rooms starts. It visits far fewer
 * places, but its path may be slightly more expensive.
 */
const MAX_EXACT_VISITS = 1 << 15;

/** Weight of the heuristic of the guided search. With a higher weight, it visits fewer places, but the path may cost more. */
const GUIDE_WEIGHT = 2;

/** Returns a lower bound (or with `GUIDE_WEIGHT`, an estimate) of the cost from a place to the goal. */
type Heuristic = (place: number, column: number, row: number) => number;

/** Returns the places of a path, including both ends, and the number of visited places; null if there is none. */
function searchPlaces(
	mesh: NavMesh,
	start: number,
	goal: number,
): { places: number[]; visits: number } | null {
	const { width, cellOfPlace, settings, minCost } = mesh;
	const edge = settings.cell_size;
	const goalColumn = cellOfPlace[goal]! % width;
	const goalRow = Math.floor(cellOfPlace[goal]! / width);
	const exact: Heuristic = (_, column, row) =>
		octileDistance(column - goalColumn, row - goalRow) * edge * minCost;
	const visits = runAStar(mesh, start, goal, exact, MAX_EXACT_VISITS);
	if (visits >= 0) return { places: placesTo(goal), visits };
	if (-visits < MAX_EXACT_VISITS) return null;
	const { nextRoom, ofPlace, columns, rows, distances } = guideTo(mesh, goal);
	const guided: Heuristic = (place, column, row) => {
		const next = nextRoom[ofPlace[place]!]!;
		if (next < 0) return octileDistance(column - goalColumn, row - goalRow) * edge * GUIDE_WEIGHT;
		return (
			(octileDistance(column - columns[next]!, row - rows[next]!) + distances[next]!) * edge * GUIDE_WEIGHT
		);
	};
	const guidedVisits = runAStar(mesh, start, goal, guided, Infinity);
	return guidedVisits < 0 ? null : { places: placesTo(goal), visits: guidedVisits - visits };
}

function placesTo(goal: number): number[] {
	const places: number[] = [];
	for (let place = goal; place >= 0; place = memory.predecessor[place]!) places.push(place);
	return places.reverse();
}

/**
 * Visits places from `start` on, the most promising first, until it reaches the goal or has visited `maxVisits` places.
 * Returns the number of visited places, negated if the goal was not reached.
 */
function runAStar(
	mesh: NavMesh,
	start: number,
	goal: number,
	heuristic: Heuristic,
	maxVisits: number,
): number {
	const { width, cellOfPlace, cost, firstPlace, settings } = mesh;
	const edge = settings.cell_size;
	const { opened, closed, cost: spent, predecessor, mark } = beginSearch(mesh.y.length);
	const links = linksOf(mesh);
	const open = new Heap();
	const neighbours = [-1, -1, -1, -1];
	const openPlace = (from: number, place: number, steps: number, column: number, row: number) => {
		const sum = spent[from]! + ((cost[from]! + cost[place]!) / 2) * steps * edge;
		if (opened[place] === mark && sum >= spent[place]!) return;
		opened[place] = mark;
		spent[place] = sum;
		predecessor[place] = from;
		open.push(sum + heuristic(place, column, row), place);
	};
	opened[start] = mark;
	spent[start] = 0;
	predecessor[start] = -1;
	open.push(0, start);
	let visits = 0;
	for (let place = open.pop(); place >= 0; place = open.pop()) {
		if (closed[place] === mark) continue;
		closed[place] = mark;
		visits++;
		if (place === goal) return visits;
		if (visits >= maxVisits) break;
		const current = cellOfPlace[place]!;
		const column = current % width;
		const row = (current - column) / width;
		for (let direction = 0; direction < 4; direction++) {
			const offset = links[place * 4 + direction]!;
			const next =
				offset === NO_STEP
					? -1
					: firstPlace[current + DIRECTION_X[direction]! + DIRECTION_Z[direction]! * width]! + offset;
			neighbours[direction] = next;
			if (next >= 0 && closed[next] !== mark)
				openPlace(place, next, 1, column + DIRECTION_X[direction]!, row + DIRECTION_Z[direction]!);
		}
		for (let direction = 0; direction < 4; direction++) {
			const nextDirection = (direction + 1) & 3;
			const a = neighbours[direction]!;
			const b = neighbours[nextDirection]!;
			if (a < 0 || b < 0) continue;
			const dx = DIRECTION_X[direction]! + DIRECTION_X[nextDirection]!;
			const dz = DIRECTION_Z[direction]! + DIRECTION_Z[nextDirection]!;
			const offset = links[a * 4 + nextDirection]!;
			if (offset === NO_STEP || offset !== links[b * 4 + direction]) continue;
			const corner = firstPlace[current + dx + dz * width]! + offset;
			if (closed[corner] !== mark) openPlace(place, corner, DIAGONAL, column + dx, row + dz);
		}
	}
	return -visits;
}

/**
 * Maximum number of places by which straightening advances one at a time. Beyond it, the step doubles, because each test
 * walks the whole line.
 */
const MAX_SINGLE_STEPS = 128;
/** The same limit for paths with more than `LONG_PATH` places. */
const MAX_SINGLE_STEPS_IF_LONG = 16;
const LONG_PATH = 2048;

/** Replaces parts of a path from cell to cell by straight lines, if these cost no more. */
function straighten(
	mesh: NavMesh,
	places: readonly number[],
	from: Spot,
	to: Spot,
): Omit<FoundPath, 'visits'> {
	const last = places.length - 1;
	const spotAt = (i: number): Spot => (i === 0 ? from : i === last ? to : middleOf(mesh, places[i]!));
	const costs = [0];
	for (let i = 1; i <= last; i++) {
		const meanCost = (mesh.cost[places[i - 1]!]! + mesh.cost[places[i]!]!) / 2;
		costs.push(costs[i - 1]! + meanCost * distanceBetween(spotAt(i - 1), spotAt(i)));
	}
	const canSkipTo = (anchor: number, i: number): boolean => {
		if (i > last) return false;
		const line = walkLine(mesh, places[anchor]!, spotAt(anchor), spotAt(i));
		return line !== null && line.place === places[i] && line.cost <= costs[i]! - costs[anchor]! + 1e-6;
	};
	const maxSingleSteps = last > LONG_PATH ? MAX_SINGLE_STEPS_IF_LONG : MAX_SINGLE_STEPS;
	const keptIndices = [0];
	for (let anchor = 0; anchor < last; ) {
		let end = anchor + 1;
		while (end - anchor < maxSingleSteps && canSkipTo(anchor, end + 1)) end++;
		if (end - anchor === maxSingleSteps) {
			let stride = maxSingleSteps;
			for (; canSkipTo(anchor, end + stride); stride *= 2) end += stride;
			for (; stride >= 1; stride /= 2) if (canSkipTo(anchor, end + stride)) end += stride;
		}
		anchor = end;
		keptIndices.push(anchor);
	}
	if (last === 0) keptIndices.push(0);
	let [length, cost] = [0, 0];
	const points = keptIndices.map((i, index) => {
		const end = index === keptIndices.length - 1 ? to : spotAt(i);
		if (index > 0) {
			const begin = keptIndices[index - 1]!;
			length += distanceBetween(spotAt(begin), end);
			cost += walkLine(mesh, places[begin]!, spotAt(begin), end)?.cost ?? costs[i]! - costs[begin]!;
		}
		return onGround(mesh, places[i]!, end);
	});
	return { points, length, cost };
}

/** Returns the reachable place nearest to a position. Of equally near places, it returns the first. */
export function nearestTo(mesh: NavMesh, start: number, [x, y, z]: Vector): number {
	const regions = regionsOf(mesh);
	let [nearest, minSquare] = [start, Infinity];
	for (let place = 0; place < regions.length; place++) {
		if (regions[place] !== regions[start]) continue;
		const [middleX, middleZ] = middleOf(mesh, place);
		const up = mesh.y[place]! - y;
		const square = (middleX - x) * (middleX - x) + (middleZ - z) * (middleZ - z) + up * up;
		if (square < minSquare) [nearest, minSquare] = [place, square];
	}
	return nearest;
}

/** Returns an upper bound of the number of cells on a path. */
export function maxCellsAlong({ settings }: NavMesh, points: readonly Vector[]): number {
	let cells = points.length;
	for (let i = 0; i + 1 < points.length; i++) {
		const [[ax, , az], [bx, , bz]] = [points[i]!, points[i + 1]!];
		cells += (Math.abs(bx - ax) + Math.abs(bz - az)) / settings.cell_size + 1;
	}
	return Math.ceil(cells);
}

/** Returns true if every segment of a path can still be walked. */
export function isStillWalkable(mesh: NavMesh, points: readonly Vector[]): boolean {
	for (let i = 0; i + 1 < points.length; i++) {
		const [[ax, ay, az], [bx, by, bz]] = [points[i]!, points[i + 1]!];
		const start = placeAt(mesh, ax, ay, az);
		if (start < 0) return false;
		const line = walkLine(mesh, start, [ax, az], [bx, bz]);
		if (line === null || line.place !== placeAt(mesh, bx, by, bz)) return false;
	}
	return true;
}
