/**
 * Grain of rough surfaces without a picture, such as stone, wood and soil. Wide and level ones are floors of worn slabs.
 * Owns: its effect on colour, normals and roughness. The grain is the relief of soil, repeated in metres.
 */

import { clamp, float, mix, select, smoothstep, texture, vec2, vec3 } from 'three/tsl';
import type { Node } from 'three/webgpu';
import { bumpNormal } from './relief.ts';
import type { GroundDetail } from './terrain/detail.ts';

/** Metres after which the fine and the coarse grain repeat, the slabs, and the stains over them. */
const METRES = { near: 1.9, far: 8.3, slabs: 5.6, stains: 19 };
/** Roughness at which grain begins, and at which it is full. */
const SMOOTH = 0.6;
const ROUGH = 0.95;
/** Difference in brightness between ridges and hollows, and steepness of the grain. */
const SHADES = 0.7;
const STEEP = 0.55;
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
	place: Node<'vec2'>,
	roughness: Node<'float'>,
	floor: Node<'float'> | null = null,
): Grain {
	const spot = place.toVar();
	const strength = smoothstep(SMOOTH, ROUGH, roughness).toVar();
	// One picture is read for fine grain and for the stains of floors, because each reading costs time. All pixels of a side
	// read it at the same scale.
	const fine = spot.div(METRES.near);
	const near = texture(
		detail.soil,
		floor === null ? fine : select(floor.greaterThan(0.5), spot.div(METRES.stains).add(0.37), fine),
	).toVar();
	const far = texture(detail.soil, spot.div(METRES.far)).toVar();
	const height = near.z.add(far.z).mul(0.5);
	const slope = near.xy.mul(0.6).add(far.xy.mul(0.4));
	const shade = height.sub(0.5).mul(strength.mul(SHADES)).add(1);
	if (floor === null)
		return { shade, normal: bumpNormal(vec3(slope, 1), spot, vec2(strength.mul(STEEP))), roughness };
	const slab = texture(detail.slabs, spot.div(METRES.slabs)).toVar();
	const stain = near.z.sub(0.5);
	const worn = slab.z
		.sub(TOP)
		.mul(DEEP)
		.add(slab.w.sub(0.5).mul(SLAB_SHADES))
		.add(stain.mul(STAINS))
		.add(far.z.sub(0.5).mul(SHADES * 0.5))
		.add(1);
	const steep = mix(strength.mul(STEEP), float(1), floor);
	return {
		shade: mix(shade, clamp(worn, 0.25, 1.6), floor),
		normal: bumpNormal(vec3(mix(slope, mix(slope, slab.xy, 0.75), floor), 1), spot, vec2(steep)),
		roughness: roughness.sub(floor.mul(clamp(stain.add(slab.z).sub(0.45), 0, 1)).mul(POLISH)),
	};
}
