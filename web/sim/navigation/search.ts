/**
 * The cheapest way between two places of a navigation mesh.
 * Owns: A* over eight directions (Hart, Nilsson and Raphael, 1968), and pulling what it finds straight. Of ways that cost the
 * same it takes one by the numbers of their places, so that it is the same on every machine. Across a large mesh it takes a way
 * that may not be the cheapest, so that a tick stays short.
 */

import type { Vector } from '../core/math/vector.ts';
import { Heap } from './heap.ts';
import { cellsMet, type Spot, walkLine } from './line.ts';
import { linksOf, NO_STEP } from './links.ts';
import { heightAt, middleOf, type NavMesh, placeAt } from './mesh.ts';
import { DIAGONAL, guideTo, octile, regionsOf } from './rooms.ts';
import { DOWN, OVER } from './tile.ts';

export interface Way {
	/** From where it begins to where it ends, on the ground. */
	readonly points: readonly Vector[];
	readonly length: number;
	readonly cost: number;
	/** Number of places that were looked at. */
	readonly looked: number;
}

/** Memory of a search for each place. The next search uses it again: `mark` tells which one wrote it. */
const memory = {
	mark: 0,
	size: 0,
	seen: new Uint32Array(0),
	closed: new Uint32Array(0),
	cost: new Float64Array(0),
	before: new Int32Array(0),
};

function fresh(size: number): typeof memory {
	if (memory.size < size) {
		memory.size = size;
		memory.seen = new Uint32Array(size);
		memory.closed = new Uint32Array(size);
		memory.cost = new Float64Array(size);
		memory.before = new Int32Array(size);
		memory.mark = 0;
	}
	if (memory.mark === 0xffffffff) {
		memory.seen.fill(0);
		memory.closed.fill(0);
		memory.mark = 0;
	}
	memory.mark++;
	return memory;
}

/** Returns the way between two places, or null. `from` and `to` are positions over them. */
export function findWay(mesh: NavMesh, start: number, from: Spot, goal: number, to: Spot): Way | null {
	const straight = walkLine(mesh, start, from, to);
	if (straight !== null && straight.place === goal) {
		const length = apart(from, to);
		// Nothing can be cheaper.
		if (straight.cost <= length * mesh.cheapest * (1 + 1e-9))
			return {
				points: [onGround(mesh, start, from), onGround(mesh, goal, to)],
				length,
				cost: straight.cost,
				looked: looksAlong(mesh, from, to),
			};
	}
	const regions = regionsOf(mesh);
	if (regions[start] !== regions[goal]) return null;
	const found = searched(mesh, start, goal);
	if (found === null) return null;
	return { ...pulled(mesh, found.places, from, to), looked: found.looked };
}

/** Number of cells of a straight line that take as long as one place of a search. */
const CELLS_PER_PLACE = 256;

/** Returns the number of places of a search that a straight look from one position to another counts for. */
export function looksAlong(mesh: NavMesh, [ax, az]: Spot, [bx, bz]: Spot): number {
	return 1 + Math.floor(cellsMet(mesh, bx - ax, bz - az) / CELLS_PER_PLACE);
}

const apart = ([ax, az]: Spot, [bx, bz]: Spot): number =>
	Math.sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));

const onGround = (mesh: NavMesh, place: number, [x, z]: Spot): Vector => [x, heightAt(mesh, place, x, z), z];

/**
 * Places after which a search for the cheapest way gives up, and searches by rooms instead. That finds a way that may
 * be a little dearer, after looking at far fewer places.
 */
const MAX_EXACT = 1 << 15;

/** Weight of the distance that is left by rooms: the more, the fewer places are looked at, and the dearer the way. */
const EAGER = 2;

/** Least cost from a place to the goal. */
type AtLeast = (place: number, column: number, row: number) => number;

/** Returns the places of a way, both ends included, and how many were looked at; null if there is none. */
function searched(mesh: NavMesh, start: number, goal: number): { places: number[]; looked: number } | null {
	const { width, cell, settings, cheapest } = mesh;
	const edge = settings.cell_size;
	const goalColumn = cell[goal]! % width;
	const goalRow = Math.floor(cell[goal]! / width);
	const exact: AtLeast = (_, column, row) => octile(column - goalColumn, row - goalRow) * edge * cheapest;
	const looked = expand(mesh, start, goal, exact, MAX_EXACT);
	if (looked >= 0) return { places: wayTo(goal), looked };
	if (-looked < MAX_EXACT) return null;
	const { towards, ofPlace, columns, rows, distances } = guideTo(mesh, goal);
	const guided: AtLeast = (place, column, row) => {
		const next = towards[ofPlace[place]!]!;
		if (next < 0) return octile(column - goalColumn, row - goalRow) * edge * EAGER;
		return (octile(column - columns[next]!, row - rows[next]!) + distances[next]!) * edge * EAGER;
	};
	const more = expand(mesh, start, goal, guided, Infinity);
	return more < 0 ? null : { places: wayTo(goal), looked: more - looked };
}

function wayTo(goal: number): number[] {
	const places: number[] = [];
	for (let place = goal; place >= 0; place = memory.before[place]!) places.push(place);
	return places.reverse();
}

/**
 * Looks at places from `start` on, the most promising first, until the goal or `most` of them. Returns their number;
 * as a negative number if the goal is not among them.
 */
