/**
 * Vertices and triangles of a patch of ground.
 * Owns: normals, coarser levels and skirts. Normals come from the whole grid, so light does not break between
 * patches. Coarser levels skip points of the same vertices. Skirts close gaps between patches of different
 * levels, and form walls at the edges of the terrain. Never: touches three.js.
 */

import type { Patch, TerrainGrid } from './grid.ts';

/** Number of levels. The triangles of a level are twice as wide as those of the previous level. */
export const LEVELS = 5;

/**
 * Buffers of a patch for the GPU. The last vertices form the skirt around the patch: pairs of an upper and a
 * lower vertex.
 */
export interface PatchVertices {
	readonly positions: Float32Array;
	readonly normals: Float32Array;
	/** Shares of the four layers: four bytes per vertex. */
	readonly paint: Uint8Array;
	/** Height of the lowest vertex, including the skirt (m). */
	readonly lowest: number;
	/** Height of the highest vertex (m). */
	readonly highest: number;
}

/**
 * Yields the points around a patch, clockwise from above, with their outward direction. Each corner comes
 * twice.
 */
function* rimPoints({ columns, rows }: Pick<Patch, 'columns' | 'rows'>) {
	const [right, bottom] = [columns - 1, rows - 1];
	for (let i = 0; i <= right; i++) yield { column: i, row: 0, side: 0, outwards: [0, -1] } as const;
	for (let i = 0; i <= bottom; i++) yield { column: right, row: i, side: 1, outwards: [1, 0] } as const;
	for (let i = right; i >= 0; i--) yield { column: i, row: bottom, side: 2, outwards: [0, 1] } as const;
	for (let i = bottom; i >= 0; i--) yield { column: 0, row: i, side: 3, outwards: [-1, 0] } as const;
}

export function patchVertices(grid: TerrainGrid, patch: Patch): PatchVertices {
	const { columns, rows } = patch;
	const surfaceCount = columns * rows;
	const count = surfaceCount + 2 * 2 * (columns + rows);
	const positions = new Float32Array(count * 3);
	const normals = new Float32Array(count * 3);
	const paint = new Uint8Array(count * 4);
	let [lowest, highest] = [Infinity, -Infinity];
	const writeVertex = (vertex: number, column: number, row: number, depth = 0): void => {
		const [gridColumn, gridRow] = [patch.column + column, patch.row + row];
		const height = grid.heightAt(gridColumn, gridRow) - depth;
		lowest = Math.min(lowest, height);
		highest = Math.max(highest, height);
		positions.set([gridColumn * grid.cell, height, gridRow * grid.cell], vertex * 3);
		normals.set(normalAt(grid, gridColumn, gridRow), vertex * 3);
		const offset = (gridRow * grid.width + gridColumn) * 4;
		paint.set(grid.paint.subarray(offset, offset + 4), vertex * 4);
	};
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++) writeVertex(row * columns + column, column, row);
	const gap = widestGap(grid, patch) + grid.cell * 0.01;
	let vertex = surfaceCount;
	for (const { column, row, side, outwards } of rimPoints(patch)) {
		const isAtEdge = isEdge(grid, patch, side);
		const height = grid.heightAt(patch.column + column, patch.row + row);
		writeVertex(vertex, column, row);
		writeVertex(vertex + 1, column, row, isAtEdge ? height - grid.lowest + wallDepth(grid) : gap);
		if (isAtEdge) for (const i of [vertex, vertex + 1]) normals.set([outwards[0], 0, outwards[1]], i * 3);
		vertex += 2;
	}
	return { positions, normals, paint, lowest, highest };
}

/** Returns the depth of the walls at the edges of a terrain below its lowest point (m). */
export const wallDepth = (grid: TerrainGrid): number => Math.min(1, grid.cell * 0.5);

/** Returns true if a side of a patch is the edge of the terrain. */
function isEdge(grid: TerrainGrid, { column, row, columns, rows }: Patch, side: 0 | 1 | 2 | 3): boolean {
	return [row === 0, column + columns === grid.width, row + rows === grid.height, column === 0][side]!;
}

function normalAt(grid: TerrainGrid, column: number, row: number): [number, number, number] {
	const last = { column: grid.width - 1, row: grid.height - 1 };
	const acrossX = Math.min(column + 1, last.column) - Math.max(column - 1, 0);
	const acrossZ = Math.min(row + 1, last.row) - Math.max(row - 1, 0);
	const x = (grid.heightAt(column - 1, row) - grid.heightAt(column + 1, row)) / (acrossX * grid.cell);
	const z = (grid.heightAt(column, row - 1) - grid.heightAt(column, row + 1)) / (acrossZ * grid.cell);
	const length = Math.sqrt(x * x + 1 + z * z);
	return [x / length, 1 / length, z / length];
}

/** Returns twice the largest distance between a coarser edge of a patch and the points that it skips (m). */
function widestGap(grid: TerrainGrid, { column, row, columns, rows }: Patch): number {
	let widest = 0;
	for (const level of LEVELS_UP) {
		const measureSide = (count: number, height: (i: number) => number): void => {
			const indices = keptIndices(count, level);
			for (let k = 0; k + 1 < indices.length; k++) {
				const [start, end] = [indices[k]!, indices[k + 1]!];
				for (let i = start + 1; i < end; i++) {
					const line = height(start) + ((height(end) - height(start)) * (i - start)) / (end - start);
					widest = Math.max(widest, Math.abs(line - height(i)));
				}
			}
		};
		for (const z of [row, row + rows - 1]) measureSide(columns, (i) => grid.heightAt(column + i, z));
		for (const x of [column, column + columns - 1]) measureSide(rows, (i) => grid.heightAt(x, row + i));
	}
	// Two neighbours may differ in opposite directions.
	return 2 * widest;
}

const LEVELS_UP = Array.from({ length: LEVELS - 1 }, (_, i) => i + 1);

/** Returns the indices of the points along a side that a level keeps: each `2 ** level`th, and the last. */
function keptIndices(count: number, level: number): number[] {
	const indices: number[] = [];
	for (let i = 0; i < count - 1; i += 2 ** level) indices.push(i);
	indices.push(count - 1);
	return indices;
}

/** Returns the triangles of patches with this number of points, on a level: the surface, then the skirt. */
export function patchTriangles(columns: number, rows: number, level: number): Uint16Array {
	const triangles: number[] = [];
	const columnIndices = keptIndices(columns, level);
	const rowIndices = keptIndices(rows, level);
	for (let j = 0; j + 1 < rowIndices.length; j++)
		for (let i = 0; i + 1 < columnIndices.length; i++) {
			const upperRow = rowIndices[j]! * columns;
			const lowerRow = rowIndices[j + 1]! * columns;
			const [left, right] = [columnIndices[i]!, columnIndices[i + 1]!];
			// The diagonal must match the ground of the physics.
			triangles.push(
				upperRow + left,
				lowerRow + left,
				upperRow + right,
				upperRow + right,
				lowerRow + left,
				lowerRow + right,
			);
		}
	const keptBySide = [new Set(columnIndices), new Set(rowIndices)];
	let previous = { side: -1, vertex: -1 };
	let vertex = columns * rows;
	for (const { column, row, side } of rimPoints({ columns, rows })) {
		if (keptBySide[side % 2]!.has(side % 2 === 0 ? column : row)) {
			if (previous.side === side) {
				const start = previous.vertex;
				triangles.push(start, vertex, start + 1, start + 1, vertex, vertex + 1);
			}
			previous = { side, vertex };
		}
		vertex += 2;
	}
	return Uint16Array.from(triangles);
}
