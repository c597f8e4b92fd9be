/**
 * Grain of rough surfaces without a picture, such as stone, wood and soil. Wide and level ones are floors of worn slabs.
 * Owns: its effect on colour, normals and roughness. The grain is the relief of soil, repeated in metres.
 */

import { clamp, float, mix, smoothstep, texture, vec2, vec3 } from 'three/tsl';
import type { Node } from 'three/webgpu';
import { bumpNormal } from './relief.ts';
import type { GroundDetail } from './terrain/detail.ts';

/** Metres after which the fine and the coarse grain repeat, the slabs, and the stains over them. */
const REPEAT_METRES = { near: 1.9, far: 8.3, slabs: 5.6, stains: 19 };
/** Roughness at which grain begins, and at which it is full. */
const MIN_ROUGHNESS = 0.6;
/** Roughness above which grain is full. */
const FULL_ROUGHNESS = 0.95;
/** Difference in brightness between ridges and hollows. */
const CONTRAST = 0.7;
/** Strength of the grain's slopes in the normals. */
const STEEPNESS = 0.55;
/** Height of the upper side of slabs, and the difference in brightness from it to the joints. */
const TOP = 0.66;
const DEEP = 0.8;
/** Differences in brightness between slabs, and from stains. */
const SLAB_SHADES = 0.6;
const STAINS = 0.9;
/** Fall of the roughness where feet polish the stone. */
const POLISH = 0.3;

export interface Grain {
	/** Factor of the colour, about 1 on average. */
	readonly shade: Node<'float'>;
	/** Normal in view space. */
	readonly normal: Node<'vec3'>;
	readonly roughness: Node<'float'>;
}

/** Returns the grain at a position on a surface (m). `floor`: 1 on floors, 0 on other surfaces; null if none is a floor. */
export function grainAt(
	detail: GroundDetail,
	position: Node<'vec2'>,
	roughness: Node<'float'>,
	floor: Node<'float'> | null = null,
): Grain {
	const point = position.toVar();
	const strength = smoothstep(MIN_ROUGHNESS, FULL_ROUGHNESS, roughness).toVar();
	const fine = texture(detail.soil, point.div(REPEAT_METRES.near)).toVar();
	const coarse = texture(detail.soil, point.div(REPEAT_METRES.far)).toVar();
	const height = fine.z.add(coarse.z).mul(0.5);
	const slope = fine.xy.mul(0.6).add(coarse.xy.mul(0.4));
	const shade = height.sub(0.5).mul(strength.mul(CONTRAST)).add(1);
	if (floor === null)
		return { shade, normal: bumpNormal(vec3(slope, 1), point, vec2(strength.mul(STEEPNESS))), roughness };
	const slab = texture(detail.slabs, point.div(REPEAT_METRES.slabs)).toVar();
	const stain = texture(detail.soil, point.div(REPEAT_METRES.stains).add(0.37)).z.sub(0.5).toVar();
	const worn = slab.z
		.sub(TOP)
		.mul(DEEP)
		.add(slab.w.sub(0.5).mul(SLAB_SHADES))
		.add(stain.mul(STAINS))
		.add(height.sub(0.5).mul(CONTRAST * 0.7))
		.add(1);
	const steep = mix(strength.mul(STEEPNESS), float(1), floor);
	return {
		shade: mix(shade, clamp(worn, 0.25, 1.6), floor),
		normal: bumpNormal(vec3(mix(slope, mix(slope, slab.xy, 0.75), floor), 1), point, vec2(steep)),
		roughness: roughness.sub(floor.mul(clamp(stain.add(slab.z).sub(0.45), 0, 1)).mul(POLISH)),
	};
}
