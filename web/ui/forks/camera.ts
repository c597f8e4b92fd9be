/**
 * The shared camera of all pictures in a comparison of worlds.
 * Owns: turning, zooming, and projecting places into a picture.
 */

import type { Vector } from '../entities/entity.ts';

export interface Camera {
	readonly eye: Vector;
	readonly target: Vector;
	readonly up: Vector;
	readonly fov_y: number;
	readonly orthographic: boolean;
	readonly ortho_size: number;
}

/** Turn for a drag across the height of the picture (rad). */
const TURN = Math.PI / 2;
/** Minimum angle between the view direction and the vertical (rad). */
const POLE = 0.05;
/** Distances of the eye from the target (m). */
const NEAREST = 1;
const NEAR_BY = 14;
const FARTHEST = 500;

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
	a[1] * b[2] - a[2] * b[1],
	a[2] * b[0] - a[0] * b[2],
	a[0] * b[1] - a[1] * b[0],
];

function unit(vector: Vector): Vector {
	const length = Math.hypot(...vector) || 1;
	return [vector[0] / length, vector[1] / length, vector[2] / length];
}

/** Returns the camera turned around its target, for a drag by shares of the picture's height. */
export function turned(camera: Camera, right: number, down: number): Camera {
	const [x, y, z] = minus(camera.eye, camera.target);
	const distance = Math.hypot(x, y, z);
	const around = Math.atan2(x, z) - right * TURN;
	const above = Math.asin(y / (distance || 1)) + down * TURN;
	const height = Math.min(Math.PI / 2 - POLE, Math.max(POLE - Math.PI / 2, above));
	const flat = Math.cos(height) * distance;
	const [tx, ty, tz] = camera.target;
	const eye: Vector = [
		tx + Math.sin(around) * flat,
		ty + Math.sin(height) * distance,
		tz + Math.cos(around) * flat,
	];
	return { ...camera, eye };
}

/** Returns the camera with its distance from the target multiplied by `factor`, within limits. */
export function zoomed(camera: Camera, factor: number): Camera {
	const offset = minus(camera.eye, camera.target);
	const distance = Math.hypot(...offset) || 1;
	const scale = Math.min(FARTHEST, Math.max(NEAREST, distance * factor)) / distance;
	const [tx, ty, tz] = camera.target;
	return {
		...camera,
		eye: [tx + offset[0] * scale, ty + offset[1] * scale, tz + offset[2] * scale],
		ortho_size: camera.ortho_size * scale,
	};
}

/** Returns the camera that looks at a place in the same direction, from a short distance. */
export function lookingAt(camera: Camera, position: Vector): Camera {
	const [x, y, z] = minus(camera.eye, camera.target);
	const [px, py, pz] = position;
	const moved: Camera = { ...camera, eye: [px + x, py + y, pz + z], target: position };
	return zoomed(moved, Math.min(1, NEAR_BY / (Math.hypot(x, y, z) || 1)));
}

/** Returns the place of a point in the picture as shares of its size, from the top left; null outside. */
export function placeInPicture(
	{ eye, target, up, fov_y, orthographic, ortho_size }: Camera,
	aspect: number,
	point: Vector,
): readonly [x: number, y: number] | null {
	const forward = unit(minus(target, eye));
	const right = unit(cross(forward, up));
	const above = cross(right, forward);
	const offset = minus(point, eye);
	const depth = dot(offset, forward);
	if (depth <= 0) return null;
	const half = orthographic ? ortho_size : depth * Math.tan(fov_y / 2);
	const x = 0.5 + dot(offset, right) / (2 * half * aspect);
	const y = 0.5 - dot(offset, above) / (2 * half);
	return x < 0 || x > 1 || y < 0 || y > 1 ? null : [x, y];
}
