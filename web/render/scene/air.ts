/**
 * Air between a surface and the eye, and the conversion of light to colour: fog, exposure, curve. Also the
 * backdrop: the sky, or a dark gradient.
 * Owns: the uniforms that all materials of a renderer share; each picture sets them. The air is computed in
 * each material, without an extra pass over the picture. Only with post-processing do materials output linear
 * light (`isLinear`), which becomes colour in the last pass.
 *
 * Fog: its density falls off with height, d(y) = density * exp(-height_falloff * y), so the amount on the
 * straight way to the eye has a closed form. It lets through exp(-(scattering + absorption) * amount) of the
 * light behind it. It replaces a share of the rest, scattering / (scattering + absorption), by its own light:
 * its colour times sky and sun. The sun follows the phase function of Henyey and Greenstein (1941), g = 0.6.
 * Its light of the sky is that of the horizon, so distant surfaces fade into the sky. Without a sky, it is
 * the light from above.
 */

import {
	abs,
	cameraPosition,
	clamp,
	dot,
	exp,
	Fn,
	float,
	If,
	length,
	max,
	min,
	mix,
	normalize,
	output,
	positionWorld,
	pow,
	screenUV,
	select,
	smoothstep,
	vec2,
	vec3,
	vec4,
} from 'three/tsl';
import { Color, type Node, Vector3, Vector4 } from 'three/webgpu';
import type { FrameFog, FrameSky } from '../../frames/frames.ts';
import { BACKDROP_LOW, BACKDROP_TOP } from '../palette.ts';
import { pictureUniform } from '../picture-uniform.ts';
import type { Daylight, SkyColors } from './daylight.ts';
import { SkyDome, type SkyParts } from './sky-dome.ts';
import { decodeColor, encodeLight } from './tone.ts';

const PHASE_G = 0.6;
/** Sparkle of the sun: the noise at which it begins and is full, its sharpness around the mirrored sun, and its light. */
const GLITTER = { from: 0.56, full: 0.8, sharp: 14, strength: 2.5 };
/** Light that metals mirror if the world has no sky. */
const DEFAULT_MIRROR: Pick<SkyColors, 'zenith' | 'horizon' | 'ground'> = {
	zenith: [0.5, 0.6, 0.78],
	horizon: [0.86, 0.88, 0.92],
	ground: [0.34, 0.3, 0.24],
};

/** Parts of the backdrop. `sky`: null for the dark gradient. */
export interface BehindAll {
	readonly hasFog: boolean;
	readonly sky: SkyParts | null;
}

export class Air {
	readonly #skyDome = new SkyDome();
	/** Density, falloff, maximum distance, extinction. */
	readonly #fog = pictureUniform(new Vector4(0, 0, 0, 1));
	/** Linear light that fog scatters from all directions. */
	readonly #haze = pictureUniform(new Vector3());
	/** Linear light that fog scatters from the sun. */
	readonly #beam = pictureUniform(new Vector3());
	/** Linear light of the sun. */
	readonly #sun = pictureUniform(new Vector3());
	readonly #lightDirection = pictureUniform(new Vector3(0, 1, 0));
	readonly #zenith = pictureUniform(new Vector3());
	readonly #horizon = pictureUniform(new Vector3());
	readonly #ground = pictureUniform(new Vector3());
	/** Light on objects without surfaces, such as smoke. */
	readonly #ambience = pictureUniform(new Vector3());
	/** 1 if the world has a sky, 0 for the dark backdrop. */
	readonly #sky = pictureUniform(0);
	/** 1 while materials output linear light, 0 while they output finished colours. */
	readonly #isLinear = pictureUniform(0);

	/** Makes the sky cheaper for software rendering. Call it before the first picture. */
	simplify(): void {
		this.#skyDome.simplify();
	}

