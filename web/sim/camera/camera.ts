/**
 * Position from which the world is looked at. View scope: saved and forked, never digested.
 * Owns: the pose, and the moves that the camera routes make.
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
	/** Nearer and farther than that nothing is drawn, metres. */
	readonly near: number;
	readonly far: number;
	/** Rises with every change. */
	readonly revision: number;
}

/** Worlds of old have neither near nor far. */
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

/** Returns the camera as it was put; where one is that moves by itself, moving.ts says. */
export function camera(world: World): WorldCamera {
	const pose = resource(world, CameraPose)!;
	return { ...pose, near: pose.near ?? DEFAULT_RANGE.near, far: pose.far ?? DEFAULT_RANGE.far };
}

/** Changes the given parts of the camera. Throws `invalid_body` when nothing would lie between near and far. */
export function moveCamera(world: World, change: Partial<Omit<WorldCamera, 'revision'>>): WorldCamera {
	const before = camera(world);
	const after = { ...before, ...change, revision: before.revision + 1 };
	requireRange(after);
	setResource(world, CameraPose, after);
	return after;
}

/** Throws `invalid_body` when nothing would be between near and far. */
export function requireRange(after: Pick<WorldCamera, 'near' | 'far'>): void {
	if (after.near >= after.far)
		throw new ApiError('invalid_body', `near (${after.near} m) must be less than far (${after.far} m).`, {
			fix: `Send a "near" below ${after.far}, or a "far" above ${after.near}. The usual values are ${DEFAULT_RANGE.near} and ${DEFAULT_RANGE.far}.`,
		});
}

const UP: Vector = [0, 1, 0];
const side = (eye: Vector) =>
	({ eye, target: [0, 2, 0], up: UP, orthographic: true, ortho_size: 8 }) satisfies Partial<WorldCamera>;

/** Named views. */
export const CAMERA_VIEWS = {
	top: { eye: [0, 20, 0.001], target: [0, 0, 0], up: [0, 0, -1], orthographic: true, ortho_size: 12 },
	front: side([0, 2, 20]),
	back: side([0, 2, -20]),
	right: side([20, 2, 0]),
	left: side([-20, 2, 0]),
	perspective: { eye: [8, 6, 8], target: [0, 1, 0], up: UP, orthographic: false },
} as const satisfies Record<string, Partial<WorldCamera>>;

/** Farthest that a camera stands from what it was told to look at (m). */
const FARTHEST = 20;

/**
 * Aims at a point. The eye keeps its direction and its old distance, clamped to 5..20 m. For large things the
 * distance is one to two times `fit`, which shows all of it. Of what is farther out than cameras go, it looks at the
 * nearest point that it can.
 */
export function focusCamera(world: World, at: Vector, fit = 0): WorldCamera {
	const [nearest, farthest] = [Math.max(5, fit), Math.max(FARTHEST, 2 * fit)];
	const most = FAR - farthest;
	const point = at.map((part) => Math.min(most, Math.max(-most, part))) as unknown as Vector;
	const { eye } = camera(world);
	let offset: Vector = [eye[0] - point[0], eye[1] - point[1], eye[2] - point[2]];
	let length = Math.sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
	if (length <= 0.001) {
		offset = [0.6, 0.5, 0.6];
		length = Math.sqrt(0.36 + 0.25 + 0.36);
	}
	const reach = Math.min(farthest, Math.max(nearest, length === 0 ? nearest : length)) / length;
	const moved: Vector = [
		point[0] + offset[0] * reach,
		point[1] + offset[1] * reach,
		point[2] + offset[2] * reach,
	];
	return moveCamera(world, { eye: moved, target: point, orthographic: false });
}
