/** Facing of entities, and distances. Owns: the definition of forward, which is -z, rotated by the entity's rotation. */

import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import type { Vector } from '../core/math/vector.ts';
import { get, has, type World } from '../core/world.ts';

/** Returns the direction in which an entity looks, as a unit vector. For a child, it is that of the last step. */
export function facingOf(world: World, slot: number): Vector {
	const pose = has(world, slot, Parent)
		? get(world, slot, GlobalTransform)
		: get(world, slot, LocalTransform);
	const [x, y, z, w] = pose?.rotation ?? [0, 0, 0, 1];
	return [-2 * (x * z + w * y), -2 * (y * z - w * x), 2 * (x * x + y * y) - 1];
}

/** Returns the squared distance of two positions (m²), which suffices for comparisons. */
export function squaredDistance(a: Vector, b: Vector): number {
	const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
	return x * x + y * y + z * z;
}

/** Returns the distance of two positions (m). */
export function distance(a: Vector, b: Vector): number {
	return Math.sqrt(squaredDistance(a, b));
}

/** Returns the unit vector from one position to another; null if they are equal. */
export function directionTo(from: Vector, to: Vector): Vector | null {
	const length = distance(from, to);
	if (length < 1e-6) return null;
	return [(to[0] - from[0]) / length, (to[1] - from[1]) / length, (to[2] - from[2]) / length];
}
