/**
 * Camera of the live picture: the world's camera until a person moves it, then the person's until a call sets
 * the world's again.
 * Owns: eye and target, and their movement by dragging and zooming. Never: touches three.js or listens to
 * devices.
 */

import type { FrameCamera } from '../frames/frames.ts';
import type { CameraMove } from './messages.ts';

export type Vec3 = [number, number, number];

/** Radians per CSS pixel of a turn. */
const RADIANS_PER_PIXEL = 0.0055;
/** Minimum angle between the view and the vertical, in radians. */
const MIN_POLE_ANGLE = 0.02;
/** Minimum distance of the eye from its target (m). */
const MIN_DISTANCE = 0.2;
/** Maximum distance of the eye from its target (m). */
const MAX_DISTANCE = 900;
/** Initial distance of the eye from a followed entity (m). */
const FOLLOW_DISTANCE = 17;
/** Initial downward angle of a camera that follows an entity (radians). */
const FOLLOW_ANGLE = 0.92;

const DEFAULT_CAMERA: FrameCamera = {
	eye: [8, 6, 8],
	target: [0, 1, 0],
	up: [0, 1, 0],
	fov_y: Math.PI / 4,
	orthographic: false,
	ortho_size: 10,
	near: 0.1,
	far: 1000,
	shaken: [0, 0],
	moving: false,
	revision: -1,
};

/** Eye and target in metres, angles in radians. Directions are those of a right-handed world with y up. */
export class Orbit {
	#camera: FrameCamera = DEFAULT_CAMERA;
	/** Last known revision of each world's camera, so that switching to a fork keeps the person's view. */
	readonly #revisions = new Map<string, number>();
	/** True if a person has moved the camera since it last was the world's camera. */
	#isMovedByHand = true;
	/** Previous pose of a camera that moves by itself. */
	#previous: FrameCamera | null = null;
	/** Camera before it followed an entity; null while it does not follow one. */
	#beforeFollowing: FrameCamera | null = null;

	/** Camera to draw with. */
	get camera(): FrameCamera {
		return this.#camera;
	}

	/**
	 * Adopts the world's camera if a call has set it since the last frame. The camera of a new world is adopted
	 * only for the first world. If the world's camera moves by itself, the picture follows it until a person
	 * moves it. While the picture follows an entity, the world's camera is only stored for later. Returns true
	 * if the picture's camera changed.
	 */
	follow(world: string, camera: FrameCamera): boolean {
		const revision = this.#revisions.get(world);
		if (revision === camera.revision) {
			if (!camera.moving || this.#isMovedByHand || camera === this.#camera || this.#beforeFollowing !== null)
				return false;
			this.#previous = this.#camera;
			this.#camera = camera;
			return true;
		}
		const isTaken = revision !== undefined || this.#revisions.size === 0;
		this.#revisions.set(world, camera.revision);
		this.#previous = null;
		if (isTaken && this.#beforeFollowing !== null) {
			this.#beforeFollowing = camera;
			return false;
		}
		if (isTaken) this.#camera = camera;
		this.#isMovedByHand = !isTaken;
		return isTaken;
	}

	/** Returns the camera interpolated from its previous pose (`blend` 0) to its current pose (1). */
	interpolate(blend: number): FrameCamera {
		const [previous, current] = [this.#previous, this.#camera];
		if (previous === null || blend >= 1) return current;
		const blendPoint = (point: 'eye' | 'target'): Vec3 => {
			const offset = subtract(current[point], previous[point]);
			return [0, 1, 2].map((axis) => previous[point][axis]! + offset[axis]! * blend) as Vec3;
		};
		return { ...current, eye: blendPoint('eye'), target: blendPoint('target') };
	}

	/** Moves the camera by hand. `height`: height of the picture in CSS pixels. */
	move(move: CameraMove, height: number): void {
		if (move.kind === 'turn') this.#turn(move.dx, move.dy);
		else if (move.kind === 'pan') this.#pan(move.dx, move.dy, Math.max(height, 1));
		else this.#zoom(move.factor);
	}

	/**
	 * Looks at a point from the current direction, at a distance where a ball of `radius` metres fills a third
	 * of the picture.
	 */
	focus(point: Vec3, radius: number): void {
		const camera = this.#camera;
		const offset = subtract(camera.eye, camera.target);
		const length = Math.hypot(...offset) || 1;
		const distance = clamp(
			(Math.max(radius, 0.25) * 3) / Math.tan(camera.fov_y / 2),
			MIN_DISTANCE,
			MAX_DISTANCE,
		);
		const scale = distance / length;
		this.#set({
			eye: [point[0] + offset[0] * scale, point[1] + offset[1] * scale, point[2] + offset[2] * scale],
			target: point,
			ortho_size: Math.max(radius, 0.25) * 3,
		});
	}

