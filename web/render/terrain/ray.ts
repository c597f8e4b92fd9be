/**
 * Intersection of a ray with ground.
 * Owns: the walk from square to square along the ray. Never: touches three.js.
 */

import type { Vector } from '../../../shared/contract/vector.ts';
import type { TerrainGrid } from './grid.ts';

/**
 * Returns the distance to the ground along a ray (m), or null. The ray is relative to the terrain's corner.
 * Its direction is a unit vector.
 */
export function hitGround(grid: TerrainGrid, origin: Vector, direction: Vector): number | null {
	const range = boxRange(grid, origin, direction);
	if (range === null) return null;
	const [entry, exit] = range;
	const { cell } = grid;
	const cellAt = (axis: 0 | 2) => (origin[axis] + direction[axis] * entry) / cell;
	let column = clamp(Math.floor(cellAt(0)), grid.width - 2);
	let row = clamp(Math.floor(cellAt(2)), grid.height - 2);
	const [stepX, stepZ] = [Math.sign(direction[0]), Math.sign(direction[2])];
	/** Returns the distance to the next grid line across x or z (m). */
	const nextLine = (square: number, axis: 0 | 2, sign: number) =>
		sign === 0 ? Infinity : ((square + (sign > 0 ? 1 : 0)) * cell - origin[axis]) / direction[axis];
	for (;;) {
		const hit = hitSquare(grid, column, row, origin, direction);
		if (hit !== null) return hit;
		const [toX, toZ] = [nextLine(column, 0, stepX), nextLine(row, 2, stepZ)];
		if (Math.min(toX, toZ) > exit) return null;
		if (toX <= toZ) column += stepX;
		else row += stepZ;
		if (column < 0 || row < 0 || column > grid.width - 2 || row > grid.height - 2) return null;
	}
}

const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max);

/** Returns the distances at which the ray enters and leaves the box around the ground (m), or null. */
function boxRange(grid: TerrainGrid, origin: Vector, direction: Vector): [number, number] | null {
	const min = [0, grid.lowest, 0];
	const max = [(grid.width - 1) * grid.cell, grid.highest, (grid.height - 1) * grid.cell];
	let [entry, exit] = [0, Infinity];
	for (let axis = 0; axis < 3; axis++) {
		const [start, speed] = [origin[axis]!, direction[axis]!];
		if (speed === 0) {
			if (start < min[axis]! || start > max[axis]!) return null;
			continue;
		}
		const [a, b] = [(min[axis]! - start) / speed, (max[axis]! - start) / speed];
		entry = Math.max(entry, Math.min(a, b));
		exit = Math.min(exit, Math.max(a, b));
	}
	return entry > exit ? null : [entry, exit];
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
	const [near, right] = [grid.heightAt(column, row), grid.heightAt(column + 1, row)];
	const [far, last] = [grid.heightAt(column, row + 1), grid.heightAt(column + 1, row + 1)];
	const [x, z] = [column * cell, row * cell];
	let best: number | null = null;
	for (const isFirst of [true, false]) {
		// Height of the triangle's plane: at the corner, and per metre along x and z.
		const alongX = (isFirst ? right - near : last - far) / cell;
		const alongZ = (isFirst ? far - near : last - right) / cell;
		const corner = isFirst ? near : last - (alongX + alongZ) * cell;
		const approach = direction[0] * alongX + direction[2] * alongZ - direction[1];
		const height = origin[1] - corner - (origin[0] - x) * alongX - (origin[2] - z) * alongZ;
		if (approach === 0) continue;
		const distance = height / approach;
		if (distance < 0 || (best !== null && distance >= best)) continue;
		const u = (origin[0] + direction[0] * distance - x) / cell;
		const v = (origin[2] + direction[2] * distance - z) / cell;
		// A tolerance, so that no ray slips between two triangles.
		const tolerance = 1e-6;
		if (u < -tolerance || v < -tolerance || u > 1 + tolerance || v > 1 + tolerance) continue;
		if (isFirst ? u + v <= 1 + tolerance : u + v >= 1 - tolerance) best = distance;
	}
	return best;
}
