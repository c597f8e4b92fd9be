/**
 * Geometry of rays, lines and planes, and rounding to steps.
 * Owns: the arithmetic that all tools share.
 */

import { Plane, type Ray, Vector3 } from 'three/webgpu';

/** Minimum angle between a ray and a plane (sine). Flatter rays hit the plane too far away. */
const MIN_PLANE_SINE = 0.02;

/**
 * Returns the distance along a line to its point nearest to a ray (m); null if both are nearly parallel.
 * `axis` has length 1.
 */
export function distanceAlongLine(ray: Ray, origin: Vector3, axis: Vector3): number | null {
	const offset = origin.clone().sub(ray.origin);
	const dot = axis.dot(ray.direction);
	const square = 1 - dot * dot;
	if (square < 1e-4) return null;
	return (dot * ray.direction.dot(offset) - axis.dot(offset)) / square;
}

/** Returns the intersection of a ray with a plane; null if the ray misses it or is too flat. */
export function intersectPlane(ray: Ray, origin: Vector3, normal: Vector3): Vector3 | null {
	if (Math.abs(ray.direction.dot(normal)) < MIN_PLANE_SINE) return null;
	return ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal, origin), new Vector3());
}

/** Returns the nearest multiple of a step; the value itself without a step. */
export const roundToStep = (value: number, step: number | null): number =>
	step === null || step <= 0 ? value : Math.round(value / step) * step;

/** Rounds a number to four decimals, for example to a tenth of a millimetre. */
export const roundDecimals = (value: number): number => Math.round(value * 10_000) / 10_000 + 0;
