/**
 * Creates collider descriptions for the physics library.
 * Owns: the shape and the mass of each collider.
 */

import type { ColliderDesc } from '@dimforge/rapier3d-compat';
import { isPointShape, shapeByName } from '../../../shared/media/collider-shapes.ts';
import type { World } from '../core/world.ts';
import { massOf } from './buoyancy.ts';
import { type ColliderValues, colliderAt, geometryOf, isSurface, type ShapeGeometry } from './geometry.ts';
import { withSurface } from './ground-colliders.ts';
import type { Mirror } from './mirror.ts';
import { RAPIER } from './rapier.ts';
import { createTwoSidedDesc } from './surfaces.ts';

/** Returns the description of an entity's collider. */
export function createColliderDesc(world: World, slot: number, tuning: Mirror['tuning']): ColliderDesc {
	const collider = colliderAt(world, slot);
	const desc = createShapeDesc(world, collider);
	// A surface has no volume, and therefore no mass.
	return withSurface(
		isSurface(collider.shape) ? desc.setDensity(0) : desc.setMass(massOf(world, slot)),
		tuning,
	);
}

function createShapeDesc(world: World, { shape, size, geometry }: ColliderValues): ColliderDesc {
	const declared = shapeByName(shape);
	const { ColliderDesc } = RAPIER;
	if (isPointShape(declared)) return createPointedDesc(geometryOf(world.assets, declared, geometry!));
	const { make, numbers } = declared.library;
	const [a = 0, b = 0, c = 0] = numbers(size);
	switch (make) {
		case 'cuboid':
			return ColliderDesc.cuboid(a, b, c);
		case 'ball':
			return ColliderDesc.ball(a);
		case 'capsule':
			return ColliderDesc.capsule(a, b);
		case 'cylinder':
			return ColliderDesc.cylinder(a, b);
	}
}

function createPointedDesc(geometry: ShapeGeometry): ColliderDesc {
	if (geometry.triangles.length > 0) return createTwoSidedDesc(geometry);
	const hull = RAPIER.ColliderDesc.convexHull(geometry.points);
	if (hull === null) throw new Error('the points of a hull enclose no volume');
	return hull;
}
