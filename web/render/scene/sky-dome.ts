/**
 * Visible sky: gradient, sun, moon, stars and clouds, for every direction.
 * Owns: the uniforms of one renderer's sky; each picture sets them. Never: has a state of its own. The same
 * settings and tick give the same sky.
 *
 * Lower clouds are noise at the point where a ray from the eye meets a shell around the earth. A second
 * sample towards the sun gives the shade inside. Noise is read at a level that fits the distance, so nothing
 * flickers.
 */

import {
	abs,
	cameraPosition,
	clamp,
	cross,
	dot,
	exp,
	exp2,
	Fn,
	float,
	floor,
	fract,
	hash,
	length,
	log2,
	max,
	min,
	mix,
	normalize,
	pow,
	select,
	smoothstep,
	sqrt,
	texture,
	uint,
	uniform,
	vec2,
	vec3,
} from 'three/tsl';
import { LinearMipmapNearestFilter, type Node, Vector2, Vector3, Vector4 } from 'three/webgpu';
import { SUN_LEAN as LEAN } from '../../../shared/documents/sky.ts';
import type { FrameSky } from '../../frames/frames.ts';
import { CloudNoise, NOISE_SIZE } from './cloud-noise.ts';
import { GROUND_FALL, type SkyColors } from './daylight.ts';

/** Cosines of the edge of the sun's disc, from outside to inside: a radius of about 1.2 degrees. */
const SUN_EDGE = [0.99974, 0.99982] as const;
/** Radius of the moon's disc (rad). */
const MOON_RADIUS = 0.027;
/** Length after which the noise of the lower clouds repeats, for clouds at a height of 900 m (m). */
const CLOUD_SPAN = 9000;
/** Span of the upper clouds, as a multiple of `CLOUD_SPAN`. */
const UPPER_SPAN = 1.8;
/**
 * Repeats of the noise after which the wind's offset restarts. All scales have two decimals, so no cloud
 * jumps.
 */
const WRAP = 100;
/** Radius of the shell that bends clouds down to the horizon (m). */
const EARTH_RADIUS = 400_000;
/** Cells of stars along the edge of each face of a cube: few bright stars, many faint ones. */
const STAR_FIELDS = [
	{ cells: 26, salt: 11, light: 3.4 },
	{ cells: 74, salt: 47, light: 1.1 },
] as const;

/** Angle of a pixel up to which stars have their full brightness (rad). */
const STAR_PIXEL = 0.0022;

/** Parts of a sky. The shader omits absent parts, because software rendering runs every branch. */
export interface SkyParts {
	readonly sun: boolean;
	readonly stars: boolean;
	readonly moon: boolean;
	readonly clouds: boolean;
}

export class SkyDome {
	readonly #noise = new CloudNoise();
	#isDetailed = true;
	readonly #zenith = uniform(new Vector3());
	readonly #horizon = uniform(new Vector3());
	readonly #opposite = uniform(new Vector3());
	readonly #ground = uniform(new Vector3());
	readonly #rise = uniform(2.4);
	readonly #glow = uniform(new Vector3());
	readonly #moonGlow = uniform(new Vector3());
	readonly #lightDirection = uniform(new Vector3(0, 1, 0));
	readonly #sunward = uniform(new Vector3(0, 1, 0));
	/** The horizontal part of `sunward`, of length 1 unless the sun is overhead. */
	readonly #sunAzimuth = uniform(new Vector2());
	readonly #moonward = uniform(new Vector3(0, -1, 0));
	readonly #sunDisc = uniform(new Vector3());
	readonly #moonDisc = uniform(new Vector3());
	/** Direction of the light on the moon's face: to the right, and towards the camera. */
	readonly #phase = uniform(new Vector2(0, 1));
	readonly #stars = uniform(0);
	readonly #cloudSun = uniform(new Vector3());
	readonly #cloudShade = uniform(new Vector3());
	/** Cover, height (m), and the position in the noise above the origin. */
	readonly #clouds = uniform(new Vector4(0, 900, 0, 0));
	/** Angle of a pixel (rad). */
	readonly #pixel = uniform(0.001);

	/** Omits high clouds and large formations and simplifies the noise, for software rendering. Call it first. */
	simplify(): void {
		this.#isDetailed = false;
		this.#noise.texture.minFilter = LinearMipmapNearestFilter;
	}

