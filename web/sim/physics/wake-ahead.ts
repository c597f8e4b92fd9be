/**
 * Wakes sleeping bodies in the path of fast Kinematic bodies, a tick before the contact. The library wakes a body only
 * when it is touched, and a fast body has then already passed.
 * Owns: the paths of fast bodies.
 */

import type { World as RapierWorld } from '@dimforge/rapier3d-compat';
import { hasBit } from '../core/bits.ts';
import { DT } from '../core/clock.ts';
import type { Vector } from '../core/math/vector.ts';
import type { World } from '../core/world.ts';
import { colliderAt, halfExtent } from './geometry.ts';
import { DYNAMIC, indexOfHandle, KINEMATIC, type Mirror } from './mirror.ts';
import { boxAround } from './overlap.ts';

/** Distance per tick (m). A slower body touches another for long enough to wake it. */
const SLOW_DISTANCE = 0.03;

/** A box in the world: its middle and half extents (m). */
interface CenteredBox {
	readonly middle: Vector;
	readonly half: Vector;
}

/** Wakes the bodies in the paths of fast Kinematic bodies in the next two ticks. Uses current velocities and last poses. */
export function wakeAhead(world: World, mirror: Mirror, live: RapierWorld): void {
	if (!mirror.kind.includes(KINEMATIC)) return;
	if (!mirror.kind.some((kind, slot) => kind === DYNAMIC && !hasBit(mirror.awake, slot))) return;
	const slotsToWake = new Set<number>();
	mirror.kind.forEach((kind, slot) => {
		if (kind !== KINEMATIC || mirror.shape[slot] === 0) return;
		const path = pathOf(world, mirror, slot);
		if (path === null) return;
		const [x, y, z] = path.middle;
		const [hx, hy, hz] = path.half;
		live.collidersWithAabbIntersectingAabb({ x, y, z }, { x: hx, y: hy, z: hz }, ({ handle }) => {
			const other = mirror.slotOfCollider[indexOfHandle(handle)] ?? -1;
			if (other < 0 || mirror.kind[other] !== DYNAMIC || hasBit(mirror.awake, other)) return true;
			// The library's boxes are enlarged by earlier motion, so the real box is tested.
			if (boxesMeet(path, boxOf(world, mirror, other))) slotsToWake.add(other);
			return true;
		});
	});
	for (const slot of [...slotsToWake].sort((a, b) => a - b)) live.getRigidBody(mirror.body[slot]!).wakeUp();
}

const vectorAt = (numbers: Float32Array, slot: number): Vector => [
	numbers[slot * 3]!,
	numbers[slot * 3 + 1]!,
	numbers[slot * 3 + 2]!,
];
const length = ([x, y, z]: Vector): number => Math.sqrt(x * x + y * y + z * z);

/** Returns the box that a body sweeps in two ticks; null if it is slow. */
function pathOf(world: World, mirror: Mirror, slot: number): CenteredBox | null {
	const linear = vectorAt(mirror.linear, slot);
	const spin = length(vectorAt(mirror.angular, slot));
	const speed = length(linear);
	if (speed === 0 && spin === 0) return null;
	const { middle, half } = boxOf(world, mirror, slot);
	const radius = length(halfExtent(world, colliderAt(world, slot)));
	if ((speed + spin * radius) * DT < SLOW_DISTANCE) return null;
	const [mx, my, mz] = [linear[0] * DT, linear[1] * DT, linear[2] * DT];
	const [hx, hy, hz] = spin === 0 ? half : [radius, radius, radius];
	return {
		middle: [middle[0] + mx, middle[1] + my, middle[2] + mz],
		half: [
			hx + Math.abs(mx) + SLOW_DISTANCE,
			hy + Math.abs(my) + SLOW_DISTANCE,
			hz + Math.abs(mz) + SLOW_DISTANCE,
		],
	};
}

function boxOf(world: World, mirror: Mirror, slot: number): CenteredBox {
	const collider = colliderAt(world, slot);
	const [x = 0, y = 0, z = 0, w = 1] = mirror.rotation.subarray(slot * 4, slot * 4 + 4);
	return {
		middle: vectorAt(mirror.position, slot),
		half: boxAround(collider.shape, halfExtent(world, collider), [x, y, z, w]),
	};
}

const boxesMeet = (a: CenteredBox, b: CenteredBox): boolean =>
	[0, 1, 2].every((axis) => Math.abs(a.middle[axis]! - b.middle[axis]!) <= a.half[axis]! + b.half[axis]!);
