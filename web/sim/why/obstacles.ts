/** Static entities that may be in a walker's way. Owns: their order, and their boxes seen from above. */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import type { Vector } from '../core/math/vector.ts';
import { each, read, type World } from '../core/world.ts';
import { middleOf, type NavMesh, placeAt } from '../navigation/mesh.ts';
import { nearestTo } from '../navigation/search.ts';
import { colliderAt, extent } from '../physics/geometry.ts';
import { FIXED } from '../physics/mirror.ts';
import { type Wanted, wanted } from '../physics/sync-bodies.ts';

export interface Obstacle {
	readonly slot: number;
	/** Its middle on the ground, and half its extent along x and z (m). */
	readonly x: number;
	readonly z: number;
	readonly wide: number;
	readonly deep: number;
}

/** Static entities with a collider: the nearest to the straight line, or to where the way from the start ends, first. */
export function obstaclesAlong(world: World, mesh: NavMesh, from: Vector, to: Vector): Obstacle[] {
	const found: (Obstacle & { readonly gap: number })[] = [];
	const start = placeAt(mesh, ...from);
	const end = start < 0 ? ([from[0], from[2]] as const) : middleOf(mesh, nearestTo(mesh, start, to));
	const want: Wanted = { kind: 0, shape: 0 };
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	const position = read(world, LocalTransform, 'position');
	each(world, [PhysicsBody, Collider, LocalTransform], (slot) => {
		wanted(world, slot, want, kinds, shapes);
		if (want.kind !== FIXED) return;
		const [wide, , deep] = extent(world, colliderAt(world, slot));
		const box = { slot, x: position[slot * 3]!, z: position[slot * 3 + 2]!, wide, deep };
		found.push({ ...box, gap: Math.min(fromLine(from, to, box), fromPoint(...end, box)) });
	});
	return found.sort((a, b) => a.gap - b.gap || a.slot - b.slot);
}

/** Points of a line at which its distance is measured. */
const LINE_SAMPLES = 64;

function fromLine([ax, , az]: Vector, [bx, , bz]: Vector, box: Obstacle): number {
	let least = Infinity;
	for (let i = 0; i <= LINE_SAMPLES; i++) {
		const share = i / LINE_SAMPLES;
		least = Math.min(least, fromPoint(ax + (bx - ax) * share, az + (bz - az) * share, box));
	}
	return least;
}

function fromPoint(px: number, pz: number, { x, z, wide, deep }: Obstacle): number {
	const dx = Math.max(0, Math.abs(px - x) - wide);
	const dz = Math.max(0, Math.abs(pz - z) - deep);
	return Math.sqrt(dx * dx + dz * dz);
}
