/**
 * The sun, its shadow maps and the light of the sky.
 * Owns: the lights, and the part of the world that the shadow maps cover. Never: reads more of the world than
 * its sky, suns and extent.
 */

import { CSMShadowNode } from 'three/addons/csm/CSMShadowNode.js';
import { float, texture, vec2, vec3 } from 'three/tsl';
import {
	type Camera,
	Color,
	type DepthTexture,
	DirectionalLight,
	Group,
	LightProbe,
	type Node,
	PerspectiveCamera,
} from 'three/webgpu';
import { TICKS_PER_SECOND } from '../../../shared/contract/ticks.ts';
import { DEFAULT_FOG, DEFAULT_SKY } from '../../../shared/documents/sky.ts';
import type { BlockName, FrameBlocks, FrameFog, FrameSky } from '../../frames/frames.ts';
import type { Extent } from '../extent.ts';
import type { GpuResources } from '../gpu-resources.ts';
import type { Vec3 } from '../orbit.ts';
import type { Quality } from '../quality.ts';
import type { Picture, Sync } from '../sync/sync.ts';
import type { Air } from './air.ts';
import { ambience, type Daylight, daylight } from './daylight.ts';

/** Offsets of samples along an axis (texels), with weights whose sum is 1. */
const TENT: readonly (readonly [number, number])[] = [
	[-2, 0.16],
	[-0.67, 0.34],
	[0.67, 0.34],
	[2, 0.16],
];

/** Factor for the light values, because three divides by pi: a white surface must reflect all light. */
const LAMBERT = Math.PI;

/** Arguments that three passes to a shadow filter. */
interface FilterInputs {
	readonly depthTexture: DepthTexture;
	readonly shadowCoord: Node<'vec3'>;
}

/**
 * Returns a filter for the share of sunlight that reaches a point: 16 weighted comparisons on a 4 x 4 grid.
 * All pixels use the same offsets, so the edge is smooth and without grain.
 */
const softFilter =
	(mapSize: number) =>
	({ depthTexture, shadowCoord }: FilterInputs): Node<'float'> => {
		const texel = vec2(1 / mapSize, 1 / mapSize);
		let sum: Node<'float'> = float(0);
		const coordinate = vec3(shadowCoord);
		for (const [x, weightX] of TENT) {
			for (const [y, weightY] of TENT) {
				const position = coordinate.xy.add(texel.mul(vec2(x, y)));
				const isLit = texture(depthTexture, position).compare(coordinate.z) as unknown as Node<'float'>;
				sum = sum.add(isLit.mul(weightX * weightY));
			}
		}
		return sum;
	};

/** Maximum distance that cascades cover (m). */
const MAX_CASCADE_DISTANCE = 600;
/** Maximum distance towards the sun of objects that cast shadows into the picture (m). */
const SHADOW_MARGIN = 200;

/** Cascades of three.js for a fixed camera, with the filter and bias of this file. */
class Cascades extends CSMShadowNode {
	readonly lens: PerspectiveCamera;
	readonly #filter: unknown;
	#distance = MAX_CASCADE_DISTANCE;

	constructor(light: DirectionalLight, lens: PerspectiveCamera, cascades: number, filter: unknown) {
		super(light, { cascades, maxFar: MAX_CASCADE_DISTANCE, lightMargin: SHADOW_MARGIN });
		this.lens = lens;
		this.#filter = filter;
		this.fade = true;
	}

