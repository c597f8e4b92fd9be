/**
 * Geometry of rays, lines and planes, and rounding to steps.
 * Owns: the arithmetic that all tools share.
 */

import { Plane, type Ray, Vector3 } from 'three/webgpu';

/** Least angle between a ray and a plane (sine); flatter rays hit the plane too far away. */
const FLAT = 0.02;

/** Returns the distance along a line to its point nearest to a ray (m); null if both are nearly parallel. `axis` has length 1. */
export function alongLine(ray: Ray, origin: Vector3, axis: Vector3): number | null {
	const between = origin.clone().sub(ray.origin);
	const dot = axis.dot(ray.direction);
	const rest = 1 - dot * dot;
	if (rest < 1e-4) return null;
	return (dot * ray.direction.dot(between) - axis.dot(between)) / rest;
}

/** Returns the intersection of a ray with a plane; null if the ray misses it or is too flat. */
export function onPlane(ray: Ray, origin: Vector3, normal: Vector3): Vector3 | null {
	if (Math.abs(ray.direction.dot(normal)) < FLAT) return null;
	return ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal, origin), new Vector3());
}

/** Returns the nearest multiple of a step; the value itself without a step. */
export const stepped = (value: number, step: number | null): number =>
	step === null || step <= 0 ? value : Math.round(value / step) * step;

/** Rounds a number to four decimals, for example to a tenth of a millimetre. */
export const tidy = (value: number): number => Math.round(value * 10_000) / 10_000 + 0;
