/**
 * A uniform grid over x and z for finding neighbours. It is built again for each use (counting sort).
 * Owns: the cells. Entities of a cell are in slot order. Results do not depend on the size of the cells.
 * Never: keeps state from one tick to the next.
 */

/** Entities by cell. `x`, `y`, `z` are in the order of `slots`, so that a scan reads memory sequentially. */
export interface PointGrid {
	readonly minX: number;
	readonly minZ: number;
	/** Edge of a cell (m). */
	readonly edge: number;
	readonly columns: number;
	readonly rows: number;
	/** Index of each cell's first entity; one more entry than there are cells. */
	readonly start: Int32Array;
	readonly slots: Int32Array;
	readonly x: Float64Array;
	readonly y: Float64Array;
	readonly z: Float64Array;
	readonly count: number;
}

/** Intended number of entities per cell. */
const PER_CELL = 2;
const MAX_CELLS_ACROSS = 512;
const MIN_EDGE = 0.5;

/** Returns a grid of the entities in `slots` (ascending; the first `count`), at `positions` (x, y, z by slot). */
export function buildGrid(
	slots: ArrayLike<number>,
	count: number,
	positions: { readonly [index: number]: number },
): PointGrid {
	let [minX, minZ, maxX, maxZ] = [
		Number.POSITIVE_INFINITY,
		Number.POSITIVE_INFINITY,
		Number.NEGATIVE_INFINITY,
		Number.NEGATIVE_INFINITY,
	];
	for (let i = 0; i < count; i++) {
		const start = slots[i]! * 3;
		const x = positions[start]!;
		const z = positions[start + 2]!;
		if (x < minX) minX = x;
		if (x > maxX) maxX = x;
		if (z < minZ) minZ = z;
		if (z > maxZ) maxZ = z;
	}
	if (count === 0) minX = minZ = maxX = maxZ = 0;
	const width = maxX - minX;
	const depth = maxZ - minZ;
	const evenEdge = Math.sqrt(((width + 1) * (depth + 1) * PER_CELL) / Math.max(1, count));
	const edge = Math.max(MIN_EDGE, evenEdge, Math.max(width, depth) / MAX_CELLS_ACROSS);
	const columns = Math.floor(width / edge) + 1;
	const rows = Math.floor(depth / edge) + 1;
	const start = new Int32Array(columns * rows + 1);
	const cellOfEntry = new Int32Array(count);
	for (let i = 0; i < count; i++) {
		const first = slots[i]! * 3;
		const column = Math.floor((positions[first]! - minX) / edge);
		const row = Math.floor((positions[first + 2]! - minZ) / edge);
		const cell = row * columns + column;
		cellOfEntry[i] = cell;
		start[cell + 1] = start[cell + 1]! + 1;
	}
	for (let cell = 0; cell < columns * rows; cell++) start[cell + 1] = start[cell + 1]! + start[cell]!;
	const next = start.slice();
	const sorted = new Int32Array(count);
	const x = new Float64Array(count);
	const y = new Float64Array(count);
	const z = new Float64Array(count);
	for (let i = 0; i < count; i++) {
		const slot = slots[i]!;
		const cell = cellOfEntry[i]!;
		const index = next[cell]!;
		next[cell] = index + 1;
		sorted[index] = slot;
		x[index] = positions[slot * 3]!;
		y[index] = positions[slot * 3 + 1]!;
		z[index] = positions[slot * 3 + 2]!;
	}
	return { minX, minZ, edge, columns, rows, start, slots: sorted, x, y, z, count };
}

/** Calls `visit(i)` for each entry `i` of the cells that meet a rectangle. Some of them may be outside the rectangle. */
export function eachIn(
	grid: PointGrid,
	fromX: number,
	fromZ: number,
	toX: number,
	toZ: number,
	visit: (entry: number) => void,
): void {
	const { minX, minZ, edge, columns, rows, start } = grid;
	if (grid.count === 0) return;
	const left = Math.max(0, Math.floor((fromX - minX) / edge));
	const right = Math.min(columns - 1, Math.floor((toX - minX) / edge));
	const low = Math.max(0, Math.floor((fromZ - minZ) / edge));
	const high = Math.min(rows - 1, Math.floor((toZ - minZ) / edge));
	if (left > right) return;
	for (let row = low; row <= high; row++) {
		const end = start[row * columns + right + 1]!;
		for (let i = start[row * columns + left]!; i < end; i++) visit(i);
	}
}