	/** Sets the uniforms for the next picture. */
	set(seen: SkyColors, towards: readonly [number, number, number], sky: FrameSky, seconds: number): void {
		this.#noise.fill();
		this.#zenith.value.set(...seen.zenith);
		this.#horizon.value.set(...seen.horizon);
		this.#opposite.value.set(...seen.opposite);
		this.#ground.value.set(...seen.ground);
		this.#rise.value = seen.rise;
		this.#glow.value.set(...seen.glow);
		this.#moonGlow.value.set(...seen.moonGlow);
		this.#lightDirection.value.set(...towards);
		this.#sunward.value.set(...seen.sunward);
		this.#sunAzimuth.value.set(seen.sunward[0], seen.sunward[2]);
		if (this.#sunAzimuth.value.length() > 1e-4) this.#sunAzimuth.value.normalize();
		else this.#sunAzimuth.value.set(0, 0);
		this.#moonward.value.set(...seen.moonward);
		this.#sunDisc.value.set(...seen.sunDisc);
		this.#moonDisc.value.set(...seen.moonDisc);
		const turn = (sky.moon_phase - 0.5) * 2 * Math.PI;
		this.#phase.value.set(Math.sin(turn), Math.cos(turn));
		this.#stars.value = seen.stars;
		this.#cloudSun.value.set(...seen.cloudSun);
		this.#cloudShade.value.set(...seen.cloudShade);
		const { clouds, cloud_height, cloud_seed, wind_speed, wind_direction } = sky;
		const windOffset = (wind_speed * seconds) / (CLOUD_SPAN * (cloud_height / 900));
		const angle = (wind_direction * Math.PI) / 180;
		// Clouds come from upwind, so the noise is read further and further upwind.
		const x = -Math.cos(angle) * windOffset + cloud_seed * 0.61803399;
		const z = -Math.sin(angle) * windOffset + cloud_seed * 0.75487767;
		const wrap = (offset: number): number => offset - Math.floor(offset / WRAP) * WRAP;
		this.#clouds.value.set(clouds, cloud_height, wrap(x), wrap(z));
	}

	/** Parts of the sky in the next picture. */
	get parts(): SkyParts {
		return {
			sun: this.#glow.value.x > 0 || this.#sunDisc.value.x > 0,
			stars: this.#stars.value > 0,
			moon: this.#moonDisc.value.x > 0,
			clouds: this.#clouds.value.x > 0,
		};
	}

	/** Sets the angle of a pixel of the next picture (rad). */
	set pixel(angle: number) {
		this.#pixel.value = angle;
	}

	dispose(): void {
		this.#noise.texture.dispose();
	}

	/** Returns the light of the whole sky from a direction (unit vector). */
	lightFrom(direction: Node<'vec3'>, parts: SkyParts): Node<'vec3'> {
		return Fn(() => {
			const ray = vec3(direction).toVar();
			const light = this.#gradient(ray).toVar();
			const gradient = light.toVar();
			const aboveHorizon = smoothstep(-0.012, 0.012, ray.y).toVar();
			if (parts.sun) light.addAssign(this.#sunshine(ray, aboveHorizon));
			if (parts.stars) light.addAssign(this.#starlight(ray).mul(smoothstep(0.0, 0.3, ray.y)));
			if (parts.moon) {
				const halo = pow(max(dot(ray, this.#moonward), 0), float(90)).mul(0.4);
				light.addAssign(this.#moonGlow.mul(halo).mul(aboveHorizon));
				light.assign(this.#withMoon(light, ray, aboveHorizon));
			}
			if (parts.clouds) {
				const toLight = max(dot(ray, this.#lightDirection), 0).toVar();
				light.assign(this.#withClouds(light, gradient, ray, toLight));
			}
			return light;
		})();
	}

	/** Returns the colours of `radiance`, without the glow. */
	#gradient(way: Node<'vec3'>): Node<'vec3'> {
		const side = max(dot(way.xz, this.#sunAzimuth).mul(0.5).add(0.5), 0).toVar();
		const horizon = mix(this.#opposite, this.#horizon, side.mul(sqrt(side)));
		const riseTo = (up: Node<'float'>): Node<'float'> => float(1).sub(exp(up.mul(this.#rise).negate()));
		const height = riseTo(max(way.y, 0)).div(riseTo(float(1)));
		const depth = float(1).sub(exp(max(way.y.negate(), 0).mul(-GROUND_FALL)));
		return mix(mix(horizon, this.#zenith, height), this.#ground, depth);
	}

	/** Returns the light of the sun's disc and of its glow, also in the haze below the horizon. */
	#sunshine(way: Node<'vec3'>, risen: Node<'float'>): Node<'vec3'> {
		const near = max(dot(way, this.#sunward), 1e-6).toVar();
		const cube = near.mul(near).mul(near).toVar();
		const wideGlow = cube
			.mul(cube)
			.mul(0.35)
			.mul(exp(min(way.y, 0).mul(GROUND_FALL)));
		const power = log2(near).toVar();
		const narrowGlow = exp2(power.mul(64))
			.mul(0.6)
			.add(exp2(power.mul(700)).mul(1.3));
		const disc = smoothstep(SUN_EDGE[0], SUN_EDGE[1], near);
		return this.#glow.mul(wideGlow.add(narrowGlow.mul(risen))).add(this.#sunDisc.mul(disc.mul(risen)));
	}

	/** Returns the light of the stars and the Milky Way, which turn with the sun. */
	#starlight(way: Node<'vec3'>): Node<'vec3'> {
		// The sun moves around this axis; see `sunAt`.
		const pole = vec3(0, -Math.sin(LEAN), Math.cos(LEAN));
		const across = cross(pole, this.#sunward);
		const position = vec3(dot(way, this.#sunward), dot(way, across), dot(way, pole)).toVar();
		const size = abs(position).toVar();
		const largest = max(size.x, max(size.y, size.z)).toVar();
		const [onX, onY] = [largest.equal(size.x), largest.equal(size.y)];
		const onFace = select(onX, position.yz, select(onY, position.xz, position.xy))
			.div(largest)
			.toVar();
		const axis = select(onX, float(0), select(onY, float(2), float(4)));
		const major = select(onX, position.x, select(onY, position.y, position.z));
		const face = axis.add(select(major.greaterThan(0), float(1), float(0))).toVar();
		const light = vec3(0).toVar();
		for (const { cells, salt, light: strength } of STAR_FIELDS) {
			const grid = onFace.mul(0.5).add(0.5).mul(cells).toVar();
			const cell = floor(grid);
			const seed = uint(
				cell.x
					.add(cell.y.mul(128))
					.add(face.mul(16_384))
					.add(salt * 131_072),
			).toVar();
			const chance = hash(seed.mul(uint(4))).toVar();
			const starOffset = vec2(hash(seed.mul(uint(4)).add(uint(1))), hash(seed.mul(uint(4)).add(uint(2))));
			const starDistance = length(fract(grid).sub(starOffset.mul(0.6).add(0.2)))
				.mul(2 / cells)
				.mul(largest);
			const radius = max(this.#pixel.mul(0.75), float(0.0009));
			const falloff = max(float(1).sub(starDistance.div(radius)), 0);
			const brightness = pow(chance, float(14)).mul(strength).mul(falloff).mul(falloff.add(0.35));
			const hue = hash(seed.mul(uint(4)).add(uint(3)));
			light.addAssign(mix(vec3(0.72, 0.83, 1), vec3(1, 0.86, 0.68), hue.mul(hue)).mul(brightness));
		}
		const distance = position.y.add(position.z.mul(0.55)).mul(2.6).toVar();
		const band = exp(distance.mul(distance).negate());
		const dust = this.#readNoise(position.xz.mul(0.55).add(position.y.mul(0.21)), float(0)).w;
		const milk = band.mul(smoothstep(0.3, 0.85, dust)).mul(0.075);
		// Stars are larger in small pictures, so they must be darker there.
		const pixelFactor = sqrt(min(float(STAR_PIXEL).div(this.#pixel), 1));
		return light
			.mul(pixelFactor)
			.add(vec3(0.66, 0.74, 1).mul(milk))
			.mul(this.#stars);
	}

	/** Returns the light with the moon in front. Its dark side hides the stars. */
	#withMoon(behind: Node<'vec3'>, way: Node<'vec3'>, risen: Node<'float'>): Node<'vec3'> {
		const right = normalize(cross(vec3(0, 1, 0.001), this.#moonward));
		const up = cross(this.#moonward, right);
		const position = vec2(dot(way, right), dot(way, up)).div(MOON_RADIUS).toVar();
		const distance = length(position).toVar();
		const isInFront = dot(way, this.#moonward).greaterThan(0);
		const edge = this.#pixel.div(MOON_RADIUS).mul(0.7).add(0.02);
		const coverage = float(1)
			.sub(smoothstep(float(1).sub(edge), float(1), distance))
			.mul(select(isInFront, float(1), float(0)));
		const towardsUs = sqrt(max(float(1).sub(distance.mul(distance)), 0));
		const litShare = smoothstep(-0.03, 0.22, position.x.mul(this.#phase.x).add(towardsUs.mul(this.#phase.y)));
		const seas = smoothstep(0.32, 0.7, this.#readNoise(position.mul(0.11).add(0.37), float(1)).w);
		const face = this.#moonDisc.mul(mix(float(0.5), float(1), seas)).mul(litShare.mul(1.25).add(0.012));
		return mix(behind, face, coverage.mul(risen));
	}

	/** Returns the light with two layers of clouds in front. */
	#withClouds(
		behind: Node<'vec3'>,
		horizon: Node<'vec3'>,
		way: Node<'vec3'>,
		near: Node<'float'>,
	): Node<'vec3'> {
		const { x: cover, y: height } = this.#clouds;
		const light = vec3(behind).toVar();
		const size = height.div(900);
		// Distance to a shell around the earth.
		const rise = max(height.sub(cameraPosition.y), height.mul(0.25)).toVar();
		const slope = sqrt(way.y.mul(way.y).add(rise.mul(2 / EARTH_RADIUS)));
		const distanceToShell = rise.mul(2).div(max(way.y, 0).add(slope)).toVar();
		const texel = size.mul(CLOUD_SPAN / NOISE_SIZE);
		const level = max(
			log2(
				distanceToShell
					.mul(this.#pixel)
					.div(sqrt(max(way.y, 0.01)))
					.div(texel),
			),
			0,
		).toVar();
		const overhead = this.#clouds.zw;
		const position = cameraPosition.xz
			.add(way.xz.mul(distanceToShell))
			.div(size.mul(CLOUD_SPAN))
			.add(overhead)
			.toVar();

		if (this.#isDetailed) {
			// High, thin streaks, offset from the lower clouds.
			const streaks = this.#readNoise(
				position.sub(overhead).div(UPPER_SPAN).add(overhead).add(vec2(0.31, 0.77)),
				level,
			).z;
			const density = smoothstep(float(1.02).sub(cover.mul(0.75)), float(1.45).sub(cover.mul(0.4)), streaks);
			const veil = density.mul(0.55).mul(smoothstep(0.03, 0.25, way.y));
			const silver = pow(near, float(12)).mul(0.9);
			const thinLight = this.#cloudShade.mul(0.75).add(this.#cloudSun.mul(silver.add(0.42)));
			light.assign(mix(light, thinLight, veil));
		}

		const noise = this.#readNoise(position, level).toVar();
		const formation = this.#isDetailed
			? this.#readNoise(position.mul(0.37).add(vec2(0.13, 0.57)), level.sub(1)).x
			: float(0.5);
		const detail = this.#readNoise(position.mul(3.7), level.add(1.5)).toVar();
		const fine = detail.y.mul(0.7).add(detail.w.mul(0.5)).sub(0.53).toVar();
		const bias = formation
			.sub(0.5)
			.mul(0.45)
			.mul(cover.mul(float(1).sub(cover)).mul(4));
		const thickness = noise.x.sub(float(1).sub(cover)).add(bias).sub(fine.mul(0.42));
		const density = smoothstep(0, 0.4, thickness).toVar();
		// The sun lights the sides that face it. The others are in the cloud's own shade.
		const towardsSun = position.add(
			this.#sunAzimuth.mul(0.03).mul(float(1.2).sub(abs(this.#lightDirection.y))),
		);
		const facing = noise.x.sub(this.#readNoise(towardsSun, level).x).sub(fine.mul(0.35));
		const litShare = clamp(facing.mul(1.5).sub(density.mul(0.3)).add(0.62), 0.12, 1);
		const fourth = near.mul(near).mul(near).mul(near);
		const rim = fourth.mul(fourth).mul(fourth).mul(fourth).mul(float(1).sub(density)).mul(1.6);
		const cloud = this.#cloudShade
			.mul(mix(float(1.1), float(0.8), density))
			.add(this.#cloudSun.mul(litShare.mul(0.72).add(rim)));
		const opaque = float(1).sub(exp(density.mul(-3.2)));
		// Distant clouds fade into the sky.
		const distance = distanceToShell.div(size.mul(13_000)).toVar();
		const clear = exp(distance.mul(distance).negate()).toVar();
		const fadedCloud = mix(horizon, cloud, clear);
		light.assign(
			mix(light, fadedCloud, opaque.mul(smoothstep(0.0, 0.09, way.y)).mul(clear.mul(0.8).add(0.2))),
		);
		return light;
	}

	#readNoise(position: Node<'vec2'>, level: Node<'float'>): Node<'vec4'> {
		return texture(this.#noise.texture, position).level(max(level, 0)) as unknown as Node<'vec4'>;
	}
}
