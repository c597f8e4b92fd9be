/** Gaps between obstacles that are too narrow for a walker. Owns: finding the narrowest on the way that a thin one would take. */

import type { NavmeshSettings } from '../../../shared/documents/navmesh.ts';
import { clone, dispose } from '../core/clone.ts';
import { rebuildParts } from '../core/derived-parts.ts';
import type { Vector } from '../core/math/vector.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import { navigationOf } from '../navigation/navigation.part.ts';
import { wayBetween } from '../navigation/path.ts';
import { navmeshOf, setNavmesh } from '../navigation/settings.ts';
import type { Obstacle } from './obstacles.ts';

/** Obstacles whose gaps are looked at. */
const MAX_OBSTACLES = 64;

export interface Gap {
	readonly sides: readonly [number, number];
	/** Its width (m). */
	readonly width: number;
	/** The axis across it: 0 for x, 2 for z. */
	readonly axis: 0 | 2;
	/** 1 if the second side has the higher coordinate, else -1. */
	readonly side: number;
	/** Width that it lacks, at most (m). */
	readonly missing: number;
}

/** Returns the narrowest gap on the way that a walker without a radius finds; null if that finds none either. */
export function* narrowGap(
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
		const way = mesh === null ? null : wayBetween(mesh, from, to, false).way;
		return way === null ? null : gapOn(obstacles.slice(0, MAX_OBSTACLES), way.points, settings);
	} finally {
		dispose(copy);
	}
}

function gapOn(
	obstacles: readonly Obstacle[],
	points: readonly Vector[],
	{ agent_radius, cell_size }: NavmeshSettings,
): Gap | null {
	let found: Gap | null = null;
	for (const [i, a] of obstacles.entries())
		for (const b of obstacles.slice(i + 1)) {
			const [obstacle, other] = a.slot < b.slot ? [a, b] : [b, a];
			const spaceX = Math.abs(other.x - obstacle.x) - obstacle.wide - other.wide;
			const spaceZ = Math.abs(other.z - obstacle.z) - obstacle.deep - other.deep;
			const width = Math.max(spaceX, spaceZ);
			// Two that are apart along both axes leave a way round a corner.
			if (width <= 0 || Math.min(spaceX, spaceZ) > 0) continue;
			if (width >= (found?.width ?? 2 * (agent_radius + cell_size))) continue;
			const isAlongX = spaceX > spaceZ;
			const side = (isAlongX ? other.x > obstacle.x : other.z > obstacle.z) ? 1 : -1;
			const x = isAlongX
				? obstacle.x + side * (obstacle.wide + width / 2)
				: shared(obstacle.x, obstacle.wide, other.x, other.wide);
			const z = isAlongX
				? shared(obstacle.z, obstacle.deep, other.z, other.deep)
				: obstacle.z + side * (obstacle.deep + width / 2);
			const reach = width / 2 + 2 * cell_size;
			if (!points.some((point, at) => at > 0 && lineTo(points[at - 1]!, point, x, z) <= reach)) continue;
			found = {
				sides: [obstacle.slot, other.slot],
				width,
				axis: isAlongX ? 0 : 2,
				side,
				missing: 2 * (agent_radius + cell_size) - width,
			};
		}
	return found;
}

/** Returns the middle of what two ranges share. */
const shared = (a: number, halfA: number, b: number, halfB: number): number =>
	(Math.max(a - halfA, b - halfB) + Math.min(a + halfA, b + halfB)) / 2;

/** Distance of a point from a line on the ground (m). */
function lineTo([ax, , az]: Vector, [bx, , bz]: Vector, x: number, z: number): number {
	const [dx, dz] = [bx - ax, bz - az];
	const square = dx * dx + dz * dz;
	const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (z - az) * dz) / square));
	const [gx, gz] = [x - ax - share * dx, z - az - share * dz];
	return Math.sqrt(gx * gx + gz * gz);
}

const round = (metres: number): number => Math.round(metres * 100) / 100;

export function sayGap({ sides, width }: Gap, { agent_radius, cell_size }: NavmeshSettings): string {
	const needs = 2 * agent_radius;
	const cells = width < needs ? '' : `, and on cells of ${cell_size} m a little more`;
	return `The gap between the entities ${sides[0]} and ${sides[1]} is ${round(width)} m, the walker needs ${round(needs)} m${cells} (twice agent_radius).`;
}
