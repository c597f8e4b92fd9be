/**
 * Air between a surface and the eye, and the conversion of light to colour: fog, exposure, curve. Also the backdrop:
 * the sky, or a dark gradient.
 * Owns: the uniforms that all materials of a renderer share; each picture sets them. The air is computed in each
 * material, without an extra pass over the picture. Only with post-processing do materials output linear light
 * (`unfinished`), which becomes colour in the last pass.
 *
 * Fog: its density falls off with height, d(y) = density * exp(-height_falloff * y), so the amount on the straight
 * way to the eye has a closed form. It lets through exp(-(scattering + absorption) * amount) of the light behind it.
 * Of the rest it replaces a share, scattering / (scattering + absorption), by its own light: its colour times sky and
 * sun. The sun follows the phase function of Henyey and Greenstein (1941), g = 0.6. The light of the sky is taken at the
 * horizon, so distant surfaces fade into it; without a sky it is the light from above.
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
import type { Daylight, Seen } from './daylight.ts';
import { type Parts, SkyDome } from './sky-dome.ts';
import { finish, unfinish } from './tone.ts';

const FORWARD = 0.6;
/** Sparkle of the sun: the noise at which it begins and is full, its sharpness around the mirrored sun, and its light. */
const GLITTER = { from: 0.56, full: 0.8, sharp: 14, strength: 2.5 };
/** Light that metals mirror if the world has no sky. */
const MIRRORED: Pick<Seen, 'zenith' | 'horizon' | 'ground'> = {
	zenith: [0.5, 0.6, 0.78],
	horizon: [0.86, 0.88, 0.92],
	ground: [0.34, 0.3, 0.24],
};

/** Parts of the backdrop; `sky` is null for the dark gradient. */
export interface BehindAll {
	readonly hasFog: boolean;
	readonly sky: Parts | null;
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
	readonly #towards = pictureUniform(new Vector3(0, 1, 0));
	readonly #zenith = pictureUniform(new Vector3());
	readonly #horizon = pictureUniform(new Vector3());
	readonly #ground = pictureUniform(new Vector3());
	/** Light on objects without surfaces, such as smoke. */
	readonly #ambience = pictureUniform(new Vector3());
	/** 1 if the world has a sky, 0 for the dark backdrop. */
	readonly #sky = pictureUniform(0);
	/** 1 while materials output linear light, 0 while they output finished colours. */
	readonly #unfinished = pictureUniform(0);

	/** Makes the sky cheaper for software rendering. Call it before the first picture. */
	simplify(): void {
		this.#skyDome.simplify();
	}

	/** Sets the uniforms for the next picture, `seconds` after the start of the world. */
	set({ towards, sun, above, seen }: Daylight, fog: FrameFog, sky: FrameSky, seconds: number): void {
		if (seen !== null) this.#skyDome.set(seen, towards, sky, seconds);
		const mirrored = seen ?? MIRRORED;
		this.#ambience.value.set(...sun).multiplyScalar(0.4);
		this.#ambience.value.x += above[0];
		this.#ambience.value.y += above[1];
		this.#ambience.value.z += above[2];
		this.#sun.value.set(...sun);
		this.#towards.value.set(...towards);
		this.#zenith.value.set(...mirrored.zenith);
		this.#horizon.value.set(...mirrored.horizon);
		this.#ground.value.set(...mirrored.ground);
		this.#sky.value = seen === null ? 0 : 1;
		const { density, scattering, absorption, height_falloff, max_distance, color, light_contribution } = fog;
		const extinction = scattering + absorption;
		this.#fog.value.set(fog.enabled ? density : 0, height_falloff, max_distance, extinction);
		const share = extinction > 0 ? scattering / extinction : 0;
		const around = seen === null ? above : hazeOf(seen, sky.ambient_intensity);
		this.#haze.value.set(color[0] * around[0], color[1] * around[1], color[2] * around[2]);
		this.#haze.value.multiplyScalar(share);
		this.#beam.value.set(color[0] * sun[0], color[1] * sun[1], color[2] * sun[2]);
		this.#beam.value.multiplyScalar((share * light_contribution) / (4 * Math.PI));
	}

	/** Direction towards the main light of the world. */
	get towards(): Vector3 {
		return this.#towards.value;
	}
	/** True if the world has a sky. */
	get shines(): boolean {
		return this.#sky.value === 1;
	}

	/** Makes the next drawing output linear light (true) or finished colours (false). */
	set unfinished(value: boolean) {
		this.#unfinished.value = value ? 1 : 0;
	}