	/** Multiplies the distance of the eye from its target by a factor. */
	stepBack(factor: number): void {
		const { eye, target } = this.#camera;
		const [x, y, z] = subtract(eye, target);
		this.#camera = {
			...this.#camera,
			eye: [target[0] + x * factor, target[1] + y * factor, target[2] + z * factor],
		};
	}

	/**
	 * Follows an entity at a point. At first the camera is in the south, so that -z is up in the picture.
	 */
	followEntity(point: Vec3): void {
		if (this.#beforeFollowing === null) {
			this.#beforeFollowing = this.#camera;
			const offset = [0, Math.sin(FOLLOW_ANGLE) * FOLLOW_DISTANCE, Math.cos(FOLLOW_ANGLE) * FOLLOW_DISTANCE];
			this.#set({
				eye: add(point, offset as Vec3),
				target: point,
				up: [0, 1, 0],
				fov_y: DEFAULT_CAMERA.fov_y,
				orthographic: false,
			});
			return;
		}
		const { eye, target } = this.#camera;
		this.#set({ eye: add(point, subtract(eye, target)), target: point });
	}

	/** Returns to the camera before it followed an entity. */
	stopFollowing(): void {
		if (this.#beforeFollowing === null) return;
		this.#previous = null;
		this.#camera = this.#beforeFollowing;
		this.#beforeFollowing = null;
	}

	#turn(dx: number, dy: number): void {
		const { eye, target, up } = this.#camera;
		const offset = subtract(eye, target);
		const distance = Math.hypot(...offset) || 1;
		const horizontal = Math.hypot(offset[0], offset[2]);
		// In a vertical view, the picture's upward direction determines the azimuth.
		const azimuth =
			horizontal > distance * 1e-4
				? Math.atan2(offset[0], offset[2])
				: Math.atan2(-up[0] * offset[1], -up[2] * offset[1]);
		const polar = Math.acos(clamp(offset[1] / distance, -1, 1));
		const newAzimuth = azimuth - dx * RADIANS_PER_PIXEL;
		const newPolar = clamp(polar - dy * RADIANS_PER_PIXEL, MIN_POLE_ANGLE, Math.PI - MIN_POLE_ANGLE);
		this.#set({
			eye: [
				target[0] + distance * Math.sin(newPolar) * Math.sin(newAzimuth),
				target[1] + distance * Math.cos(newPolar),
				target[2] + distance * Math.sin(newPolar) * Math.cos(newAzimuth),
			],
			up: [0, 1, 0],
		});
	}

	#pan(dx: number, dy: number, height: number): void {
		const { eye, target, up, fov_y, orthographic, ortho_size } = this.#camera;
		const forward = normalise(subtract(target, eye));
		const right = normalise(cross(forward, up));
		const above = cross(right, forward);
		const distance = Math.hypot(...subtract(target, eye));
		const metres = (orthographic ? 2 * ortho_size : 2 * distance * Math.tan(fov_y / 2)) / height;
		const shift: Vec3 = [0, 0, 0];
		for (let axis = 0; axis < 3; axis++) {
			shift[axis] = (-dx * right[axis]! + dy * above[axis]!) * metres;
		}
		this.#set({ eye: add(eye, shift), target: add(target, shift) });
	}

	#zoom(factor: number): void {
		const { eye, target, ortho_size } = this.#camera;
		const offset = subtract(eye, target);
		const distance = Math.hypot(...offset) || 1;
		const newDistance = clamp(distance * factor, MIN_DISTANCE, MAX_DISTANCE);
		const scale = newDistance / distance;
		this.#set({
			eye: [target[0] + offset[0] * scale, target[1] + offset[1] * scale, target[2] + offset[2] * scale],
			ortho_size: clamp(ortho_size * factor, 0.1, MAX_DISTANCE),
		});
	}

	#set(change: Partial<FrameCamera>): void {
		this.#isMovedByHand = true;
		this.#previous = null;
		this.#camera = { ...this.#camera, ...change };
	}
}

function clamp(value: number, low: number, high: number): number {
	return Math.min(Math.max(value, low), high);
}

function subtract(a: readonly [number, number, number], b: readonly [number, number, number]): Vec3 {
	return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function add(a: readonly [number, number, number], b: readonly [number, number, number]): Vec3 {
	return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function cross(a: Vec3, b: readonly [number, number, number]): Vec3 {
	return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Returns the direction with length 1; the x axis for a zero vector. */
function normalise(a: Vec3): Vec3 {
	const length = Math.hypot(...a);
	return length > 1e-9 ? [a[0] / length, a[1] / length, a[2] / length] : [1, 0, 0];
}
