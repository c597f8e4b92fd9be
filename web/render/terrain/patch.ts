/**
 * The vertices and triangles of a patch of ground.
 * Owns: normals, coarser levels and skirts. Normals come from the whole grid, so light does not break between patches.
 * Coarser levels skip points of the same vertices. Skirts close gaps between patches of different levels, and form walls
 * at the edges of the terrain. Never: touches three.js.
 */

import type { Patch, TerrainGrid } from './grid.ts';

/** Number of levels; the triangles of each are twice as wide as those of the previous one. */
export const LEVELS = 5;

/** Buffers of a patch for the GPU. The last vertices form the skirt: an upper and a lower vertex in turn, round the patch. */
export interface PatchVertices {
	readonly positions: Float32Array;
	readonly normals: Float32Array;
	/** Four bytes per vertex. */
	readonly paint: Uint8Array;
	/** Height of the lowest vertex, including the skirt (m). */
	readonly lowest: number;
	/** Height of the highest vertex (m). */
	readonly highest: number;
}

/** Yields the points round a patch, clockwise from above, with the outward direction; corners come twice. */
function* rim({ columns, rows }: Pick<Patch, 'columns' | 'rows'>) {
	const [right, far] = [columns - 1, rows - 1];
	for (let i = 0; i <= right; i++) yield { column: i, row: 0, side: 0, outwards: [0, -1] } as const;
	for (let i = 0; i <= far; i++) yield { column: right, row: i, side: 1, outwards: [1, 0] } as const;
	for (let i = right; i >= 0; i--) yield { column: i, row: far, side: 2, outwards: [0, 1] } as const;
	for (let i = far; i >= 0; i--) yield { column: 0, row: i, side: 3, outwards: [-1, 0] } as const;
}

export function patchVertices(grid: TerrainGrid, patch: Patch): PatchVertices {
	const { columns, rows } = patch;
	const inner = columns * rows;
	const count = inner + 2 * 2 * (columns + rows);
	const positions = new Float32Array(count * 3);
	const normals = new Float32Array(count * 3);
	const paint = new Uint8Array(count * 4);
	let [lowest, highest] = [Infinity, -Infinity];
	const put = (vertex: number, column: number, row: number, sunk = 0): void => {
		const [over, down] = [patch.column + column, patch.row + row];
		const height = grid.at(over, down) - sunk;
		lowest = Math.min(lowest, height);
		highest = Math.max(highest, height);
		positions.set([over * grid.cell, height, down * grid.cell], vertex * 3);
		normals.set(normalAt(grid, over, down), vertex * 3);
		const at = (down * grid.width + over) * 4;
		paint.set(grid.paint.subarray(at, at + 4), vertex * 4);
	};
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++) put(row * columns + column, column, row);
	const gap = widestGap(grid, patch) + grid.cell * 0.01;
	let vertex = inner;
	for (const { column, row, side, outwards } of rim(patch)) {
		const outer = isEdge(grid, patch, side);
		const height = grid.at(patch.column + column, patch.row + row);
		put(vertex, column, row);
		put(vertex + 1, column, row, outer ? height - grid.lowest + wall(grid) : gap);
		if (outer) for (const i of [vertex, vertex + 1]) normals.set([outwards[0], 0, outwards[1]], i * 3);
		vertex += 2;
	}
	return { positions, normals, paint, lowest, highest };
}

/** Returns the depth of the walls at the edges of a terrain below its lowest point (m). */
export const wall = (grid: TerrainGrid): number => Math.min(1, grid.cell * 0.5);

/** Returns true if a side of a patch is the edge of the terrain. */
function isEdge(grid: TerrainGrid, { column, row, columns, rows }: Patch, side: 0 | 1 | 2 | 3): boolean {
	return [row === 0, column + columns === grid.width, row + rows === grid.height, column === 0][side]!;
}

function normalAt(grid: TerrainGrid, column: number, row: number): [number, number, number] {
	const last = { column: grid.width - 1, row: grid.height - 1 };
	const acrossX = Math.min(column + 1, last.column) - Math.max(column - 1, 0);
	const acrossZ = Math.min(row + 1, last.row) - Math.max(row - 1, 0);
	const x = (grid.at(column - 1, row) - grid.at(column + 1, row)) / (acrossX * grid.cell);
	const z = (grid.at(column, row - 1) - grid.at(column, row + 1)) / (acrossZ * grid.cell);
	const length = Math.sqrt(x * x + 1 + z * z);
	return [x / length, 1 / length, z / length];
}

/** Returns twice the largest distance between a coarser edge of a patch and the points that it skips (m). */
function widestGap(grid: TerrainGrid, { column, row, columns, rows }: Patch): number {
	let widest = 0;
	for (const level of LEVELS_UP) {
		const along = (count: number, height: (i: number) => number): void => {
			const kept = steps(count, level);
			for (let k = 0; k + 1 < kept.length; k++) {
				const [from, to] = [kept[k]!, kept[k + 1]!];
				for (let i = from + 1; i < to; i++) {
					const line = height(from) + ((height(to) - height(from)) * (i - from)) / (to - from);
					widest = Math.max(widest, Math.abs(line - height(i)));
				}
			}
		};
		for (const z of [row, row + rows - 1]) along(columns, (i) => grid.at(column + i, z));
		for (const x of [column, column + columns - 1]) along(rows, (i) => grid.at(x, row + i));
	}
	// Two neighbours may be off in opposite directions.
	return 2 * widest;
}

const LEVELS_UP = Array.from({ length: LEVELS - 1 }, (_, i) => i + 1);

/** Returns the indices of the points along a side that a level keeps: every 2^level-th, and the last. */
function steps(count: number, level: number): number[] {
	const kept: number[] = [];
	for (let i = 0; i < count - 1; i += 2 ** level) kept.push(i);
	kept.push(count - 1);
	return kept;
}

/** Returns the triangles of patches with this number of points, on a level: the surface, then the skirt. */
export function patchTriangles(columns: number, rows: number, level: number): Uint16Array {
	const triangles: number[] = [];
	const across = steps(columns, level);
	const along = steps(rows, level);
	for (let j = 0; j + 1 < along.length; j++)
		for (let i = 0; i + 1 < across.length; i++) {
			const near = along[j]! * columns;
			const far = along[j + 1]! * columns;
			const [left, right] = [across[i]!, across[i + 1]!];
			// The diagonal must match the ground of the physics.
			triangles.push(near + left, far + left, near + right, near + right, far + left, far + right);
		}
	const kept = [new Set(across), new Set(along)];
	let before = { side: -1, vertex: -1 };
	let vertex = columns * rows;
	for (const { column, row, side } of rim({ columns, rows })) {
		if (kept[side % 2]!.has(side % 2 === 0 ? column : row)) {
			if (before.side === side) {
				const from = before.vertex;
				triangles.push(from, vertex, from + 1, from + 1, vertex, vertex + 1);
			}
			before = { side, vertex };
		}
		vertex += 2;
	}
	return Uint16Array.from(triangles);
}
