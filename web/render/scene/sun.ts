/**
 * The sun, its shadow map and the light of the sky.
 * Owns: the lights, and which part of the world the shadow map covers. Never: takes anything from the world but its sky, its suns and its extent.
 */

import { float, texture, vec2, vec3 } from 'three/tsl';
import { Color, type DepthTexture, DirectionalLight, Group, HemisphereLight, type Node } from 'three/webgpu';
import { USUAL_FOG, USUAL_SKY } from '../../../shared/documents/sky.ts';
import type { BlockName, FrameBlocks, FrameFog } from '../../frames/frames.ts';
import type { Extent } from '../extent.ts';
import type { GpuResources } from '../gpu-resources.ts';
import type { Vec3 } from '../orbit.ts';
import type { Picture, Sync } from '../sync/sync.ts';
import type { Air } from './air.ts';
import { type Daylight, daylight } from './daylight.ts';

/** Offsets in texels, and weights that sum to 1. */
const TENT: readonly (readonly [number, number])[] = [
	[-2, 0.16],
	[-0.67, 0.34],
	[0.67, 0.34],
	[2, 0.16],
];

/** The light values are meant for surfaces that send back light times colour; three divides by pi. */
const LAMBERT = Math.PI;

/** Arguments that three passes to a shadow filter. */
interface FilterInputs {
	readonly depthTexture: DepthTexture;
	readonly shadowCoord: Node<'vec3'>;
}

/**
 * Returns the share of the sun that reaches a place: 16 comparisons on a 4 x 4 grid a texel and a half apart,
 * weighted like a tent.
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
	readonly #sky: HemisphereLight;
	readonly #air: Air;
	#fog: FrameFog = USUAL_FOG;
	#day: Daylight = daylight(USUAL_SKY, null);
	#covered = '';

	constructor({ air, quality }: GpuResources) {
		const mapSize = quality.sun_shadow_pixels;
		const light = new DirectionalLight(new Color(), LAMBERT);
		light.castShadow = true;
		light.shadow.mapSize.set(mapSize, mapSize);
		light.shadow.autoUpdate = false;
		light.shadow.needsUpdate = true;
		light.shadow.bias = -0.0006;
		Object.assign(light.shadow, { filterNode: softened(mapSize) });
		const sky = new HemisphereLight(new Color(), new Color(), LAMBERT);
		this.object.add(light, light.target, sky);
		this.#light = light;
		this.#sky = sky;
		this.#air = air;
	}

	/** Works out the light, where what it comes from is another. */
	setFrame({ sky, fog, lights }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		this.#fog = fog;
		if (!changed.has('sky') && !changed.has('lights')) return;
		this.#day = daylight(sky, lights.find(({ kind }) => kind === 'sun') ?? null);
		this.#light.color.setRGB(...this.#day.sun);
		this.#light.castShadow = this.#day.shadows;
		this.#sky.color.setRGB(...this.#day.above);
		this.#sky.groundColor.setRGB(...this.#day.below);
	}

	/** Marks its shadow for redrawing, since something moved. */
	setPoses(): void {
		this.#light.shadow.needsUpdate = true;
	}

	prepare({ camera, channel, extent }: Picture): void {
		this.object.visible = channel === 'color';
		this.#air.set(this.#day, this.#fog);
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
		const { towards } = this.#day;
		const key = `${half} ${centre.join(' ')} ${extent.top} ${towards.join(' ')}`;
		if (key === this.#covered) return;
		this.#covered = key;
		const { shadow, position, target: aim } = this.#light;
		const back = half * 1.5 + extent.top + 10;
		aim.position.set(...centre);
		position
			.set(...towards)
			.multiplyScalar(back)
			.add(aim.position);
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
