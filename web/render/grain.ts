/**
 * Grain of rough surfaces without a picture, such as stone, wood and soil.
 * Owns: its effect on colour and normals. The grain is the relief of soil, repeated in metres.
 */

import { smoothstep, texture, vec2, vec3 } from 'three/tsl';
import type { Node } from 'three/webgpu';
import { bumpNormal } from './relief.ts';
import type { GroundDetail } from './terrain/detail.ts';

/** Lengths after which the fine and the coarse grain repeat (m). */
const REPEAT_METRES = { near: 1.9, far: 8.3 };
/** Roughness at which grain begins. */
const MIN_ROUGHNESS = 0.6;
/** Roughness above which grain is full. */
const FULL_ROUGHNESS = 0.95;
/** Difference in brightness between ridges and hollows. */
const CONTRAST = 0.7;
/** Strength of the grain's slopes in the normals. */
const STEEPNESS = 0.55;

export interface Grain {
	/** Factor of the colour, 1 on average. */
	readonly shade: Node<'float'>;
	/** Normal in view space. */
	readonly normal: Node<'vec3'>;
}

/** Returns the grain at a position on a surface (m). */
export function grainAt({ soil }: GroundDetail, position: Node<'vec2'>, roughness: Node<'float'>): Grain {
	const point = position.toVar();
	const strength = smoothstep(MIN_ROUGHNESS, FULL_ROUGHNESS, roughness).toVar();
	const fine = texture(soil, point.div(REPEAT_METRES.near)).toVar();
	const coarse = texture(soil, point.div(REPEAT_METRES.far)).toVar();
	const height = fine.z.add(coarse.z).mul(0.5);
	const slope = fine.xy.mul(0.6).add(coarse.xy.mul(0.4));
	return {
		shade: height.sub(0.5).mul(strength.mul(CONTRAST)).add(1),
		normal: bumpNormal(vec3(slope, 1), point, vec2(strength.mul(STEEPNESS))),
	};
}
