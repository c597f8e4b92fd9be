/**
 * Straight lines on a navigation mesh.
 * Owns: finding the cells that a line meets (Amanatides and Woo, 1987), and testing the steps between them.
 */

import { columnAt, type NavMesh, rowAt, stepTo } from './mesh.ts';

/** A position on the ground (m). */
export type Spot = readonly [x: number, z: number];

/** End of a line. */
export interface LineEnd {
	readonly place: number;
	/** Cost of the line: its length (m) times the cost of the ground. */
	readonly cost: number;
}

/** Directions, in the order of `DIRECTIONS`. */
const [EAST, SOUTH, WEST, NORTH] = [0, 1, 2, 3] as const;

/** Returns the maximum number of cells that a line with an extent of dx, dz (m) meets. It ends at the edge of the mesh. */
export function maxCellsOnLine({ settings, width, height }: NavMesh, dx: number, dz: number): number {
	return Math.min(width + height, Math.ceil((Math.abs(dx) + Math.abs(dz)) / settings.cell_size));
}

/** Returns the end of a line from a position on a place; null if it cannot be walked. */
export function walkLine(
	mesh: NavMesh,
	place: number,
	[fromX, fromZ]: Spot,
	[toX, toZ]: Spot,
): LineEnd | null {
	const { settings, width, cellOfPlace, cost } = mesh;
	const { min_x, min_z, cell_size: edge } = settings;
	let column = cellOfPlace[place]! % width;
	let row = Math.floor(cellOfPlace[place]! / width);
	let columnsLeft = Math.abs(columnAt(mesh, toX) - column);
	let rowsLeft = Math.abs(rowAt(mesh, toZ) - row);
	const [dx, dz] = [toX - fromX, toZ - fromZ];
	const length = Math.sqrt(dx * dx + dz * dz);
	const [stepX, stepZ] = [columnAt(mesh, toX) >= column ? 1 : -1, rowAt(mesh, toZ) >= row ? 1 : -1];
	const [directionX, directionZ] = [stepX > 0 ? EAST : WEST, stepZ > 0 ? SOUTH : NORTH];
	let current = place;
	let share = 0;
	let sum = 0;
	while (columnsLeft > 0 || rowsLeft > 0) {
		// Shares of the line after which it leaves the cell along x and along z.
		const shareX = columnsLeft > 0 ? (min_x + (column + (stepX > 0 ? 1 : 0)) * edge - fromX) / dx : Infinity;
		const shareZ = rowsLeft > 0 ? (min_z + (row + (stepZ > 0 ? 1 : 0)) * edge - fromZ) / dz : Infinity;
		const nextShare = Math.max(share, Math.min(1, Math.min(shareX, shareZ)));
		sum += (nextShare - share) * cost[current]!;
		share = nextShare;
		let nextPlace: number;
		if (shareX === shareZ) {
			// Through a corner: both ways around it must exist, and lead to the same place.
			const [alongX, alongZ] = [stepTo(mesh, current, directionX), stepTo(mesh, current, directionZ)];
			if (alongX < 0 || alongZ < 0) return null;
			nextPlace = stepTo(mesh, alongX, directionZ);
			if (nextPlace < 0 || nextPlace !== stepTo(mesh, alongZ, directionX)) return null;
			column += stepX;
			row += stepZ;
			columnsLeft--;
			rowsLeft--;
		} else if (shareX < shareZ) {
			nextPlace = stepTo(mesh, current, directionX);
			column += stepX;
			columnsLeft--;
		} else {
			nextPlace = stepTo(mesh, current, directionZ);
			row += stepZ;
			rowsLeft--;
		}
		if (nextPlace < 0) return null;
		current = nextPlace;
	}
	return { place: current, cost: (sum + (1 - share) * cost[current]!) * length };
}