	/** Sets the uniforms for the next picture, `seconds` after the start of the world. */
	set(
		{ direction, sun, fromAbove, sky: seen }: Daylight,
		fog: FrameFog,
		sky: FrameSky,
		seconds: number,
	): void {
		if (seen !== null) this.#skyDome.set(seen, direction, sky, seconds);
		const mirror = seen ?? DEFAULT_MIRROR;
		this.#ambience.value.set(...sun).multiplyScalar(0.4);
		this.#ambience.value.x += fromAbove[0];
		this.#ambience.value.y += fromAbove[1];
		this.#ambience.value.z += fromAbove[2];
		this.#sun.value.set(...sun);
		this.#lightDirection.value.set(...direction);
		this.#zenith.value.set(...mirror.zenith);
		this.#horizon.value.set(...mirror.horizon);
		this.#ground.value.set(...mirror.ground);
		this.#sky.value = seen === null ? 0 : 1;
		const { density, scattering, absorption, height_falloff, max_distance, color, light_contribution } = fog;
		const extinction = scattering + absorption;
		this.#fog.value.set(fog.enabled ? density : 0, height_falloff, max_distance, extinction);
		const share = extinction > 0 ? scattering / extinction : 0;
		const ambientLight = seen === null ? fromAbove : hazeOf(seen, sky.ambient_intensity);
		this.#haze.value.set(color[0] * ambientLight[0], color[1] * ambientLight[1], color[2] * ambientLight[2]);
		this.#haze.value.multiplyScalar(share);
		this.#beam.value.set(color[0] * sun[0], color[1] * sun[1], color[2] * sun[2]);
		this.#beam.value.multiplyScalar((share * light_contribution) / (4 * Math.PI));
	}

	/** Direction towards the main light of the world. */
	get lightDirection(): Vector3 {
		return this.#lightDirection.value;
	}
	/** True if the world has a sky. */
	get hasSky(): boolean {
		return this.#sky.value === 1;
	}

	/** Makes the next drawing output linear light (true) or finished colours (false). */
	set isLinear(value: boolean) {
		this.#isLinear.value = value ? 1 : 0;
	}