function expand(mesh: NavMesh, start: number, goal: number, atLeast: AtLeast, most: number): number {
	const { width, cell, cost, first, settings } = mesh;
	const edge = settings.cell_size;
	const { seen, closed, cost: spent, before, mark } = fresh(mesh.y.length);
	const links = linksOf(mesh);
	const open = new Heap();
	const nexts = [-1, -1, -1, -1];
	const reach = (from: number, place: number, steps: number, column: number, row: number) => {
		const sum = spent[from]! + ((cost[from]! + cost[place]!) / 2) * steps * edge;
		if (seen[place] === mark && sum >= spent[place]!) return;
		seen[place] = mark;
		spent[place] = sum;
		before[place] = from;
		open.push(sum + atLeast(place, column, row), place);
	};
	seen[start] = mark;
	spent[start] = 0;
	before[start] = -1;
	open.push(0, start);
	let looked = 0;
	for (let place = open.pop(); place >= 0; place = open.pop()) {
		if (closed[place] === mark) continue;
		closed[place] = mark;
		looked++;
		if (place === goal) return looked;
		if (looked >= most) break;
		const at = cell[place]!;
		const column = at % width;
		const row = (at - column) / width;
		for (let way = 0; way < 4; way++) {
			const offset = links[place * 4 + way]!;
			const next = offset === NO_STEP ? -1 : first[at + OVER[way]! + DOWN[way]! * width]! + offset;
			nexts[way] = next;
			if (next >= 0 && closed[next] !== mark) reach(place, next, 1, column + OVER[way]!, row + DOWN[way]!);
		}
		for (let way = 0; way < 4; way++) {
			const other = (way + 1) & 3;
			const a = nexts[way]!;
			const b = nexts[other]!;
			if (a < 0 || b < 0) continue;
			const over = OVER[way]! + OVER[other]!;
			const down = DOWN[way]! + DOWN[other]!;
			const offset = links[a * 4 + other]!;
			if (offset === NO_STEP || offset !== links[b * 4 + way]) continue;
			const corner = first[at + over + down * width]! + offset;
			if (closed[corner] !== mark) reach(place, corner, DIAGONAL, column + over, row + down);
		}
	}
	return -looked;
}

/**
 * Length up to which a way is pulled straight place by place; beyond it by more and more of them together, for each
 * look goes all the way.
 */
const PULLED_ONE_BY_ONE = 128;
/** The same for ways of more than `LONG` places. */
const PULLED_IF_LONG = 16;
const LONG = 2048;

/** Returns a way from cell to cell without the turns that a straight line saves, where that costs no more. */
function pulled(mesh: NavMesh, places: readonly number[], from: Spot, to: Spot): Omit<Way, 'looked'> {
	const last = places.length - 1;
	const spot = (i: number): Spot => (i === 0 ? from : i === last ? to : middleOf(mesh, places[i]!));
	const costs = [0];
	for (let i = 1; i <= last; i++) {
		const each = (mesh.cost[places[i - 1]!]! + mesh.cost[places[i]!]!) / 2;
		costs.push(costs[i - 1]! + each * apart(spot(i - 1), spot(i)));
	}
	const saves = (anchor: number, i: number): boolean => {
		if (i > last) return false;
		const line = walkLine(mesh, places[anchor]!, spot(anchor), spot(i));
		return line !== null && line.place === places[i] && line.cost <= costs[i]! - costs[anchor]! + 1e-6;
	};
	const oneByOne = last > LONG ? PULLED_IF_LONG : PULLED_ONE_BY_ONE;
	const kept = [0];
	for (let anchor = 0; anchor < last; ) {
		let end = anchor + 1;
		while (end - anchor < oneByOne && saves(anchor, end + 1)) end++;
		if (end - anchor === oneByOne) {
			let more = oneByOne;
			for (; saves(anchor, end + more); more *= 2) end += more;
			for (; more >= 1; more /= 2) if (saves(anchor, end + more)) end += more;
		}
		anchor = end;
		kept.push(anchor);
	}
	if (last === 0) kept.push(0);
	let [length, cost] = [0, 0];
	const points = kept.map((i, at) => {
		const end = at === kept.length - 1 ? to : spot(i);
		if (at > 0) {
			const begin = kept[at - 1]!;
			length += apart(spot(begin), end);
			cost += walkLine(mesh, places[begin]!, spot(begin), end)?.cost ?? costs[i]! - costs[begin]!;
		}
		return onGround(mesh, places[i]!, end);
	});
	return { points, length, cost };
}

/** Of all places to which one can go from `start`, the nearest to a position; of equally near ones the first. */
export function nearestTo(mesh: NavMesh, start: number, [x, y, z]: Vector): number {
	const regions = regionsOf(mesh);
	let [best, least] = [start, Infinity];
	for (let place = 0; place < regions.length; place++) {
		if (regions[place] !== regions[start]) continue;
		const [middleX, middleZ] = middleOf(mesh, place);
		const up = mesh.y[place]! - y;
		const square = (middleX - x) * (middleX - x) + (middleZ - z) * (middleZ - z) + up * up;
		if (square < least) [best, least] = [place, square];
	}
	return best;
}

/** Cells that a way leads through, and no fewer. */
export function cellsAlong({ settings }: NavMesh, points: readonly Vector[]): number {
	let cells = points.length;
	for (let i = 0; i + 1 < points.length; i++) {
		const [[ax, , az], [bx, , bz]] = [points[i]!, points[i + 1]!];
		cells += (Math.abs(bx - ax) + Math.abs(bz - az)) / settings.cell_size + 1;
	}
	return Math.ceil(cells);
}

/** Returns true if every stretch of a path can still be walked. */
export function holds(mesh: NavMesh, points: readonly Vector[]): boolean {
	for (let i = 0; i + 1 < points.length; i++) {
		const [[ax, ay, az], [bx, by, bz]] = [points[i]!, points[i + 1]!];
		const start = placeAt(mesh, ax, ay, az);
		if (start < 0) return false;
		const line = walkLine(mesh, start, [ax, az], [bx, bz]);
		if (line === null || line.place !== placeAt(mesh, bx, by, bz)) return false;
	}
	return true;
}
