/**
 * The sun, its shadow map and the light of the sky.
 * Owns: the lights, and which part of the world the shadow map covers. Never: takes anything from the world but its extent.
 */

import { float, texture, vec2, vec3 } from 'three/tsl';
import {
	Color,
	type DepthTexture,
	DirectionalLight,
	Group,
	HemisphereLight,
	type Node,
	Vector3,
} from 'three/webgpu';
import type { Extent } from '../extent.ts';
import type { Vec3 } from '../orbit.ts';
import type { Picture, Sync } from '../sync/sync.ts';

/** Towards the sun: from the left, 41 degrees high. */
const ALTITUDE = (41 * Math.PI) / 180;
export const TOWARDS_SUN = new Vector3(
	-0.88 * Math.cos(ALTITUDE),
	Math.sin(ALTITUDE),
	0.475 * Math.cos(ALTITUDE),
).normalize();

/** Offsets in texels, and weights that sum to 1. */
const TENT: readonly (readonly [number, number])[] = [
	[-2, 0.16],
	[-0.67, 0.34],
	[0.67, 0.34],
	[2, 0.16],
];

/** The light values are meant for surfaces that send back light times colour; three divides by pi. */
const LAMBERT = Math.PI;

/** What three hands to a shadow filter. */
interface FilterInputs {
	readonly depthTexture: DepthTexture;
	readonly shadowCoord: Node<'vec3'>;
}

/**
 * How much of the sun reaches a place: 16 comparisons on a 4 x 4 grid a texel and a half apart, weighted like a tent.
 * Neighbouring pixels take the same places, so the edge is smooth and without grain.
 */
const softened =
	(mapSize: number) =>
	({ depthTexture, shadowCoord }: FilterInputs): Node<'float'> => {
		const texel = vec2(1 / mapSize, 1 / mapSize);
		let sum: Node<'float'> = float(0);
		const coordinate = vec3(shadowCoord);
		for (const [x, weightX] of TENT) {
			for (const [y, weightY] of TENT) {
				const place = coordinate.xy.add(texel.mul(vec2(x, y)));
				const lit = texture(depthTexture, place).compare(coordinate.z) as unknown as Node<'float'>;
				sum = sum.add(lit.mul(weightX * weightY));
			}
		}
		return sum;
	};

export class Sun implements Sync {
	readonly object = new Group();
	readonly #light: DirectionalLight;
	#covered = '';

	constructor(mapSize: number) {
		const light = new DirectionalLight(new Color(2.25, 1.86, 1.36), LAMBERT);
		light.castShadow = true;
		light.shadow.mapSize.set(mapSize, mapSize);
		light.shadow.autoUpdate = false;
		light.shadow.needsUpdate = true;
		light.shadow.bias = -0.0006;
		Object.assign(light.shadow, { filterNode: softened(mapSize) });
		const sky = new HemisphereLight(new Color(0.62, 0.67, 0.78), new Color(0.5, 0.46, 0.35), LAMBERT);
		this.object.add(light, light.target, sky);
		this.#light = light;
	}

	setFrame(): void {}

	/** What moves has its shadow drawn again. */
	setPoses(): void {
		this.#light.shadow.needsUpdate = true;
	}

	prepare({ camera, channel, extent }: Picture): void {
		this.object.visible = channel === 'color';
		const [dx, dy, dz] = [0, 1, 2].map((axis) => camera.eye[axis]! - camera.target[axis]!);
		const distance = Math.hypot(dx!, dy!, dz!);
		this.#cover(extent, camera.target, camera.orthographic ? camera.ortho_size * 2 : distance);
	}

	/**
	 * Lays the shadow map over what is seen: the whole extent when it is small, else a square round `target`
	 * that grows with the camera's `distance` (metres) in steps, so that it moves seldom.
	 */
	#cover(extent: Extent, target: readonly [number, number, number], distance: number): void {
		const whole = extent.reach + 2;
		const seen = 2 ** Math.ceil(Math.log2(Math.max(distance, 4) * 1.6));
		const half = Math.min(whole, seen);
		const step = half / 8;
		const centre =
			half === whole
				? extent.centre
				: ([0, 1, 2].map((axis) => Math.round(target[axis]! / step) * step) as Vec3);
		const key = `${half} ${centre.join(' ')} ${extent.top}`;
		if (key === this.#covered) return;
		this.#covered = key;
		const { shadow, position, target: aim } = this.#light;
		const back = half * 1.5 + extent.top + 10;
		aim.position.set(...centre);
		position.copy(TOWARDS_SUN).multiplyScalar(back).add(aim.position);
		const camera = shadow.camera;
		camera.left = camera.bottom = -half;
		camera.right = camera.top = half;
		camera.near = 0.1;
		camera.far = back * 2 + half;
		camera.updateProjectionMatrix();
		shadow.normalBias = (half / shadow.mapSize.x) * 2.2;
		shadow.needsUpdate = true;
	}

	dispose(): void {
		this.#light.dispose();
	}
}
