/**
 * Colliders as the physics library takes them.
 * Owns: the shape and the mass of each.
 */

import type { ColliderDesc } from '@dimforge/rapier3d-compat';
import { isPointed, shapeNamed } from '../../../shared/media/collider-shapes.ts';
import type { World } from '../core/world.ts';
import { massOf } from './buoyancy.ts';
import { colliderAt, isSurface, type Made, made, type Shaped } from './geometry.ts';
import { withSurface } from './ground-colliders.ts';
import type { Mirror } from './mirror.ts';
import { RAPIER } from './rapier.ts';
import { twoSided } from './surfaces.ts';

/** Returns the collider of an entity. */
export function colliderDesc(world: World, slot: number, tuning: Mirror['tuning']): ColliderDesc {
	const collider = colliderAt(world, slot);
	const desc = libraryShape(world, collider);
	// A surface has no inside, and so no mass.
	return withSurface(
		isSurface(collider.shape) ? desc.setDensity(0) : desc.setMass(massOf(world, slot)),
		tuning,
	);
}

function libraryShape(world: World, { shape, size, geometry }: Shaped): ColliderDesc {
	const known = shapeNamed(shape);
	const { ColliderDesc } = RAPIER;
	if (isPointed(known)) return pointedShape(made(world.assets, known, geometry!));
	const { make, numbers } = known.library;
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

function pointedShape(made: Made): ColliderDesc {
	if (made.triangles.length > 0) return twoSided(made);
	const hull = RAPIER.ColliderDesc.convexHull(made.points);
	if (hull === null) throw new Error('the points of a hull enclose no volume');
	return hull;
}
