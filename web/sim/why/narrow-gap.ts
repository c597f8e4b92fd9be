/**
 * Gaps between obstacles that are too narrow for a walker.
 * Owns: finding the narrowest gap on the path of a walker without a radius.
 */

import type { NavmeshSettings } from '../../../shared/documents/navmesh.ts';
import { clone, dispose } from '../core/clone.ts';
import { rebuildParts } from '../core/derived-parts.ts';
import type { Vector } from '../core/math/vector.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import { navigationOf } from '../navigation/navigation.part.ts';
import { findPathBetween } from '../navigation/path.ts';
import { navmeshOf, setNavmesh } from '../navigation/settings.ts';
import type { Obstacle } from './obstacles.ts';

/** Maximum number of obstacles whose gaps are examined. */
const MAX_OBSTACLES = 64;

export interface Gap {
	/** Slots of the obstacles on both sides. */
	readonly sides: readonly [number, number];
	/** Width of the gap (m). */
	readonly width: number;
	/** Axis across the gap: 0 for x, 2 for z. */
	readonly axis: 0 | 2;
	/** 1 if the second side has the higher coordinate, else -1. */
	readonly side: number;
	/** Additional width that the walker needs at most (m). */
	readonly missing: number;
}

/** Returns the narrowest gap on the path of a walker without a radius; null without a gap or without such a path. */
export function* findNarrowGap(
	world: World,
	obstacles: readonly Obstacle[],
	from: Vector,
	to: Vector,
): SlicedWork<Gap | null> {
	const settings = navmeshOf(world)!;
	if (settings.agent_radius === 0) return null;
	const copy = clone(world);
	try {
		setNavmesh(copy, { ...settings, agent_radius: 0 });
		yield* rebuildParts(copy);
		const { mesh } = navigationOf(copy);
		const path = mesh === null ? null : findPathBetween(mesh, from, to, false).path;
		return path === null ? null : narrowestGap(obstacles.slice(0, MAX_OBSTACLES), path.points, settings);
	} finally {
		dispose(copy);
	}
}

function narrowestGap(
	obstacles: readonly Obstacle[],
	points: readonly Vector[],
	{ agent_radius, cell_size }: NavmeshSettings,
): Gap | null {
	let narrowest: Gap | null = null;
	for (const [i, a] of obstacles.entries())
		for (const b of obstacles.slice(i + 1)) {
			const [obstacle, other] = a.slot < b.slot ? [a, b] : [b, a];
			const spaceX = Math.abs(other.x - obstacle.x) - obstacle.halfX - other.halfX;
			const spaceZ = Math.abs(other.z - obstacle.z) - obstacle.halfZ - other.halfZ;
			const width = Math.max(spaceX, spaceZ);
			// Obstacles that are apart along both axes leave a path round a corner.
			if (width <= 0 || Math.min(spaceX, spaceZ) > 0) continue;
			if (width >= (narrowest?.width ?? 2 * (agent_radius + cell_size))) continue;
			const isAlongX = spaceX > spaceZ;
			const side = (isAlongX ? other.x > obstacle.x : other.z > obstacle.z) ? 1 : -1;
			const x = isAlongX
				? obstacle.x + side * (obstacle.halfX + width / 2)
				: overlapMiddle(obstacle.x, obstacle.halfX, other.x, other.halfX);
			const z = isAlongX
				? overlapMiddle(obstacle.z, obstacle.halfZ, other.z, other.halfZ)
				: obstacle.z + side * (obstacle.halfZ + width / 2);
			const maxDistance = width / 2 + 2 * cell_size;
			const isOnPath = points.some(
				(point, i) => i > 0 && distanceToLine(points[i - 1]!, point, x, z) <= maxDistance,
			);
			if (!isOnPath) continue;
			narrowest = {
				sides: [obstacle.slot, other.slot],
				width,
				axis: isAlongX ? 0 : 2,
				side,
				missing: 2 * (agent_radius + cell_size) - width,
			};
		}
	return narrowest;
}

/** Returns the middle of the overlap of two ranges, each with a centre and half a length. */
const overlapMiddle = (a: number, halfA: number, b: number, halfB: number): number =>
	(Math.max(a - halfA, b - halfB) + Math.min(a + halfA, b + halfB)) / 2;

/** Returns the distance of the point x, z from a line segment, seen from above (m). */
function distanceToLine([ax, , az]: Vector, [bx, , bz]: Vector, x: number, z: number): number {
	const [dx, dz] = [bx - ax, bz - az];
	const squaredLength = dx * dx + dz * dz;
	const share =
		squaredLength === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (z - az) * dz) / squaredLength));
	const [offsetX, offsetZ] = [x - ax - share * dx, z - az - share * dz];
	return Math.sqrt(offsetX * offsetX + offsetZ * offsetZ);
}

const round = (metres: number): number => Math.round(metres * 100) / 100;

/** Returns a sentence that says how wide a gap is and how wide it must be. */
export function gapText({ sides, width }: Gap, { agent_radius, cell_size }: NavmeshSettings): string {
	const needs = 2 * agent_radius;
	const cells = width < needs ? '' : `, and on cells of ${cell_size} m a little more`;
	return `The gap between the entities ${sides[0]} and ${sides[1]} is ${round(width)} m, the walker needs ${round(needs)} m${cells} (twice agent_radius).`;
}
