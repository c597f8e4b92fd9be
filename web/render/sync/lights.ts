/**
 * Point lights and spots.
 * Owns: a pool of three's lights for each kind. Unused lights are dark, so materials compile again only when
 * the pool grows, in powers of two. If the world has too many lights, the brightest at the camera's target
 * are drawn.
 */

import { Group, type Light, PointLight, SpotLight, SRGBColorSpace } from 'three/webgpu';
import type { FrameBlocks, FrameLight } from '../../frames/frames.ts';
import { modelLights } from '../model-lights.ts';
import type { Quality } from '../quality.ts';
import type { Picture, Sync } from './sync.ts';

/** Factor for the light values, because three divides by pi: a white surface must reflect all light. */
const LAMBERT = Math.PI;
/** Minimum size of a pool that is in use. */
const MIN_POOL = 4;
/** Width and height of a shadow map (pixels). */
const SHADOW_PIXELS = 512;
/** Distance beyond which a spot of unlimited range casts no shadows (m). */
const SHADOW_DISTANCE = 60;

export class Lights implements Sync {
	readonly object = new Group();
	readonly #quality: Quality;
	#frameLights: readonly FrameLight[] = [];
	#points: readonly PointLight[] = [];
	#spots: readonly SpotLight[] = [];
	/** Spots with shadows. */
	#casters: readonly SpotLight[] = [];

	constructor(quality: Quality) {
		this.#quality = quality;
	}

	setFrame(frame: FrameBlocks): void {
		this.#frameLights = [...frame.lights, ...modelLights(frame)];
	}

	/** Marks the shadows for redrawing, because entities may have moved. */
	setPoses(): void {
		for (const spot of this.#casters) spot.shadow.needsUpdate = true;
	}

	prepare({ camera, channel }: Picture): void {
		this.object.visible = channel === 'color';
		const localLights = this.#frameLights.filter(({ kind }) => kind !== 'sun');
		const rankedLights = localLights
			.map((light) => ({ light, brightness: brightnessAt(light, camera.target) }))
			.sort((a, b) => b.brightness - a.brightness)
			.map(({ light }) => light);
		const { local_lights, shadow_lights } = this.#quality;
		const points = rankedLights.filter(({ kind }) => kind === 'point').slice(0, local_lights);
		const spots = rankedLights.filter(({ kind }) => kind === 'spot').slice(0, local_lights);
		const castingLights = new Set(spots.filter(({ shadows }) => shadows).slice(0, shadow_lights));
		const plainSpots = spots.filter((spot) => !castingLights.has(spot));
		this.#points = this.#growPool(this.#points, points.length, () => new PointLight());
		this.#spots = this.#growPool(this.#spots, plainSpots.length, () => new SpotLight());
		this.#casters = this.#growPool(this.#casters, castingLights.size, createCaster, 1);
		this.#points.forEach((point, index) => {
			setLight(point, points[index]);
		});
		this.#spots.forEach((spot, index) => {
			setSpot(spot, plainSpots[index]);
		});
		const castingSpots = [...castingLights];
		this.#casters.forEach((spot, index) => {
			setSpot(spot, castingSpots[index]);
		});
	}

	dispose(): void {
		for (const light of [...this.#points, ...this.#spots, ...this.#casters]) light.dispose();
	}

	/**
	 * Returns a pool of at least `count` lights: `pool` itself, or an extended pool whose size is a power of
	 * two.
	 */
	#growPool<L extends Light>(
		pool: readonly L[],
		count: number,
		make: () => L,
		minCount = MIN_POOL,
	): readonly L[] {
		const capacity = count === 0 ? 0 : Math.max(minCount, 2 ** Math.ceil(Math.log2(count)));
		if (capacity <= pool.length) return pool;
		const addedLights = Array.from({ length: capacity - pool.length }, make);
		for (const light of addedLights) {
			this.object.add(light);
			if (light instanceof SpotLight) this.object.add(light.target);
		}
		return [...pool, ...addedLights];
	}
}

/** Returns the approximate brightness of a light at a point. */
function brightnessAt({ position, intensity }: FrameLight, target: readonly number[]): number {
	const squaredDistance = position.reduce((sum, part, axis) => sum + (part - target[axis]!) ** 2, 0);
	return intensity / Math.max(1, squaredDistance);
}

function createCaster(): SpotLight {
	const spot = new SpotLight();
	spot.castShadow = true;
	spot.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
	spot.shadow.bias = -0.002;
	spot.shadow.normalBias = 0.02;
	return spot;
}

function setLight(light: PointLight | SpotLight, frameLight: FrameLight | undefined): void {
	light.intensity = frameLight === undefined ? 0 : frameLight.intensity * LAMBERT;
	if (frameLight === undefined) return;
	light.position.set(...frameLight.position);
	light.color.setRGB(...frameLight.color, SRGBColorSpace);
	light.distance = frameLight.range;
}

function setSpot(spot: SpotLight, frameLight: FrameLight | undefined): void {
	setLight(spot, frameLight);
	if (frameLight === undefined) return;
	spot.angle = ((frameLight.angle / 2) * Math.PI) / 180;
	spot.penumbra = 0.35;
	const [x, y, z] = frameLight.direction;
	const length = Math.hypot(x, y, z);
	spot.target.position.copy(spot.position);
	spot.target.position.x += x / length;
	spot.target.position.y += y / length;
	spot.target.position.z += z / length;
	spot.shadow.camera.far = frameLight.range || SHADOW_DISTANCE;
}
