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
	const lower = lowerRegionsOf(mesh, region);
	const ground = groundOf(mesh, region, lower);
	return Uint8Array.from(region, (ownRegion) =>
		lower[ownRegion]!.size > 0 && !ground.has(ownRegion) ? 1 : 0,
	);
}

/** Returns, for each region, the regions that have a lower place beside one of its own. */
function lowerRegionsOf(
	{ width, height, firstPlace, cellOfPlace, y }: NavMesh,
	region: Int32Array,
): Set<number>[] {
	const lower: Set<number>[] = [];
	region.forEach((ownRegion, place) => {
		lower[ownRegion] ??= new Set();
		const column = cellOfPlace[place]! % width;
		const row = Math.floor(cellOfPlace[place]! / width);
		for (const [dx, dz] of DIRECTIONS) {
			if (column + dx < 0 || row + dz < 0 || column + dx >= width || row + dz >= height) continue;
			const next = firstPlace[(row + dz) * width + column + dx]!;
			if (
				next < firstPlace[(row + dz) * width + column + dx + 1]! &&
				region[next] !== ownRegion &&
				y[next]! < y[place]!
			)
				lower[ownRegion].add(region[next]!);
		}
	});
	return lower;
}

/**
 * Returns the regions that are the ground: those on the floor of the mesh. Without such regions, it is the largest region,
 * or a lower region beside it that covers more of the edge of the mesh, such as the ground around a large block.
 */
function groundOf(
	{ settings, width, height, cellOfPlace, y }: NavMesh,
	region: Int32Array,
	lower: readonly Set<number>[],
): ReadonlySet<number> {
	const { floor } = settings;
	const onFloor = new Set<number>();
	const sizes = new Uint32Array(lower.length);
	const edges = new Uint32Array(lower.length);
	region.forEach((ownRegion, place) => {
		if (floor !== null && y[place] === Math.fround(floor)) onFloor.add(ownRegion);
		const [column, row] = [cellOfPlace[place]! % width, Math.floor(cellOfPlace[place]! / width)];
		sizes[ownRegion]!++;
		if (column === 0 || row === 0 || column === width - 1 || row === height - 1) edges[ownRegion]!++;
	});
	if (onFloor.size > 0) return onFloor;
	const largest = (numbers: Uint32Array, candidates: Iterable<number>) =>
		[...candidates].reduce((best, other) => (numbers[other]! > (numbers[best] ?? 0) ? other : best), -1);
	let ground = largest(sizes, sizes.keys());
	for (;;) {
		const largestLower = ground < 0 ? -1 : largest(edges, lower[ground]!);
		if (largestLower < 0 || edges[largestLower]! <= edges[ground]!) break;
		ground = largestLower;
	}
	return new Set([ground]);
}

/** Returns the number of cells without a place, or with places only on top of something. */
export function countBlockedCells(mesh: NavMesh): number {
	const { firstPlace, width, height } = mesh;
	const top = topsOf(mesh);
	let blocked = 0;
	for (let cell = 0; cell < width * height; cell++) {
		let isOpen = false;
		for (let place = firstPlace[cell]!; place < firstPlace[cell + 1]!; place++) isOpen ||= top[place] === 0;
		if (!isOpen) blocked++;
	}
	return blocked;
}
