/** Obstacles: static entities that may block a walker. Owns: their order, and their boxes seen from above. */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import type { Vector } from '../core/math/vector.ts';
import { each, read, type World } from '../core/world.ts';
import { middleOf, type NavMesh, placeAt } from '../navigation/mesh.ts';
import { nearestTo } from '../navigation/search.ts';
import { colliderAt, halfExtent } from '../physics/geometry.ts';
import { FIXED } from '../physics/mirror.ts';
import { type BodyKind, readBodyKind } from '../physics/sync-bodies.ts';

export interface Obstacle {
	readonly slot: number;
	/** Centre, seen from above (m). */
	readonly x: number;
	readonly z: number;
	/** Half the extent along x and z (m). */
	readonly halfX: number;
	readonly halfZ: number;
}

/**
 * Returns the static entities with a collider, nearest first. The distance is measured from the straight line, or from
 * the place nearest to the goal that can be reached, whichever is nearer.
 */
export function obstaclesAlong(world: World, mesh: NavMesh, from: Vector, to: Vector): Obstacle[] {
	const obstacles: (Obstacle & { readonly gap: number })[] = [];
	const start = placeAt(mesh, ...from);
	const end = start < 0 ? ([from[0], from[2]] as const) : middleOf(mesh, nearestTo(mesh, start, to));
	const bodyKind: BodyKind = { kind: 0, shape: 0 };
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	const position = read(world, LocalTransform, 'position');
	each(world, [PhysicsBody, Collider, LocalTransform], (slot) => {
		readBodyKind(world, slot, bodyKind, kinds, shapes);
		if (bodyKind.kind !== FIXED) return;
		const [halfX, , halfZ] = halfExtent(world, colliderAt(world, slot));
		const box = { slot, x: position[slot * 3]!, z: position[slot * 3 + 2]!, halfX, halfZ };
		obstacles.push({ ...box, gap: Math.min(distanceToLine(from, to, box), distanceToPoint(...end, box)) });
	});
	return obstacles.sort((a, b) => a.gap - b.gap || a.slot - b.slot);
}

/** Points of a line at which its distance is measured. */
const LINE_SAMPLES = 64;

function distanceToLine([ax, , az]: Vector, [bx, , bz]: Vector, box: Obstacle): number {
	let minDistance = Infinity;
	for (let i = 0; i <= LINE_SAMPLES; i++) {
		const share = i / LINE_SAMPLES;
		minDistance = Math.min(minDistance, distanceToPoint(ax + (bx - ax) * share, az + (bz - az) * share, box));
	}
	return minDistance;
}

function distanceToPoint(px: number, pz: number, { x, z, halfX, halfZ }: Obstacle): number {
	const dx = Math.max(0, Math.abs(px - x) - halfX);
	const dz = Math.max(0, Math.abs(pz - z) - halfZ);
	return Math.sqrt(dx * dx + dz * dz);
}
