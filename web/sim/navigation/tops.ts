/** Places on top of something, such as a wall, from which one only falls down. Owns: which these are. */

import type { NavMesh } from './mesh.ts';
import { regionsOf } from './rooms.ts';
import { WAYS } from './tile.ts';

const tops = new WeakMap<NavMesh, Uint8Array>();

/**
 * 1 for each place on top of something, such as a wall: from there one only falls down, and no step leads up. These are the places of
 * the parts that have a lower part beside them and are not the ground.
 */
export function topsOf(mesh: NavMesh): Uint8Array {
	let found = tops.get(mesh);
	if (found === undefined) {
		found = raised(mesh);
		tops.set(mesh, found);
	}
	return found;
}

function raised(mesh: NavMesh): Uint8Array {
	const region = regionsOf(mesh);
	const lower = lowerParts(mesh, region);
	const ground = groundOf(mesh, region, lower);
	return Uint8Array.from(region, (own) => (lower[own]!.size > 0 && !ground.has(own) ? 1 : 0));
}

/** For each part, the parts that have a lower place beside one of its own. */
function lowerParts({ width, height, first, cell, y }: NavMesh, region: Int32Array): Set<number>[] {
	const lower: Set<number>[] = [];
	region.forEach((own, place) => {
		lower[own] ??= new Set();
		const column = cell[place]! % width;
		const row = Math.floor(cell[place]! / width);
		for (const [dx, dz] of WAYS) {
			if (column + dx < 0 || row + dz < 0 || column + dx >= width || row + dz >= height) continue;
			const next = first[(row + dz) * width + column + dx]!;
			if (next < first[(row + dz) * width + column + dx + 1]! && region[next] !== own && y[next]! < y[place]!)
				lower[own].add(region[next]!);
		}
	});
	return lower;
}

/**
 * Returns the parts that are the ground, however large what stands on them is: those on the floor of the mesh.
 * Without such, it is the largest part, or a lower one beside it that has more of the edge of the mesh, as the ground
 * around a large block has.
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
	const most = (numbers: Uint32Array, among: Iterable<number>) =>
		[...among].reduce((best, other) => (numbers[other]! > (numbers[best] ?? 0) ? other : best), -1);
	let ground = most(sizes, sizes.keys());
	for (;;) {
		const around = ground < 0 ? -1 : most(edges, lower[ground]!);
		if (around < 0 || edges[around]! <= edges[ground]!) break;
		ground = around;
	}
	return new Set([ground]);
}

/** Cells on which no entity can stand, or only on top of something. */
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
