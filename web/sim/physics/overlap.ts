/**
 * Deep overlap of two colliders.
 * Owns: its definition: the shapes still meet after each is shrunk by a tenth. Spheres are exact; other shapes count as
 * their box.
 */

import type { ColliderShapeName } from '../../../shared/media/collider-shapes.ts';
import type { Vector } from '../core/math/vector.ts';

/** Shape of a collider with its pose. */
export interface PlacedShape {
	readonly isBall: boolean;
	/** Half extents along its own axes. */
	readonly half: Vector;
	readonly center: Vector;
	/** Its own axes in the world, each of length 1. */
	readonly axes: readonly [Vector, Vector, Vector];
}

/** Share of a shape's size at which shapes must still meet to count as overlapping. */
export const DEEP_SHARE = 0.9;

type Quaternion = readonly [number, number, number, number];

/** Returns the half extents of a collider's bounding box along the axes of the world. `half` has them before rotation. */
export function boxAround(shape: ColliderShapeName, half: Vector, [x, y, z, w]: Quaternion): Vector {
	if (shape === 'Sphere' || (x === 0 && y === 0 && z === 0)) return half;
	const [a, b, c] = half;
	return [
		Math.abs(1 - 2 * (y * y + z * z)) * a +
			Math.abs(2 * (x * y - z * w)) * b +
			Math.abs(2 * (x * z + y * w)) * c,
		Math.abs(2 * (x * y + z * w)) * a +
			Math.abs(1 - 2 * (x * x + z * z)) * b +
			Math.abs(2 * (y * z - x * w)) * c,
		Math.abs(2 * (x * z - y * w)) * a +
			Math.abs(2 * (y * z + x * w)) * b +
			Math.abs(1 - 2 * (x * x + y * y)) * c,
	];
}

/** Returns the shape of a collider in the world. `half` has the half extents of its box before rotation. */
export function placeShape(
	shape: ColliderShapeName,
	half: Vector,
	center: Vector,
	[x, y, z, w]: Quaternion,
): PlacedShape {
	const axes: PlacedShape['axes'] = [
		[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
		[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
		[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
	];
	return { isBall: shape === 'Sphere', half, center, axes };
}

export function overlapDeeply(a: PlacedShape, b: PlacedShape): boolean {
	if (a.isBall && b.isBall) {
		const [x, y, z] = centerOffset(a, b);
		const reach = DEEP_SHARE * (a.half[0] + b.half[0]);
		return x * x + y * y + z * z < reach * reach;
	}
	if (a.isBall) return ballMeetsBox(a, b);
	return b.isBall ? ballMeetsBox(b, a) : boxesMeet(a, b);
}

function centerOffset(a: PlacedShape, b: PlacedShape): Vector {
	return [b.center[0] - a.center[0], b.center[1] - a.center[1], b.center[2] - a.center[2]];
}

function dot(a: Vector, b: Vector): number {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function ballMeetsBox(ball: PlacedShape, box: PlacedShape): boolean {
	const offset = centerOffset(box, ball);
	let squaredDistance = 0;
	for (let i = 0; i < 3; i++) {
		const excess = Math.abs(dot(offset, box.axes[i]!)) - DEEP_SHARE * box.half[i]!;
		if (excess > 0) squaredDistance += excess * excess;
	}
	const reach = DEEP_SHARE * ball.half[0];
	return squaredDistance < reach * reach;
}

/**
 * Returns true if two boxes meet, by the separating axis test (Gottschalk, Lin, Manocha 1996): none of 15 directions
 * separates them.
 */
function boxesMeet(a: PlacedShape, b: PlacedShape): boolean {
	const offset = centerOffset(a, b);
	const separates = (direction: Vector) => {
		let reach = 0;
		for (let i = 0; i < 3; i++)
			reach +=
				a.half[i]! * Math.abs(dot(a.axes[i]!, direction)) + b.half[i]! * Math.abs(dot(b.axes[i]!, direction));
		return Math.abs(dot(offset, direction)) > DEEP_SHARE * reach;
	};
	for (const axis of a.axes) if (separates(axis)) return false;
	for (const axis of b.axes) if (separates(axis)) return false;
	for (const [ax, ay, az] of a.axes)
		for (const [bx, by, bz] of b.axes)
			if (separates([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])) return false;
	return true;
}
