/**
 * Look of liquids that are shapes: the level upper side of a wide, smooth, half-transparent instance has ripples and
 * mirrors the sky.
 * Owns: the share of a surface that is a liquid, and its normal and light.
 */

import {
	abs,
	cameraPosition,
	clamp,
	dot,
	float,
	max,
	mix,
	mx_noise_float,
	normalize,
	normalView,
	positionWorld,
	pow,
	reflect,
	smoothstep,
	transformNormalToView,
	vec2,
	vec3,
} from 'three/tsl';
import type { Node } from 'three/webgpu';
import type { Air } from '../scene/air.ts';
import { normalOf, pixelOf, type Ripples, tintOf } from './ripples.ts';

/** Roughness at which a surface is fully a liquid, and no liquid. */
const SMOOTH = 0.15;
const ROUGH = 0.22;
/** Alpha at which a surface is no liquid but glass, and fully a liquid. */
const CLEAR = 0.55;
const DENSE = 0.7;
/** Share of light that water reflects at a right angle. */
const STRAIGHT = 0.02;
/** Factor of the ripples' slopes. */
const STRENGTH = 1.15;
/** Lines of foam: their sharpness in the noise, their strength in gusts, and their brightness. */
const FOAM = { from: 0.89, full: 0.99, strength: 0.38 };
const FOAM_LIGHT = 0.84;

export interface Liquid {
	readonly color: Node<'vec3'>;
	/** Normal in view space. */
	readonly normal: Node<'vec3'>;
	/** Mirrored light. */
	readonly glow: Node<'vec3'>;
}

/** Returns the share, from 0 to 1, of a level surface that is a liquid. */
export const liquidShare = (roughness: Node<'float'>, alpha: Node<'float'>): Node<'float'> =>
	float(1)
		.sub(smoothstep(SMOOTH, ROUGH, roughness))
		.mul(smoothstep(CLEAR, DENSE, alpha));

/** Returns the look of a liquid; `share`: 0 for other surfaces. */
export function liquidAt(ripples: Ripples, air: Air, color: Node<'vec3'>, share: Node<'float'>): Liquid {
	const position = positionWorld.xz;
	const rippled = ripples.at(position, pixelOf(position), float(STRENGTH));
	const { slope, lost, gust } = rippled;
	const normal = normalOf(slope).toVar();
	const view = normalize(positionWorld.sub(cameraPosition)).toVar();
	const facing = clamp(dot(view, normal).negate(), 0, 1);
	const mirrors = mix(float(STRAIGHT), float(1), pow(float(1).sub(facing), float(5))).toVar();
	const mirrored = reflect(view, normal).toVar();
	const up = normalize(vec3(mirrored.x, max(mirrored.y, 0.08).add(lost.mul(2)), mirrored.z));
	// Lines of foam lie where the noise changes its sign, and long ripples bend them.
	const noise = mx_noise_float(position.mul(vec2(1.9, 1.2)).add(slope.mul(7))).toVar();
	const foam = smoothstep(FOAM.from, FOAM.full, float(1).sub(abs(noise)))
		.mul(smoothstep(0.45, 1, gust))
		.mul(FOAM.strength)
		.toVar();
	const light = air
		.reflectedLight(up, float(0))
		.mul(mirrors)
		.add(air.glitter(mirrored, noise.mul(0.5).add(0.5), lost.add(0.03)));
	const water = mix(color.mul(tintOf(rippled)), vec3(FOAM_LIGHT), foam);
	return {
		color: mix(color, water, share),
		normal: normalize(mix(normalView, transformNormalToView(normal), share)),
		glow: light.mul(share),
	};
}
