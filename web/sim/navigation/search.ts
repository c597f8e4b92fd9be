/**
 * The cheapest way between two places of a navigation mesh.
 * Owns: A* over eight directions (Hart, Nilsson and Raphael, 1968), and pulling what it finds straight. Of ways that cost the
 * same it takes one by the numbers of their places, so that it is the same on every machine.
 */

import type { Vector } from '../core/math/vector.ts';
import { cellsMet, type Spot, walkLine } from './line.ts';
import { heightAt, linksOf, middleOf, type NavMesh, placeAt, regionsOf } from './mesh.ts';

export interface Way {
	/** From where it begins to where it ends, on the ground. */
	readonly points: readonly Vector[];
	readonly length: number;
	readonly cost: number;
	/** Number of places that were looked at. */
	readonly looked: number;
}

const DIAGONAL = Math.sqrt(2);

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

/** Places by what a way through them costs at least; of equal ones the lowest first. */
class Heap {
	readonly #costs: number[] = [];
	readonly #places: number[] = [];

	push(cost: number, place: number): void {
		const costs = this.#costs;
		const places = this.#places;
		let at = costs.length;
		costs.push(cost);
		places.push(place);
		while (at > 0) {
			const up = (at - 1) >> 1;
			if (costs[up]! < cost || (costs[up] === cost && places[up]! <= place)) break;
			costs[at] = costs[up]!;
			places[at] = places[up]!;
			at = up;
		}
		costs[at] = cost;
		places[at] = place;
	}

	/** The place with the least cost, or -1. */
	pop(): number {
		const costs = this.#costs;
		const places = this.#places;
		if (costs.length === 0) return -1;
		const top = places[0]!;
		const cost = costs.pop()!;
		const place = places.pop()!;
		const { length } = costs;
		if (length === 0) return top;
		let at = 0;
		for (;;) {
			let down = 2 * at + 1;
			if (down >= length) break;
			const other = down + 1;
			if (
				other < length &&
				(costs[other]! < costs[down]! || (costs[other] === costs[down] && places[other]! < places[down]!))
			)
				down = other;
			if (cost < costs[down]! || (cost === costs[down] && place <= places[down]!)) break;
			costs[at] = costs[down]!;
			places[at] = places[down]!;
			at = down;
		}
		costs[at] = cost;
		places[at] = place;
		return top;
	}
}

/** The way between two places, or null. `from` and `to` are positions over them. */
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

/** The places of the cheapest way, both ends included. There is one. */
function searched(mesh: NavMesh, start: number, goal: number): { places: number[]; looked: number } {
	const { width, cell, cost, settings, cheapest } = mesh;
	const edge = settings.cell_size;
	const { seen, closed, cost: spent, before, mark } = fresh(mesh.y.length);
	const goalColumn = cell[goal]! % width;
	const goalRow = Math.floor(cell[goal]! / width);
	const atLeast = (place: number): number => {
		const over = Math.abs((cell[place]! % width) - goalColumn);
		const down = Math.abs(Math.floor(cell[place]! / width) - goalRow);
		return (Math.max(over, down) + (DIAGONAL - 1) * Math.min(over, down)) * edge * cheapest;
	};
	const steps = linksOf(mesh);
	const open = new Heap();
	const reach = (from: number, place: number, steps: number) => {
		const sum = spent[from]! + ((cost[from]! + cost[place]!) / 2) * steps * edge;
		if (seen[place] === mark && sum >= spent[place]!) return;
		seen[place] = mark;
		spent[place] = sum;
		before[place] = from;
		open.push(sum + atLeast(place), place);
	};
	seen[start] = mark;
	spent[start] = 0;
	before[start] = -1;
	open.push(atLeast(start), start);
	let looked = 0;
	for (let place = open.pop(); place >= 0; place = open.pop()) {
		if (closed[place] === mark) continue;
		closed[place] = mark;
		looked++;
		if (place === goal) break;
		for (let way = 0; way < 4; way++) {
			const next = steps[place * 4 + way]!;
			if (next >= 0 && closed[next] !== mark) reach(place, next, 1);
		}
		for (let way = 0; way < 4; way++) {
			const other = (way + 1) & 3;
			const a = steps[place * 4 + way]!;
			const b = steps[place * 4 + other]!;
			if (a < 0 || b < 0) continue;
			const corner = steps[a * 4 + other]!;
			if (corner < 0 || closed[corner] === mark || corner !== steps[b * 4 + way]) continue;
			reach(place, corner, DIAGONAL);
		}
	}
	const places: number[] = [];
	for (let place = goal; place >= 0; place = before[place]!) places.push(place);
	return { places: places.reverse(), looked };
}

/**
 * Length up to which a way is pulled straight place by place; beyond it by more and more of them together, for each
 * look goes all the way.
 */
const PULLED_ONE_BY_ONE = 128;

/** A way from cell to cell without the turns that a straight line saves, where that costs no more. */
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
	const kept = [0];
	for (let anchor = 0; anchor < last; ) {
		let end = anchor + 1;
		while (end - anchor < PULLED_ONE_BY_ONE && saves(anchor, end + 1)) end++;
		if (end - anchor === PULLED_ONE_BY_ONE) {
			let more = PULLED_ONE_BY_ONE;
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
