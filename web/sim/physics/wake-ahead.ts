/**
 * Wakes the bodies that sleep in the way of fast Kinematic ones, a tick before these reach them.
 * Owns: which those are. The library wakes a body when it is touched, and a fast body has passed by then.
 */

import type { World as RapierWorld } from '@dimforge/rapier3d-compat';
import { hasBit } from '../core/bits.ts';
import { DT } from '../core/clock.ts';
import type { Vector } from '../core/math/vector.ts';
import type { World } from '../core/world.ts';
import { colliderAt, extent } from './geometry.ts';
import { DYNAMIC, indexOfHandle, KINEMATIC, type Mirror } from './mirror.ts';
import { boxAround } from './overlap.ts';

/** Distance per tick below which a moving body touches another for long enough to wake it (m). */
const SLOW = 0.03;

/** A box in the world: its middle and half extents (m). */
interface Box {
	readonly middle: Vector;
	readonly half: Vector;
}

/** Wakes what sleeps within two ticks of a fast Kinematic body. Bodies are as of the last step, with the velocities of this one. */
export function wakeAhead(world: World, mirror: Mirror, live: RapierWorld): void {
	if (!mirror.kind.includes(KINEMATIC)) return;
	if (!mirror.kind.some((kind, slot) => kind === DYNAMIC && !hasBit(mirror.awake, slot))) return;
	const woken = new Set<number>();
	mirror.kind.forEach((kind, slot) => {
		if (kind !== KINEMATIC || mirror.shape[slot] === 0) return;
		const path = pathOf(world, mirror, slot);
		if (path === null) return;
		const [x, y, z] = path.middle;
		const [hx, hy, hz] = path.half;
		live.collidersWithAabbIntersectingAabb({ x, y, z }, { x: hx, y: hy, z: hz }, ({ handle }) => {
			const other = mirror.slotOfCollider[indexOfHandle(handle)] ?? -1;
			if (other < 0 || mirror.kind[other] !== DYNAMIC || hasBit(mirror.awake, other)) return true;
			// The library looks in boxes that are larger than bodies by what they did before.
			if (meet(path, boxOf(world, mirror, other))) woken.add(other);
			return true;
		});
	});
	for (const slot of [...woken].sort((a, b) => a - b)) live.getRigidBody(mirror.body[slot]!).wakeUp();
}

const vectorAt = (numbers: Float32Array, slot: number): Vector => [
	numbers[slot * 3]!,
	numbers[slot * 3 + 1]!,
	numbers[slot * 3 + 2]!,
];
const length = ([x, y, z]: Vector): number => Math.sqrt(x * x + y * y + z * z);

/** Returns the box that a body goes through in two ticks; null if it is slow. */
function pathOf(world: World, mirror: Mirror, slot: number): Box | null {
	const linear = vectorAt(mirror.linear, slot);
	const spin = length(vectorAt(mirror.angular, slot));
	const speed = length(linear);
	if (speed === 0 && spin === 0) return null;
	const { middle, half } = boxOf(world, mirror, slot);
	const radius = length(extent(world, colliderAt(world, slot)));
	if ((speed + spin * radius) * DT < SLOW) return null;
	const ticks = ([x, y, z]: Vector, times: number): Vector => [
		x * times * DT,
		y * times * DT,
		z * times * DT,
	];
	const [mx, my, mz] = ticks(linear, 1);
	const grown = spin === 0 ? half : ([radius, radius, radius] as const);
	return {
		middle: [middle[0] + mx, middle[1] + my, middle[2] + mz],
		half: [grown[0] + Math.abs(mx) + SLOW, grown[1] + Math.abs(my) + SLOW, grown[2] + Math.abs(mz) + SLOW],
	};
}

function boxOf(world: World, mirror: Mirror, slot: number): Box {
	const collider = colliderAt(world, slot);
	const [x = 0, y = 0, z = 0, w = 1] = mirror.rotation.subarray(slot * 4, slot * 4 + 4);
	return {
		middle: vectorAt(mirror.position, slot),
		half: boxAround(collider.shape, extent(world, collider), [x, y, z, w]),
	};
}

const meet = (a: Box, b: Box): boolean =>
	[0, 1, 2].every((axis) => Math.abs(a.middle[axis]! - b.middle[axis]!) <= a.half[axis]! + b.half[axis]!);