	/** Called by three.js once, with the camera of the first picture. Uses `lens` instead. */
	_init(builder: { readonly renderer: unknown }): void {
		const base = CSMShadowNode.prototype as unknown as { _init(builder: object): void };
		base._init.call(this, { camera: this.lens, renderer: builder.renderer });
		for (const { shadow } of this.lights) Object.assign(shadow!, { filterNode: this.#filter });
		this.fitTo(this.#distance);
	}

	/** Fits the maps to the camera's view up to a distance (m). They are drawn with the next picture. */
	fitTo(distance: number): void {
		this.#distance = distance;
		if (this.camera === null) return;
		this.maxFar = distance;
		this.updateFrustums();
		for (const { shadow } of this.lights) {
			const { camera, mapSize } = shadow!;
			camera.near = 0.1;
			camera.far = SHADOW_MARGIN + distance * 3;
			camera.updateProjectionMatrix();
			shadow!.normalBias = ((camera.right - camera.left) / mapSize.x) * 1.1;
			shadow!.needsUpdate = true;
		}
	}
}

export class Sun implements Sync {
	readonly object = new Group();
	#light: DirectionalLight;
	#cascades: Cascades | null = null;
	#cascadeCount = 1;
	readonly #quality: Quality;
	readonly #ambience = new LightProbe();
	readonly #air: Air;
	#fog: FrameFog = DEFAULT_FOG;
	#sky: FrameSky = DEFAULT_SKY;
	#tick = 0;
	#ago = 0;
	#day: Daylight = daylight(DEFAULT_SKY, null);
	#fitKey = '';

	constructor({ air, quality }: GpuResources) {
		this.#air = air;
		this.#quality = quality;
		this.object.add(this.#ambience);
		this.#light = this.#addLight();
	}

	#addLight(): DirectionalLight {
		const mapSize = this.#quality.sun_shadow_pixels;
		const light = new DirectionalLight(new Color(), LAMBERT);
		light.castShadow = true;
		light.shadow.mapSize.set(mapSize, mapSize);
		light.shadow.autoUpdate = false;
		light.shadow.needsUpdate = true;
		light.shadow.bias = -0.0006;
		Object.assign(light.shadow, { filterNode: softFilter(mapSize) });
		this.object.add(light, light.target);
		return light;
	}

	/** Takes a frame, and computes the light if sky or lights changed. */
	setFrame({ sky, fog, lights, tick, post }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		this.#cascadeCount = post.enabled ? Math.min(post.shadow_cascades, this.#quality.shadow_cascades) : 1;
		this.#fog = fog;
		this.#sky = sky;
		this.#tick = tick;
		if (!changed.has('sky') && !changed.has('lights')) return;
		this.#day = daylight(sky, lights.find(({ kind }) => kind === 'sun') ?? null);
		this.#setLight();
		for (const [i, color] of ambience(this.#day).entries()) this.#ambience.sh.coefficients[i]!.set(...color);
	}

	#setLight(): void {
		this.#light.color.setRGB(...this.#day.sun);
		this.#light.castShadow = this.#day.shadows;
	}

	/** Marks the shadow for redrawing, because entities may have moved. */
	setPoses(_before: unknown, _next: unknown, _alpha: number, ago = 0): void {
		this.#ago = ago;
		this.#light.shadow.needsUpdate = true;
	}

	prepare({ camera, lens, channel, extent }: Picture): void {
		this.object.visible = channel === 'color';
		this.#air.set(this.#day, this.#fog, this.#sky, (this.#tick - this.#ago) / TICKS_PER_SECOND);
		this.#updateCascades(lens);
		const [dx, dy, dz] = [0, 1, 2].map((axis) => camera.eye[axis]! - camera.target[axis]!);
		const distance = Math.hypot(dx!, dy!, dz!);
		this.#fitShadowMap(extent, camera.target, camera.orthographic ? camera.ortho_size * 2 : distance);
		if (this.#cascades === null) return;
		const [x, , z] = extent.centre;
		const gap = Math.hypot(camera.eye[0] - x, camera.eye[2] - z) + extent.reach;
		this.#cascades.fitTo(Math.min(2 ** Math.ceil(Math.log2(Math.max(gap, 16))), MAX_CASCADE_DISTANCE));
	}

	/**
	 * Gives the sun its number of shadow maps. A change of the number replaces the light, and materials compile
	 * again.
	 */
	#updateCascades(lens: Camera): void {
		const count = lens instanceof PerspectiveCamera ? this.#cascadeCount : 1;
		if (count === (this.#cascades?.cascades ?? 1) && (count === 1 || this.#cascades?.lens === lens)) return;
		this.#disposeLight();
		this.#light = this.#addLight();
		this.#setLight();
		this.#fitKey = '';
		if (count === 1) return;
		const { shadow } = this.#light;
		this.#cascades = new Cascades(
			this.#light,
			lens as PerspectiveCamera,
			count,
			softFilter(shadow.mapSize.x),
		);
		Object.assign(shadow, { shadowNode: this.#cascades });
	}

	#disposeLight(): void {
		this.#cascades?.dispose();
		this.#cascades = null;
		this.object.remove(this.#light, this.#light.target);
		this.#light.dispose();
	}

	/**
	 * Fits the shadow map to the view: to the whole extent if it is small, otherwise to a square around
	 * `target`. The square grows in steps with the camera's `distance` (m), so that it seldom changes.
	 */
	#fitShadowMap(extent: Extent, target: readonly [number, number, number], distance: number): void {
		const wholeExtent = extent.reach + 2;
		const viewSize = 2 ** Math.ceil(Math.log2(Math.max(distance, 4) * 1.6));
		const half = Math.min(wholeExtent, viewSize);
		const step = half / 8;
		const centre =
			half === wholeExtent
				? extent.centre
				: ([0, 1, 2].map((axis) => Math.round(target[axis]! / step) * step) as Vec3);
		const { direction } = this.#day;
		const key = `${half} ${centre.join(' ')} ${extent.top} ${direction.join(' ')}`;
		if (key === this.#fitKey) return;
		this.#fitKey = key;
		const { shadow, position, target: aimPoint } = this.#light;
		const setback = half * 1.5 + extent.top + 10;
		aimPoint.position.set(...centre);
		position
			.set(...direction)
			.multiplyScalar(setback)
			.add(aimPoint.position);
		const camera = shadow.camera;
		camera.left = camera.bottom = -half;
		camera.right = camera.top = half;
		camera.near = 0.1;
		camera.far = setback * 2 + half;
		camera.updateProjectionMatrix();
		shadow.normalBias = (half / shadow.mapSize.x) * 2.2;
		shadow.needsUpdate = true;
	}

	dispose(): void {
		this.#disposeLight();
	}
}
