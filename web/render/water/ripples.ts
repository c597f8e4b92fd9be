/**
 * Ripples on water: waves too small to move a body, from swell of some metres to wrinkles of some centimetres. Gusts
 * make some of them steeper, so that far water has bands, too.
 * Owns: the ripples, their phases at a moment, and the slope of the surface. Everything follows from the tick.
 */

import {
	cos,
	dFdx,
	dFdy,
	dot,
	float,
	length,
	max,
	mx_noise_float,
	sin,
	smoothstep,
	uniform,
	vec2,
	vec3,
} from 'three/tsl';
import { type Node, Vector2 } from 'three/webgpu';
import { flowDirection, type WaterSurface } from '../../../shared/media/water.ts';

/** Direction, length (m) and slope. */
const RIPPLES: readonly (readonly [x: number, z: number, length: number, slope: number])[] = [
	[0.83, -0.56, 7.3, 0.02],
	[-0.31, 0.95, 4.4, 0.026],
	[0.99, 0.12, 2.7, 0.032],
	[-0.64, -0.77, 1.7, 0.036],
	[0.93, 0.37, 1.13, 0.036],
	[-0.42, 0.91, 0.87, 0.032],
	[0.64, -0.77, 0.59, 0.03],
	[-0.88, -0.47, 0.41, 0.026],
	[0.17, 0.985, 0.31, 0.026],
	[0.985, -0.17, 0.23, 0.022],
];
/** Gravity (m/s²). */
const GRAVITY = 9.81;
/** Length of gusts (m), and their weakest and strongest effect on the slopes. */
const GUST_METRES = 9;
const CALM = 0.35;
const GUSTY = 1.75;

/** Difference in brightness between calm places and gusts. */
const GUST_SHADES = 0.4;
/** Change of the water's brightness by a slope of 1 along x and z. */
const LIGHT_SIDE = [4.4, 3] as const;

const whole = (radians: number): number => radians % (2 * Math.PI);

/** Returns the share of waves that the picture can show; `turn`: radians per metre, `pixel`: metres. */
export const resolved = (turn: Node<'float'> | number, pixel: Node<'float'>): Node<'float'> =>
	float(1).sub(smoothstep(0.8, 3, pixel.mul(turn)));

/** Returns the width of a pixel on the water (m). */
export const pixelOf = (position: Node<'vec2'>): Node<'float'> =>
	max(length(dFdx(position)), length(dFdy(position)));

/** Surface at a point. */
export interface Rippled {
	/** Slope along x and z. */
	readonly slope: Node<'vec2'>;
	/** Slope that is too fine for the picture. */
	readonly lost: Node<'float'>;
	/** Strength of the gust, from 0 to 1. */
	readonly gust: Node<'float'>;
}

export class Ripples {
	readonly #phases = RIPPLES.map(() => uniform(0));
	/** Offset of the gusts (m). */
	readonly #drift = uniform(new Vector2());

	/** Sets the time (seconds of the world). */
	setTime({ flow, wave_speed }: Pick<WaterSurface, 'flow' | 'wave_speed'>, seconds: number): void {
		const [flowX, flowZ] = [flow[0]!, flow[1]!];
		const [x, z] = flowDirection(flow);
		RIPPLES.forEach(([along, across, size], i) => {
			const turn = (2 * Math.PI) / size;
			const carried = flowX * (along * x - across * z) + flowZ * (along * z + across * x);
			this.#phases[i]!.value = whole(seconds * (Math.sqrt(GRAVITY * turn) * wave_speed + carried * turn));
		});
		// A circle, because a straight line would lose precision in long games.
		const round = seconds * 0.11 * wave_speed;
		this.#drift.value.set(Math.cos(round) * GUST_METRES, Math.sin(round) * GUST_METRES);
	}

	/** Returns the surface at a place; `strength`: factor of the slopes. */
	at(position: Node<'vec2'>, pixel: Node<'float'>, strength: Node<'float'>): Rippled {
		const gust = smoothstep(
			-0.45,
			0.45,
			mx_noise_float(position.add(this.#drift).mul(vec2(1 / GUST_METRES, 1.7 / GUST_METRES))),
		).toVar();
		const steeper = strength.mul(gust.mul(GUSTY - CALM).add(CALM)).toVar();
		// Positions are bent a little, so that no pattern repeats.
		const bent = position
			.add(
				vec2(
					sin(position.y.mul(0.83).add(position.x.mul(0.21))),
					sin(position.x.mul(0.71).sub(position.y.mul(0.29))),
				).mul(0.42),
			)
			.toVar();
		const slope = vec2(0, 0).toVar();
		const lost = float(0).toVar();
		RIPPLES.forEach(([x, z, size, steep], i) => {
			const turn = (2 * Math.PI) / size;
			const kept = resolved(turn, pixel);
			const wave = cos(dot(bent, vec2(x * turn, z * turn)).sub(this.#phases[i]!));
			slope.addAssign(vec2(x, z).mul(wave.mul(kept).mul(steeper.mul(steep))));
			lost.addAssign(steeper.mul(steep).mul(float(1).sub(kept)));
		});
		return { slope, lost, gust };
	}
}

/** Returns the factor of the water's own colour: darker on the lee of ripples, and lighter in gusts. */
export const tintOf = ({ slope, gust }: Rippled): Node<'float'> =>
	dot(slope, vec2(...LIGHT_SIDE))
		.add(gust.sub(0.5).mul(GUST_SHADES))
		.add(1)
		.clamp(0.5, 1.6);

/** Returns the normal of a surface with a slope. */
export const normalOf = (slope: Node<'vec2'>): Node<'vec3'> =>
	vec3(slope.x.negate(), 1, slope.y.negate()).normalize();
