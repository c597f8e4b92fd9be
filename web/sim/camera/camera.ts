/**
 * Camera of a world. View scope: saved and forked, never digested.
 * Owns: its pose without automatic movement, the named views, and the focus on a point.
 */

import * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { FAR, number, vec3 } from '../../../shared/contract/values.ts';
import type { Vector } from '../core/math/vector.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

export interface WorldCamera {
	readonly eye: Vector;
	readonly target: Vector;
	readonly up: Vector;
	/** Vertical angle of view, radians. */
	readonly fov_y: number;
	readonly orthographic: boolean;
	/** Half the height of an orthographic picture, metres. */
	readonly ortho_size: number;
	/** Distance below which nothing is drawn, metres. */
	readonly near: number;
	/** Distance beyond which nothing is drawn, metres. */
	readonly far: number;
	/** Rises with every change. */
	readonly revision: number;
}

/** Stored pose. Worlds of earlier versions have neither near nor far. */
type StoredPose = Omit<WorldCamera, 'near' | 'far'> & {
	readonly near?: number | undefined;
	readonly far?: number | undefined;
};

const DEFAULT_RANGE = { near: 0.1, far: 1000 };

export const CameraPose: Resource<StoredPose> = {
	name: 'camera',
	scope: 'view',
	summary: 'Pose and projection of the camera',
	schema: z.strictObject({
		eye: vec3('Position of the camera'),
		target: vec3('Point that the camera looks at'),
		up: vec3('Up direction', { unit: 'direction' }),
		fov_y: number('Vertical angle of view', { unit: 'rad' }),
		orthographic: z.boolean(),
		ortho_size: number('Half the visible height, with orthographic projection', { unit: 'm' }),
		near: number('Distance of the near plane', { unit: 'm' }).optional(),
		far: number('Distance of the far plane', { unit: 'm' }).optional(),
		revision: z.int(),
	}),
	initial: () => ({
		eye: [8, 6, 8],
		target: [0, 1, 0],
		up: [0, 1, 0],
		fov_y: 0.7853981633974483,
		orthographic: false,
		ortho_size: 10,
		revision: 0,
	}),
};

/** Returns the camera without its automatic movement, which camera-movement.ts adds. */
export function stillCamera(world: World): WorldCamera {
	const pose = resource(world, CameraPose)!;
	return { ...pose, near: pose.near ?? DEFAULT_RANGE.near, far: pose.far ?? DEFAULT_RANGE.far };
}

/** Changes fields of the camera. Throws `invalid_body` if `near` would not be less than `far`. */
export function moveCamera(world: World, change: Partial<Omit<WorldCamera, 'revision'>>): WorldCamera {
	const current = stillCamera(world);
	const next = { ...current, ...change, revision: current.revision + 1 };
	requireRange(next);
	setResource(world, CameraPose, next);
	return next;
}

/** Throws `invalid_body` if `near` is not less than `far`. */
export function requireRange(camera: Pick<WorldCamera, 'near' | 'far'>): void {
	if (camera.near >= camera.far)
		throw new ApiError('invalid_body', `near (${camera.near} m) must be less than far (${camera.far} m).`, {
			fix: `Send a "near" below ${camera.far}, or a "far" above ${camera.near}. The usual values are ${DEFAULT_RANGE.near} and ${DEFAULT_RANGE.far}.`,
		});
}

const UP: Vector = [0, 1, 0];
const sideView = (eye: Vector) =>
	({ eye, target: [0, 2, 0], up: UP, orthographic: true, ortho_size: 8 }) satisfies Partial<WorldCamera>;

/** Views by name. */
export const CAMERA_VIEWS = {
	top: { eye: [0, 20, 0.001], target: [0, 0, 0], up: [0, 0, -1], orthographic: true, ortho_size: 12 },
	front: sideView([0, 2, 20]),
	back: sideView([0, 2, -20]),
	right: sideView([20, 2, 0]),
	left: sideView([-20, 2, 0]),
	perspective: { eye: [8, 6, 8], target: [0, 1, 0], up: UP, orthographic: false },
} as const satisfies Record<string, Partial<WorldCamera>>;

/** Maximum distance of the camera from a point that it focuses, unless `fit` requires more (m). */
const MAX_FOCUS_DISTANCE = 20;

/**
 * Aims at a point. The eye keeps its direction and its distance, clamped to 5..20 m. `fit`: distance that shows a whole
 * object (m). Both bounds increase for a large object: the lower one to `fit`, the upper one to twice `fit`. A point too
 * far out for a camera is replaced by the nearest possible point.
 */
export function focusCamera(world: World, target: Vector, fit = 0): WorldCamera {
	const [nearest, farthest] = [Math.max(5, fit), Math.max(MAX_FOCUS_DISTANCE, 2 * fit)];
	const maxCoordinate = FAR - farthest;
	const point = target.map((part) =>
		Math.min(maxCoordinate, Math.max(-maxCoordinate, part)),
	) as unknown as Vector;
	const { eye } = stillCamera(world);
	let offset: Vector = [eye[0] - point[0], eye[1] - point[1], eye[2] - point[2]];
	let length = Math.sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
	if (length <= 0.001) {
		offset = [0.6, 0.5, 0.6];
		length = Math.sqrt(0.36 + 0.25 + 0.36);
	}
	const scale = Math.min(farthest, Math.max(nearest, length === 0 ? nearest : length)) / length;
	const newEye: Vector = [
		point[0] + offset[0] * scale,
		point[1] + offset[1] * scale,
		point[2] + offset[2] * scale,
	];
	return moveCamera(world, { eye: newEye, target: point, orthographic: false });
}
