/**
 * Grain of rough surfaces without a picture: stone, wood, soil.
 * Owns: how it shades and bends a surface. The grain is the relief of soil, laid by metres.
 */

import { smoothstep, texture, vec2, vec3 } from 'three/tsl';
import type { Node } from 'three/webgpu';
import { bumpy } from './relief.ts';
import type { GroundDetail } from './terrain/detail.ts';

/** Metres after which grain repeats: close by, and over all. */
const METRES = { near: 1.9, far: 8.3 };
/** Roughness from which on a surface has grain, and at which it has all of it. */
const SMOOTH = 0.6;
const ROUGH = 0.95;
/** Difference in brightness between ridges and hollows, and steepness of the grain. */
const SHADES = 0.7;
const STEEP = 0.55;

export interface Grain {
	/** Factor of the colour, 1 in the mean. */
	readonly shade: Node<'float'>;
	/** As the eye sees it. */
	readonly normal: Node<'vec3'>;
}

/** The grain at a place along a surface (m). */
export function grainAt({ soil }: GroundDetail, place: Node<'vec2'>, roughness: Node<'float'>): Grain {
	const spot = place.toVar();
	const strength = smoothstep(SMOOTH, ROUGH, roughness).toVar();
	const near = texture(soil, spot.div(METRES.near)).toVar();
	const far = texture(soil, spot.div(METRES.far)).toVar();
	const height = near.z.add(far.z).mul(0.5);
	const slope = near.xy.mul(0.6).add(far.xy.mul(0.4));
	return {
		shade: height.sub(0.5).mul(strength.mul(SHADES)).add(1),
		normal: bumpy(vec3(slope, 1), spot, vec2(strength.mul(STEEP))),
	};
}
