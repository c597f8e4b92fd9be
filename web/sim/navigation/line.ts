/**
 * Walking straight on a navigation mesh.
 * Owns: the cells that a line meets (Amanatides and Woo, 1987), each of which must be stepped into from the previous
 * one.
 */

import { columnOf, type NavMesh, rowOf, stepTo } from './mesh.ts';

/** A position on the ground (m). */
export type Spot = readonly [x: number, z: number];

/** End of a line. */
export interface Straight {
	readonly place: number;
	/** Metres, each at what it costs. */
	readonly cost: number;
}

/** Directions, in the order of `WAYS`. */
const [EAST, SOUTH, WEST, NORTH] = [0, 1, 2, 3] as const;

/** Cells that a line meets at most that goes so far along x and z (m): it ends where the mesh does. */
export function cellsMet({ settings, width, height }: NavMesh, dx: number, dz: number): number {
	return Math.min(width + height, Math.ceil((Math.abs(dx) + Math.abs(dz)) / settings.cell_size));
}

/** Returns the end of a line from a place, and its cost; null if it cannot be walked. `from` is over the place. */
export function walkLine(
	mesh: NavMesh,
	place: number,
	[fromX, fromZ]: Spot,
	[toX, toZ]: Spot,
): Straight | null {
	const { settings, width, cell, cost } = mesh;
	const { min_x, min_z, cell_size: edge } = settings;
	let column = cell[place]! % width;
	let row = Math.floor(cell[place]! / width);
	let over = Math.abs(columnOf(mesh, toX) - column);
	let down = Math.abs(rowOf(mesh, toZ) - row);
	const [dx, dz] = [toX - fromX, toZ - fromZ];
	const length = Math.sqrt(dx * dx + dz * dz);
	const [stepX, stepZ] = [columnOf(mesh, toX) >= column ? 1 : -1, rowOf(mesh, toZ) >= row ? 1 : -1];
	const [wayX, wayZ] = [stepX > 0 ? EAST : WEST, stepZ > 0 ? SOUTH : NORTH];
	let at = place;
	let share = 0;
	let sum = 0;
	while (over > 0 || down > 0) {
		// Shares of the line after which it leaves the cell along x and along z.
		const x = over > 0 ? (min_x + (column + (stepX > 0 ? 1 : 0)) * edge - fromX) / dx : Infinity;
		const z = down > 0 ? (min_z + (row + (stepZ > 0 ? 1 : 0)) * edge - fromZ) / dz : Infinity;
		const next = Math.max(share, Math.min(1, Math.min(x, z)));
		sum += (next - share) * cost[at]!;
		share = next;
		let to: number;
		if (x === z) {
			// Through a corner: both ways round it must be there, and lead to the same place.
			const [first, second] = [stepTo(mesh, at, wayX), stepTo(mesh, at, wayZ)];
			if (first < 0 || second < 0) return null;
			to = stepTo(mesh, first, wayZ);
			if (to < 0 || to !== stepTo(mesh, second, wayX)) return null;
			column += stepX;
			row += stepZ;
			over--;
			down--;
		} else if (x < z) {
			to = stepTo(mesh, at, wayX);
			column += stepX;
			over--;
		} else {
			to = stepTo(mesh, at, wayZ);
			row += stepZ;
			down--;
		}
		if (to < 0) return null;
		at = to;
	}
	return { place: at, cost: (sum + (1 - share) * cost[at]!) * length };
}