	/** Returns the alpha of a dark patch, so that it darkens linear light as much as finished colours. */
	patch(alpha: Node<'float'>): Node<'float'> {
		const onLight = float(1).sub(pow(float(1).sub(alpha), float(2.2)));
		return select(this.#unfinished.greaterThan(0.5), onLight, alpha);
	}

	/** Returns the output of a lit material: its light after the air and the curve, and its own alpha. */
	finished(): Node<'vec4'> {
		const way = positionWorld.sub(cameraPosition);
		return vec4(this.#encodeOutput(this.#through(output.rgb, normalize(way), length(way))), output.a);
	}

	/** Returns the output of an object without surfaces. `lit`: 1 if it reflects the world's light, 0 if it emits its own. */
	floating(light: Node<'vec3'>, lit: Node<'float'>, additive: boolean): Node<'vec3'> {
		const way = positionWorld.sub(cameraPosition);
		const shown = light.mul(mix(vec3(1), this.#ambience, lit));
		// Fog only weakens added light; the fog's own light is already in the picture.
		if (additive) return this.#encodeOutput(shown.mul(this.#passes(normalize(way), length(way))));
		return this.#encodeOutput(this.#through(shown, normalize(way), length(way)));
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
			const way = vec3(direction).toVar();
			const light = sky === null ? null : this.#skyDome.at(way, sky);
			if (!hasFog) return vec4(light === null ? this.#table() : this.#encodeOutput(light), 1);
			const passes = this.#passes(way, float(1e6)).toVar();
			const fog = this.#inscatter(way).toVar();
			if (light === null) return vec4(mix(this.#table(), this.#encodeOutput(fog), float(1).sub(passes)), 1);
			return vec4(this.#encodeOutput(light.mul(passes).add(fog.mul(float(1).sub(passes)))), 1);
		})();
	}

	/** Parts of the backdrop of the next picture. */
	get behindAll(): BehindAll {
		return { hasFog: this.#fog.value.x > 0, sky: this.shines ? this.#skyDome.parts : null };
	}

	/** Returns the light of sky and ground from a direction, blurred by the roughness of the mirror. */
	mirrored(direction: Node<'vec3'>, roughness: Node<'float'>): Node<'vec3'> {
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
		const facing = max(dot(normalize(direction), this.#towards), 0);
		const sparks = smoothstep(GLITTER.from, GLITTER.full, noise);
		const spread = pow(facing, float(GLITTER.sharp)).mul(smoothstep(0.01, 0.12, lost));
		return this.#sun.mul(sparks.mul(spread).mul(GLITTER.strength));
	}

	/** Returns light in the form of the output: unchanged, or as a finished colour. */
	#encodeOutput(light: Node<'vec3'>): Node<'vec3'> {
		return Fn(() => {
			const out = vec3(light).toVar();
			If(this.#unfinished.lessThan(0.5), () => {
				out.assign(finish(out));
			});
			return out;
		})();
	}

	/** Returns the light of an output colour, the reverse of `#encodeOutput`. */
	unput(color: Node<'vec3'>): Node<'vec3'> {
		return select(this.#unfinished.greaterThan(0.5), color, unfinish(color));
	}

	/** Returns the dark backdrop: ink, a little lighter towards the bottom, with a faint glow behind the plate. */
	#table(): Node<'vec3'> {
		const middle = screenUV.sub(vec2(0.5, 0.55)).length();
		const glow = float(1)
			.sub(smoothstep(0.1, 0.8, middle))
			.mul(0.35);
		const fall = smoothstep(0, 1.1, screenUV.y);
		const ink = mix(encoded(BACKDROP_TOP), encoded(BACKDROP_LOW), fall.mul(0.65).add(glow));
		return select(this.#unfinished.greaterThan(0.5), unfinish(ink), ink);
	}

	#through(light: Node<'vec3'>, direction: Node<'vec3'>, distance: Node<'float'>): Node<'vec3'> {
		return Fn(() => {
			const passes = this.#passes(direction, distance).toVar();
			return light.mul(passes).add(this.#inscatter(direction).mul(float(1).sub(passes)));
		})();
	}

	/** Returns the share of light that passes the fog over a distance. */
	#passes(direction: Node<'vec3'>, distance: Node<'float'>): Node<'float'> {
		const { x: density, y: falloff, z: farthest, w: extinction } = this.#fog;
		const way = min(distance, farthest);
		const sinking = clamp(falloff.mul(direction.y).mul(way), -30, 30);
		const mean = select(
			abs(sinking).lessThan(0.001),
			float(1),
			float(1).sub(exp(sinking.negate())).div(sinking),
		);
		const here = exp(clamp(falloff.mul(cameraPosition.y).negate(), -30, 30));
		return exp(density.mul(here).mul(mean).mul(way).mul(extinction).negate());
	}

	/** Returns the light that thick fog scatters to the eye from a direction. */
	#inscatter(direction: Node<'vec3'>): Node<'vec3'> {
		const g = FORWARD;
		const toSun = dot(direction, this.#towards);
		const phase = float(1 - g * g).div(pow(float(1 + g * g).sub(toSun.mul(2 * g)), float(1.5)));
		return this.#haze.add(this.#beam.mul(phase));
	}
}

/** Returns the mean light of the sky at the horizon, which is the colour of thick fog. */
function hazeOf({ horizon, opposite }: Seen, factor: number): [number, number, number] {
	const part = (axis: 0 | 1 | 2): number => (horizon[axis] * 0.4 + opposite[axis] * 0.6) * factor;
	return [part(0), part(1), part(2)];
}

function encoded(hex: number): Node<'vec3'> {
	const color = new Color().setHex(hex, '');
	return vec3(color.r, color.g, color.b);
}
