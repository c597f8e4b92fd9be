/**
 * Backdrop as an object of the scene: one triangle over the whole picture, behind everything.
 * Owns: the triangle and its material. It is drawn after all opaque objects, so hidden parts of the sky cost
 * nothing.
 */

import {
	cameraProjectionMatrixInverse,
	cameraWorldMatrix,
	Fn,
	float,
	max,
	normalize,
	positionGeometry,
	select,
	sqrt,
	uniform,
	varying,
	vec3,
	vec4,
} from 'three/tsl';
import {
	BufferAttribute,
	BufferGeometry,
	Mesh,
	type Node,
	NodeMaterial,
	OrthographicCamera,
	type PerspectiveCamera,
} from 'three/webgpu';
import type { GpuResources } from '../gpu-resources.ts';
import type { Picture, Sync } from '../sync/sync.ts';
import type { Air } from './air.ts';

/** Order after all opaque objects, before transparent objects and signs. */
const RENDER_ORDER = 5;
/** Height of the ball whose inside is the sky of a parallel projection, in heights of the picture. */
const BALL_HEIGHT = 3;

/** Materials of the backdrop, one for each set of parts, and their camera uniforms. */
export class BackdropMaterials {
	readonly isParallel = uniform(0);
	/** Width over height. */
	readonly aspect = uniform(1);
	readonly #air: Air;
	readonly #cache = new Map<string, NodeMaterial>();

	constructor(air: Air) {
		this.#air = air;
	}

	/** Returns the material for the next picture. */
	currentMaterial(): NodeMaterial {
		const parts = this.#air.behindAll;
		const key = JSON.stringify(parts);
		let material = this.#cache.get(key);
		if (material === undefined) {
			material = new NodeMaterial();
			material.vertexNode = vec4(positionGeometry.xy, 1, 1);
			material.fragmentNode = this.#air.backdrop(this.#direction(), parts);
			material.depthWrite = false;
			material.lights = false;
			material.fog = false;
			material.name = 'backdrop';
			this.#cache.set(key, material);
		}
		return material;
	}

	dispose(): void {
		for (const material of this.#cache.values()) material.dispose();
		this.#cache.clear();
	}

	/** Returns the world direction of a point of the picture. */
	#direction(): Node<'vec3'> {
		const position = varying(positionGeometry);
		return Fn(() => {
			const clip = cameraProjectionMatrixInverse.mul(vec4(position.x, position.y, 0.5, 1)).toVar();
			const x = position.x.mul(this.aspect).div(BALL_HEIGHT);
			const y = position.y.div(BALL_HEIGHT);
			const depth = sqrt(max(float(1).sub(x.mul(x)).sub(y.mul(y)), 0.01));
			const view = select(this.isParallel.greaterThan(0.5), vec3(x, y, depth.negate()), clip.xyz.div(clip.w));
			return normalize(cameraWorldMatrix.mul(vec4(view, 0)).xyz);
		})();
	}
}

export class Backdrop implements Sync {
	readonly object: Mesh<BufferGeometry, NodeMaterial>;
	readonly #air: Air;
	readonly #materials: BackdropMaterials;

	constructor({ air, backdrop }: GpuResources) {
		const shape = new BufferGeometry();
		shape.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
		this.object = new Mesh(shape, backdrop.currentMaterial());
		this.object.frustumCulled = false;
		this.object.renderOrder = RENDER_ORDER;
		this.#air = air;
		this.#materials = backdrop;
	}

	setFrame(): void {}

	prepare({ channel, lens, width, height }: Picture): void {
		this.object.visible = channel === 'color';
		if (channel === 'color') this.object.material = this.#materials.currentMaterial();
		const isParallel = lens instanceof OrthographicCamera;
		this.#materials.isParallel.value = isParallel ? 1 : 0;
		this.#materials.aspect.value = width / height;
		const viewHeight = isParallel
			? 2 / BALL_HEIGHT
			: 2 * Math.tan(((lens as PerspectiveCamera).fov * Math.PI) / 360);
		this.#air.pixel = viewHeight / height;
	}

	dispose(): void {
		this.object.geometry.dispose();
	}
}
