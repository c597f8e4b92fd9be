/**
 * View of a camera, in CSS pixels.
 * Owns: the conversion of positions in the world to points of the picture and back. Never: moves a camera.
 */

import { OrthographicCamera, type PerspectiveCamera, type Ray, Vector3 } from 'three/webgpu';
import type { Cameras } from '../cameras.ts';
import type { Point } from './tool.ts';

export class Sight {
	readonly width: number;
	readonly height: number;
	readonly #lens: PerspectiveCamera | OrthographicCamera;
	readonly #cameras: Cameras;

	/** Width and height in CSS pixels. */
	constructor(lens: PerspectiveCamera | OrthographicCamera, cameras: Cameras, width: number, height: number) {
		this.#lens = lens;
		this.#cameras = cameras;
		this.width = width;
		this.height = height;
	}

	/** Returns the point of the picture that shows a position in the world; null behind the eye. */
	pointOf(position: Vector3): Point | null {
		if (this.#depth(position) <= this.#lens.near) return null;
		const { x, y } = position.clone().project(this.#lens);
		return [((x + 1) / 2) * this.width, ((1 - y) / 2) * this.height];
	}

	/** Returns the ray through a point of the picture. */
	rayThrough([x, y]: Point): Ray {
		return this.#cameras.rayThrough(this.#lens, (x / this.width) * 2 - 1, 1 - (y / this.height) * 2);
	}

	/** Returns the size of a CSS pixel at a position (m). */
	metresPerPixel(position: Vector3): number {
		const lens = this.#lens;
		if (lens instanceof OrthographicCamera) return (lens.top - lens.bottom) / lens.zoom / this.height;
		return (
			(2 * Math.max(this.#depth(position), lens.near) * Math.tan((lens.fov * Math.PI) / 360)) / this.height
		);
	}

	/** Returns the direction from the eye to a position. */
	directionTo(position: Vector3): Vector3 {
		if (this.#lens instanceof OrthographicCamera)
			return new Vector3(0, 0, -1).transformDirection(this.#lens.matrixWorld);
		return position.clone().sub(new Vector3().setFromMatrixPosition(this.#lens.matrixWorld)).normalize();
	}

	/** Returns the distance from the eye along the view axis (m). */
	#depth(position: Vector3): number {
		return -position.clone().applyMatrix4(this.#lens.matrixWorldInverse).z;
	}
}