	/** Returns the alpha of a dark patch, so that it darkens linear light as much as finished colours. */
	patchAlpha(alpha: Node<'float'>): Node<'float'> {
		const onLight = float(1).sub(pow(float(1).sub(alpha), float(2.2)));
		return select(this.#isLinear.greaterThan(0.5), onLight, alpha);
	}

	/** Returns the output of a lit material: its light after the air and the curve, and its own alpha. */
	outputColor(): Node<'vec4'> {
		const ray = positionWorld.sub(cameraPosition);
		return vec4(this.#encodeOutput(this.#throughAir(output.rgb, normalize(ray), length(ray))), output.a);
	}

	/**
	 * Returns the output of an object without surfaces. `reflectance`: 1 if it reflects the world's light, 0 if it
	 * emits its own.
	 */
	particleColor(light: Node<'vec3'>, reflectance: Node<'float'>, isAdditive: boolean): Node<'vec3'> {
		const ray = positionWorld.sub(cameraPosition);
		const color = light.mul(mix(vec3(1), this.#ambience, reflectance));
		// Fog only weakens added light; the fog's own light is already in the picture.
		if (isAdditive) return this.#encodeOutput(color.mul(this.#transmittance(normalize(ray), length(ray))));
		return this.#encodeOutput(this.#throughAir(color, normalize(ray), length(ray)));
	}

	/** Sets the angle of a pixel of the next picture (rad). */
	set pixel(angle: number) {
		this.#skyDome.pixel = angle;
	}

	dispose(): void {
		this.#skyDome.dispose();
	}

	/** Returns the colour behind everything in a direction, encoded for the screen. */
	backdrop(direction: Node<'vec3'>, { hasFog, sky }: BehindAll): Node<'vec4'> {
		return Fn(() => {
			const ray = vec3(direction).toVar();
			const light = sky === null ? null : this.#skyDome.lightFrom(ray, sky);
			if (!hasFog) return vec4(light === null ? this.#darkBackdrop() : this.#encodeOutput(light), 1);
			const transmittance = this.#transmittance(ray, float(1e6)).toVar();
			const fog = this.#inscatter(ray).toVar();
			if (light === null)
				return vec4(mix(this.#darkBackdrop(), this.#encodeOutput(fog), float(1).sub(transmittance)), 1);
			return vec4(this.#encodeOutput(light.mul(transmittance).add(fog.mul(float(1).sub(transmittance)))), 1);
		})();
	}

	/** Parts of the backdrop of the next picture. */
	get behindAll(): BehindAll {
		return { hasFog: this.#fog.value.x > 0, sky: this.hasSky ? this.#skyDome.parts : null };
	}

	/** Returns the light of sky and ground from a direction, blurred by the roughness of the mirror. */
	reflectedLight(direction: Node<'vec3'>, roughness: Node<'float'>): Node<'vec3'> {
		const soft = roughness.mul(0.9).add(0.06);
		const up = smoothstep(soft.negate(), soft, direction.y);
		const sky = mix(this.#horizon, this.#zenith, clamp(direction.y, 0, 1));
		return mix(this.#ground, sky, up);
	}

	/**
	 * Returns the sparkle of the sun on ripples that are too fine for the picture. `direction`: of the mirrored ray;
	 * `noise`: from 0 to 1; `lost`: the slope of these ripples.
	 */
	glitter(direction: Node<'vec3'>, noise: Node<'float'>, lost: Node<'float'>): Node<'vec3'> {
		const facing = max(dot(normalize(direction), this.#lightDirection), 0);
		const sparks = smoothstep(GLITTER.from, GLITTER.full, noise);
		const spread = pow(facing, float(GLITTER.sharp)).mul(smoothstep(0.01, 0.12, lost));
		return this.#sun.mul(sparks.mul(spread).mul(GLITTER.strength));
	}

	/** Returns light in the form of the output: unchanged, or as a finished colour. */
	#encodeOutput(light: Node<'vec3'>): Node<'vec3'> {
		return Fn(() => {
			const out = vec3(light).toVar();
			If(this.#isLinear.lessThan(0.5), () => {
				out.assign(encodeLight(out));
			});
			return out;
		})();
	}

	/** Returns the light of an output colour, as the reverse of `#encodeOutput`. */
	lightOf(color: Node<'vec3'>): Node<'vec3'> {
		return select(this.#isLinear.greaterThan(0.5), color, decodeColor(color));
	}

	/**
	 * Returns the dark backdrop: ink, a little lighter towards the bottom, with a faint glow behind the plate.
	 */
	#darkBackdrop(): Node<'vec3'> {
		const middle = screenUV.sub(vec2(0.5, 0.55)).length();
		const glow = float(1)
			.sub(smoothstep(0.1, 0.8, middle))
			.mul(0.35);
		const fall = smoothstep(0, 1.1, screenUV.y);
		const ink = mix(encodedColor(BACKDROP_TOP), encodedColor(BACKDROP_LOW), fall.mul(0.65).add(glow));
		return select(this.#isLinear.greaterThan(0.5), decodeColor(ink), ink);
	}

	#throughAir(light: Node<'vec3'>, direction: Node<'vec3'>, distance: Node<'float'>): Node<'vec3'> {
		return Fn(() => {
			const transmittance = this.#transmittance(direction, distance).toVar();
			return light.mul(transmittance).add(this.#inscatter(direction).mul(float(1).sub(transmittance)));
		})();
	}

	/** Returns the share of light that passes the fog over a distance. */
	#transmittance(direction: Node<'vec3'>, distance: Node<'float'>): Node<'float'> {
		const { x: density, y: falloff, z: farthest, w: extinction } = this.#fog;
		const length = min(distance, farthest);
		const exponent = clamp(falloff.mul(direction.y).mul(length), -30, 30);
		const mean = select(
			abs(exponent).lessThan(0.001),
			float(1),
			float(1).sub(exp(exponent.negate())).div(exponent),
		);
		const densityAtEye = exp(clamp(falloff.mul(cameraPosition.y).negate(), -30, 30));
		return exp(density.mul(densityAtEye).mul(mean).mul(length).mul(extinction).negate());
	}

	/** Returns the light that thick fog scatters to the eye from a direction. */
	#inscatter(direction: Node<'vec3'>): Node<'vec3'> {
		const g = PHASE_G;
		const toSun = dot(direction, this.#lightDirection);
		const phase = float(1 - g * g).div(pow(float(1 + g * g).sub(toSun.mul(2 * g)), float(1.5)));
		return this.#haze.add(this.#beam.mul(phase));
	}
}

/** Returns the mean light of the sky at the horizon, which is the colour of thick fog. */
function hazeOf({ horizon, opposite }: SkyColors, factor: number): [number, number, number] {
	const component = (axis: 0 | 1 | 2): number => (horizon[axis] * 0.4 + opposite[axis] * 0.6) * factor;
	return [component(0), component(1), component(2)];
}

function encodedColor(hex: number): Node<'vec3'> {
	const color = new Color().setHex(hex, '');
	return vec3(color.r, color.g, color.b);
}
