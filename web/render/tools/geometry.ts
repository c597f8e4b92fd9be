/**
 * Geometry of rays, lines and planes, and rounding to steps.
 * Owns: the arithmetic that the tools have in common.
 */

import { Plane, type Ray, Vector3 } from 'three/webgpu';

/** Rays that meet a plane more flatly than this (sine) meet it too far away. */
const FLAT = 0.02;

/** Distance along a line at which the ray is nearest to it (m); null when both are nearly parallel. `axis` has length 1. */
export function alongLine(ray: Ray, origin: Vector3, axis: Vector3): number | null {
	const between = origin.clone().sub(ray.origin);
	const dot = axis.dot(ray.direction);
	const rest = 1 - dot * dot;
	if (rest < 1e-4) return null;
	return (dot * ray.direction.dot(between) - axis.dot(between)) / rest;
}

/** Point where a ray meets a plane; null if it misses it or nearly does. */
export function onPlane(ray: Ray, origin: Vector3, normal: Vector3): Vector3 | null {
	if (Math.abs(ray.direction.dot(normal)) < FLAT) return null;
	return ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal, origin), new Vector3());
}

/** Returns the nearest multiple of a step. */
export const stepped = (value: number, step: number | null): number =>
	step === null || step <= 0 ? value : Math.round(value / step) * step;

/** Rounds to what a person may want to read: a tenth of a millimetre. */
export const tidy = (value: number): number => Math.round(value * 10_000) / 10_000 + 0;
