/** Finds places on top of something, such as a wall, that can only be left by falling. Owns: their definition. */

import type { NavMesh } from './mesh.ts';
import { regionsOf } from './rooms.ts';
import { DIRECTIONS } from './tile.ts';

const tops = new WeakMap<NavMesh, Uint8Array>();

/**
 * Returns 1 for each place on top of something, otherwise 0. These are the places of regions that have a lower region
 * beside them and are not the ground.
 */
export function topsOf(mesh: NavMesh): Uint8Array {
	let cached = tops.get(mesh);
	if (cached === undefined) {
		cached = findTops(mesh);
		tops.set(mesh, cached);
	}
	return cached;
}

function findTops(mesh: NavMesh): Uint8Array {
	const region = regionsOf(mesh);
	const lower = lowerParts(mesh, region);
	const ground = groundOf(mesh, region, lower);
	return Uint8Array.from(region, (own) => (lower[own]!.size > 0 && !ground.has(own) ? 1 : 0));
}

/** Returns, for each region, the regions that have a lower place beside one of its own. */
function lowerParts({ width, height, first, cell, y }: NavMesh, region: Int32Array): Set<number>[] {
	const lower: Set<number>[] = [];
	region.forEach((own, place) => {
		lower[own] ??= new Set();
		const column = cell[place]! % width;
		const row = Math.floor(cell[place]! / width);
		for (const [dx, dz] of DIRECTIONS) {
			if (column + dx < 0 || row + dz < 0 || column + dx >= width || row + dz >= height) continue;
			const next = first[(row + dz) * width + column + dx]!;
			if (next < first[(row + dz) * width + column + dx + 1]! && region[next] !== own && y[next]! < y[place]!)
				lower[own].add(region[next]!);
		}
	});
	return lower;
}

/**
 * Returns the regions that are the ground: those on the floor of the mesh. Without such regions, it is the largest region,
 * or a lower region beside it that covers more of the edge of the mesh, such as the ground around a large block.
 */
function groundOf(
	{ settings, width, height, cell, y }: NavMesh,
	region: Int32Array,
	lower: readonly Set<number>[],
): ReadonlySet<number> {
	const { floor } = settings;
	const onFloor = new Set<number>();
	const sizes = new Uint32Array(lower.length);
	const edges = new Uint32Array(lower.length);
	region.forEach((own, place) => {
		if (floor !== null && y[place] === Math.fround(floor)) onFloor.add(own);
		const [column, row] = [cell[place]! % width, Math.floor(cell[place]! / width)];
		sizes[own]!++;
		if (column === 0 || row === 0 || column === width - 1 || row === height - 1) edges[own]!++;
	});
	if (onFloor.size > 0) return onFloor;
	const largest = (numbers: Uint32Array, among: Iterable<number>) =>
		[...among].reduce((best, other) => (numbers[other]! > (numbers[best] ?? 0) ? other : best), -1);
	let ground = largest(sizes, sizes.keys());
	for (;;) {
		const around = ground < 0 ? -1 : largest(edges, lower[ground]!);
		if (around < 0 || edges[around]! <= edges[ground]!) break;
		ground = around;
	}
	return new Set([ground]);
}

/** Returns the number of cells without a place, or with places only on top of something. */
export function blockedCells(mesh: NavMesh): number {
	const { first, width, height } = mesh;
	const top = topsOf(mesh);
	let blocked = 0;
	for (let cell = 0; cell < width * height; cell++) {
		let open = false;
		for (let place = first[cell]!; place < first[cell + 1]!; place++) open ||= top[place] === 0;
		if (!open) blocked++;
	}
	return blocked;
}
