/**
 * Grain of rough surfaces without a picture, such as stone, wood and soil.
 * Owns: its effect on colour and normals. The grain is the relief of soil, repeated in metres.
 */

import { smoothstep, texture, vec2, vec3 } from 'three/tsl';
import type { Node } from 'three/webgpu';
import { bumpy } from './relief.ts';
import type { GroundDetail } from './terrain/detail.ts';

/** Metres after which the fine and the coarse grain repeat. */
const METRES = { near: 1.9, far: 8.3 };
/** Roughness at which grain begins, and at which it is full. */
const SMOOTH = 0.6;
const ROUGH = 0.95;
/** Difference in brightness between ridges and hollows, and steepness of the grain. */
const SHADES = 0.7;
const STEEP = 0.55;

export interface Grain {
	/** Factor of the colour, 1 on average. */
	readonly shade: Node<'float'>;
	/** Normal in view space. */
	readonly normal: Node<'vec3'>;
}

/** Returns the grain at a position on a surface (m). */
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
