/**
 * A frame's camera as three.js cameras.
 * Owns: the conversion, the framing of narrow pictures, and the ray through a point of the picture. Never:
 * moves a camera.
 */

import { OrthographicCamera, PerspectiveCamera, Ray, Vector3 } from 'three/webgpu';
import type { FrameCamera } from '../frames/frames.ts';

/** Aspect ratio (width over height) for which scenes are framed. */
const FRAMED_ASPECT = 16 / 9;
/** Maximum factor by which a narrow picture enlarges its vertical view. */
const MAX_OPENING = 2;

/**
 * Returns the factor of at least 1 by which a picture of an aspect ratio enlarges its vertical view, to be as
 * wide as one of 16:9.
 */
export function openingOf(aspect: number): number {
	return Math.min(Math.max(FRAMED_ASPECT / aspect, 1), MAX_OPENING);
}

/**
 * Returns the camera of a live picture of an aspect ratio. A narrow picture shows at least the width of a
 * 16:9 picture.
 */
export function widenCamera(camera: FrameCamera, aspect: number): FrameCamera {
	const factor = openingOf(aspect);
	if (factor === 1) return camera;
	return {
		...camera,
		fov_y: 2 * Math.atan(Math.tan(camera.fov_y / 2) * factor),
		ortho_size: camera.ortho_size * factor,
	};
}

/** Returns the distance from a camera to its target (m). */
export const focusDistance = ({ eye, target }: Pick<FrameCamera, 'eye' | 'target'>): number =>
	Math.hypot(eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]);

/** A perspective and an orthographic camera, between which `set` chooses. */
export class Cameras {
	readonly #perspective = new PerspectiveCamera();
	readonly #orthographic = new OrthographicCamera();

	/** Sets one of the two to a frame's camera and an aspect ratio (width over height), and returns it. */
	set(camera: FrameCamera, aspect: number): PerspectiveCamera | OrthographicCamera {
		const lens = camera.orthographic ? this.#orthographic : this.#perspective;
		if (camera.orthographic) {
			const half = Math.max(camera.ortho_size, 0.01);
			this.#orthographic.top = half;
			this.#orthographic.bottom = -half;
			this.#orthographic.right = half * aspect;
			this.#orthographic.left = -half * aspect;
		} else {
			this.#perspective.fov = (camera.fov_y * 180) / Math.PI;
			this.#perspective.aspect = aspect;
		}
		lens.near = camera.near;
		lens.far = camera.far;
		lens.updateProjectionMatrix();
		lens.position.set(...camera.eye);
		lens.up.set(...camera.up);
		lens.lookAt(...camera.target);
		const [right, up] = camera.shaken;
		if (right !== 0 || up !== 0) lens.translateX(right).translateY(up);
		lens.updateMatrixWorld();
		return lens;
	}

	/** Returns the ray in the world through a point of the picture. `x` (right) and `y` (up) are from -1 to 1. */
	rayThrough(camera: PerspectiveCamera | OrthographicCamera, x: number, y: number): Ray {
		const nearPoint = new Vector3(x, y, camera instanceof OrthographicCamera ? -1 : 0.5).unproject(camera);
		if (camera instanceof OrthographicCamera) {
			return new Ray(nearPoint, new Vector3(0, 0, -1).transformDirection(camera.matrixWorld));
		}
		const eye = new Vector3().setFromMatrixPosition(camera.matrixWorld);
		return new Ray(eye, nearPoint.sub(eye).normalize());
	}
}
