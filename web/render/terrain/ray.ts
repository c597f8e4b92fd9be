/**
 * Intersection of a ray with ground.
 * Owns: the walk from square to square along the ray. Never: touches three.js.
 */

import type { Vector } from '../../../shared/contract/vector.ts';
import type { TerrainGrid } from './grid.ts';

/** Returns the distance to the ground along a ray (m), or null. The ray is relative to the terrain's corner; its direction is a unit vector. */
export function hitGround(grid: TerrainGrid, origin: Vector, direction: Vector): number | null {
	const span = within(grid, origin, direction);
	if (span === null) return null;
	const [enters, leaves] = span;
	const { cell } = grid;
	const at = (axis: 0 | 2) => (origin[axis] + direction[axis] * enters) / cell;
	let column = clamp(Math.floor(at(0)), grid.width - 2);
	let row = clamp(Math.floor(at(2)), grid.height - 2);
	const [over, down] = [Math.sign(direction[0]), Math.sign(direction[2])];
	/** Returns the distance to the next grid line across x or z (m). */
	const next = (square: number, axis: 0 | 2, sign: number) =>
		sign === 0 ? Infinity : ((square + (sign > 0 ? 1 : 0)) * cell - origin[axis]) / direction[axis];
	for (;;) {
		const hit = hitSquare(grid, column, row, origin, direction);
		if (hit !== null) return hit;
		const [toX, toZ] = [next(column, 0, over), next(row, 2, down)];
		if (Math.min(toX, toZ) > leaves) return null;
		if (toX <= toZ) column += over;
		else row += down;
		if (column < 0 || row < 0 || column > grid.width - 2 || row > grid.height - 2) return null;
	}
}

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);

/** Returns the distances at which the ray enters and leaves the box around the ground (m), or null. */
function within(grid: TerrainGrid, origin: Vector, direction: Vector): [number, number] | null {
	const least = [0, grid.lowest, 0];
	const most = [(grid.width - 1) * grid.cell, grid.highest, (grid.height - 1) * grid.cell];
	let [enters, leaves] = [0, Infinity];
	for (let axis = 0; axis < 3; axis++) {
		const [from, by] = [origin[axis]!, direction[axis]!];
		if (by === 0) {
			if (from < least[axis]! || from > most[axis]!) return null;
			continue;
		}
		const [a, b] = [(least[axis]! - from) / by, (most[axis]! - from) / by];
		enters = Math.max(enters, Math.min(a, b));
		leaves = Math.min(leaves, Math.max(a, b));
	}
	return enters > leaves ? null : [enters, leaves];
}

/** Returns the distance to the nearer hit on the two triangles of a square (m), or null. */
function hitSquare(
	grid: TerrainGrid,
	column: number,
	row: number,
	origin: Vector,
	direction: Vector,
): number | null {
	const { cell } = grid;
	const [near, right] = [grid.at(column, row), grid.at(column + 1, row)];
	const [far, last] = [grid.at(column, row + 1), grid.at(column + 1, row + 1)];
	const [x, z] = [column * cell, row * cell];
	let best: number | null = null;
	for (const first of [true, false]) {
		// Height of the triangle's plane: at the corner, and per metre along x and z.
		const alongX = (first ? right - near : last - far) / cell;
		const alongZ = (first ? far - near : last - right) / cell;
		const corner = first ? near : last - (alongX + alongZ) * cell;
		const falls = direction[0] * alongX + direction[2] * alongZ - direction[1];
		const above = origin[1] - corner - (origin[0] - x) * alongX - (origin[2] - z) * alongZ;
		if (falls === 0) continue;
		const distance = above / falls;
		if (distance < 0 || (best !== null && distance >= best)) continue;
		const u = (origin[0] + direction[0] * distance - x) / cell;
		const v = (origin[2] + direction[2] * distance - z) / cell;
		// A tolerance, so that no ray slips between two triangles.
		const slack = 1e-6;
		if (u < -slack || v < -slack || u > 1 + slack || v > 1 + slack) continue;
		if (first ? u + v <= 1 + slack : u + v >= 1 - slack) best = distance;
	}
	return best;
}
