/**
 * Overlap of two colliders, beyond mere touching.
 * Owns: how much of them must overlap: shapes made smaller by a tenth still meet. Balls are balls, all else counts as
 * its box.
 */

import type { ColliderShapeName } from '../../../shared/media/collider-shapes.ts';
import type { Vector } from '../core/math/vector.ts';

/** A collider in its place. */
export interface Solid {
	readonly ball: boolean;
	/** Half extents along its own axes. */
	readonly half: Vector;
	readonly center: Vector;
	/** Its own axes in the world, each of length 1. */
	readonly axes: readonly [Vector, Vector, Vector];
}

/** Share of a shape's size at which shapes must still meet to count as overlapping. */
export const DEEP = 0.9;

type Turn = readonly [number, number, number, number];

/** Half extents of the box around a collider along the axes of the world; `half` are those before it turns. */
export function boxAround(shape: ColliderShapeName, half: Vector, [x, y, z, w]: Turn): Vector {
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

/** `half`: half extents of its box before it turns. */
export function solid(shape: ColliderShapeName, half: Vector, center: Vector, [x, y, z, w]: Turn): Solid {
	const axes: Solid['axes'] = [
		[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
		[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
		[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
	];
	return { ball: shape === 'Sphere', half, center, axes };
}

export function overlapDeeply(a: Solid, b: Solid): boolean {
	if (a.ball && b.ball) {
		const [x, y, z] = between(a, b);
		const reach = DEEP * (a.half[0] + b.half[0]);
		return x * x + y * y + z * z < reach * reach;
	}
	if (a.ball) return ballMeetsBox(a, b);
	return b.ball ? ballMeetsBox(b, a) : boxesMeet(a, b);
}

function between(a: Solid, b: Solid): Vector {
	return [b.center[0] - a.center[0], b.center[1] - a.center[1], b.center[2] - a.center[2]];
}

function dot(a: Vector, b: Vector): number {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function ballMeetsBox(ball: Solid, box: Solid): boolean {
	const way = between(box, ball);
	let square = 0;
	for (let i = 0; i < 3; i++) {
		const beyond = Math.abs(dot(way, box.axes[i]!)) - DEEP * box.half[i]!;
		if (beyond > 0) square += beyond * beyond;
	}
	const reach = DEEP * ball.half[0];
	return square < reach * reach;
}

/**
 * Returns true if two boxes meet, by the separating axis test (Gottschalk, Lin, Manocha 1996): none of 15 directions
 * parts them.
 */
function boxesMeet(a: Solid, b: Solid): boolean {
	const way = between(a, b);
	const parts = (direction: Vector) => {
		let reach = 0;
		for (let i = 0; i < 3; i++)
			reach +=
				a.half[i]! * Math.abs(dot(a.axes[i]!, direction)) + b.half[i]! * Math.abs(dot(b.axes[i]!, direction));
		return Math.abs(dot(way, direction)) > DEEP * reach;
	};
	for (const axis of a.axes) if (parts(axis)) return false;
	for (const axis of b.axes) if (parts(axis)) return false;
	for (const [ax, ay, az] of a.axes)
		for (const [bx, by, bz] of b.axes)
			if (parts([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])) return false;
	return true;
}
