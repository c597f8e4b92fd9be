/**
 * A frame's camera as three.js cameras.
 * Owns: the conversion, how narrow pictures are framed, and the ray under a point of the picture. Never: moves a camera.
 */

import { OrthographicCamera, PerspectiveCamera, Ray, Vector3 } from 'three/webgpu';
import type { FrameCamera } from '../frames/frames.ts';

/** Width over height of the picture that scenes are framed for. */
const FRAMED = 16 / 9;
/** A picture may see this many times as far up and down as its camera says. */
const MAX_OPEN = 2;

/**
 * Returns the factor by which a picture of this aspect must see further up and down, to see as far to the sides as
 * one of 16:9: 1 or more.
 */
export function opening(aspect: number): number {
	return Math.min(Math.max(FRAMED / aspect, 1), MAX_OPEN);
}

/**
 * Returns the camera of a picture that a person looks at, whatever its shape: what it frames at 16:9 is seen in
 * narrower ones too.
 */
export function framedFor(camera: FrameCamera, aspect: number): FrameCamera {
	const open = opening(aspect);
	if (open === 1) return camera;
	return {
		...camera,
		fov_y: 2 * Math.atan(Math.tan(camera.fov_y / 2) * open),
		ortho_size: camera.ortho_size * open,
	};
}

/** Distance from a camera to the point that it looks at (m). */
export const focusOf = ({ eye, target }: Pick<FrameCamera, 'eye' | 'target'>): number =>
	Math.hypot(eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]);

/** One perspective and one orthographic camera, of which `set` chooses. */
export class Cameras {
	readonly #perspective = new PerspectiveCamera();
	readonly #orthographic = new OrthographicCamera();

	/** Returns the camera that shows what `camera` says in a picture of this aspect (width over height). */
	set(camera: FrameCamera, aspect: number): PerspectiveCamera | OrthographicCamera {
		const chosen = camera.orthographic ? this.#orthographic : this.#perspective;
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
		chosen.near = camera.near;
		chosen.far = camera.far;
		chosen.updateProjectionMatrix();
		chosen.position.set(...camera.eye);
		chosen.up.set(...camera.up);
		chosen.lookAt(...camera.target);
		const [right, up] = camera.shaken;
		if (right !== 0 || up !== 0) chosen.translateX(right).translateY(up);
		chosen.updateMatrixWorld();
		return chosen;
	}

	/** Returns the ray through a point given from -1 to 1, x to the right and y up, in the world. */
	ray(camera: PerspectiveCamera | OrthographicCamera, x: number, y: number): Ray {
		const near = new Vector3(x, y, camera instanceof OrthographicCamera ? -1 : 0.5).unproject(camera);
		if (camera instanceof OrthographicCamera) {
			return new Ray(near, new Vector3(0, 0, -1).transformDirection(camera.matrixWorld));
		}
		const from = new Vector3().setFromMatrixPosition(camera.matrixWorld);
		return new Ray(from, near.sub(from).normalize());
	}
}
