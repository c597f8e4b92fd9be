/**
 * A frame's camera as three.js cameras.
 * Owns: the conversion, and the ray under a point of the picture. Never: moves a camera.
 */

import { OrthographicCamera, PerspectiveCamera, Ray, Vector3 } from 'three/webgpu';
import type { FrameCamera } from '../host/frames.ts';

const NEAR = 0.1;
const FAR = 1000;

/** One perspective and one orthographic camera, of which `set` chooses. */
export class Cameras {
	readonly #perspective = new PerspectiveCamera();
	readonly #orthographic = new OrthographicCamera();

	/** The camera that shows what `camera` says in a picture of this aspect (width over height). */
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
		chosen.near = NEAR;
		chosen.far = FAR;
		chosen.updateProjectionMatrix();
		chosen.position.set(...camera.eye);
		chosen.up.set(...camera.up);
		chosen.lookAt(...camera.target);
		chosen.updateMatrixWorld();
		return chosen;
	}

	/** The ray through a point given from -1 to 1, x to the right and y up, in the world. */
	ray(camera: PerspectiveCamera | OrthographicCamera, x: number, y: number): Ray {
		const near = new Vector3(x, y, camera instanceof OrthographicCamera ? -1 : 0.5).unproject(camera);
		if (camera instanceof OrthographicCamera) {
			return new Ray(near, new Vector3(0, 0, -1).transformDirection(camera.matrixWorld));
		}
		const from = new Vector3().setFromMatrixPosition(camera.matrixWorld);
		return new Ray(from, near.sub(from).normalize());
	}
}
