/**
 * Look of ground: four painted layers. Unpainted ground is grass, on steep slopes rock, and high up snow.
 * Near ground has relief: grains and cracks.
 * Owns: the materials of each channel, one set for each renderer.
 */

import {
	abs,
	attribute,
	clamp,
	cross,
	dFdx,
	dFdy,
	dot,
	float,
	max,
	mix,
	mx_noise_float,
	normalGeometry,
	normalize,
	positionGeometry,
	pow,
	select,
	sin,
	smoothstep,
	texture,
	transformNormalToView,
	userData,
	varying,
	vec3,
	vec4,
} from 'three/tsl';
import {
	BackSide,
	Color,
	FrontSide,
	MeshBasicNodeMaterial,
	MeshStandardNodeMaterial,
	type Node,
	type NodeMaterial,
} from 'three/webgpu';
import type { Channel } from '../../frames/frames.ts';
import { depthBytes } from '../materials.ts';
import { ROCK, ROCK_DARK, SAND, SAND_DARK, SNOW, SNOW_SHADE, TURF, TURF_DARK, TURF_DRY } from '../palette.ts';
import type { Air } from '../scene/air.ts';
import type { GroundDetail } from './detail.ts';

/** Height above the terrain's origin at which snow begins (m). */
const SNOW_START = 45;
/** Height above the terrain's origin from which snow covers the ground (m). */
const SNOW_FULL = 60;

function linearColor(hex: number): Node<'vec3'> {
	const color = new Color(hex);
	return vec3(color.r, color.g, color.b);
}

/** Returns values from 0 to 1 in soft patches of a width (m). */
function patches(position: Node<'vec3'>, width: number): Node<'float'> {
	return clamp(mx_noise_float(position.xz.div(width)).mul(0.6).add(0.5), 0, 1);
}

/** Distances after which the two layers of soil relief repeat (m). */
const SOIL_METRES = { near: 1.3, far: 7.3 };
/** Distance after which the relief of rock repeats (m). */
const ROCK_METRES = 5.2;
/** Share of the flat sides of triangles in the normal of rock, which gives it edges. */
const CRAGGY = 0.7;

/** Relief at a position: slope in the ground's own axes; height and roughness from 0 to 1. */
interface Relief {
	readonly slope: Node<'vec3'>;
	readonly height: Node<'float'>;
	readonly roughness: Node<'float'>;
}

const slopeOf = (texel: Node<'vec4'>): Node<'vec2'> => texel.xy.sub(0.5).mul(2);

/** Returns the relief of soil, projected from above. */
function soilAt({ soil }: GroundDetail, position: Node<'vec3'>): Relief {
	const fine = texture(soil, position.xz.div(SOIL_METRES.near)).toVar();
	const coarse = texture(soil, position.xz.div(SOIL_METRES.far)).toVar();
	const slope = slopeOf(fine).add(slopeOf(coarse).mul(0.8));
	return {
		slope: vec3(slope.x, 0, slope.y),
		height: fine.z.mul(0.55).add(coarse.z.mul(0.45)),
		roughness: fine.w.add(coarse.w).mul(0.5),
	};
}

/**
 * Returns the relief of rock, projected from three sides, so that it does not stretch on walls. `facing`: the normal of the
 * triangle. A normal between those of its corners would lay the upper side over the wall below an edge.
 */
function rockAt({ rock }: GroundDetail, position: Node<'vec3'>, facing: Node<'vec3'>): Relief {
	const sides = pow(abs(facing), vec3(4)).toVar();
	const shares = sides.div(sides.x.add(sides.y).add(sides.z)).toVar();
	const scaled = position.div(ROCK_METRES);
	const x = texture(rock, scaled.zy).toVar();
	const y = texture(rock, scaled.xz).toVar();
	const z = texture(rock, scaled.xy).toVar();
	const [sx, sy, sz] = [slopeOf(x), slopeOf(y), slopeOf(z)];
	const blended = x.mul(shares.x).add(y.mul(shares.y)).add(z.mul(shares.z)).toVar();
	return {
		slope: vec3(0, sx.y, sx.x)
			.mul(shares.x)
			.add(vec3(sy.x, 0, sy.y).mul(shares.y))
			.add(vec3(sz.x, sz.y, 0).mul(shares.z)),
		height: blended.z,
		roughness: blended.w,
	};
}

/** Colour, normal in the ground's own axes, and roughness. */
interface Paint {
	readonly color: Node<'vec3'>;
	readonly normal: Node<'vec3'>;
	readonly roughness: Node<'float'>;
}

/** Returns the normal of the flat side of a triangle, in the ground's own axes. */
function sideOf(position: Node<'vec3'>): Node<'vec3'> {
	const side = normalize(cross(dFdx(position), dFdy(position))).toVar();
	return select(side.y.lessThan(0), side.negate(), side);
}

function groundPaint(detail: GroundDetail): Paint {
	const position = varying(positionGeometry);
	const normal = normalize(varying(normalGeometry)).toVar();
	const soilRelief = soilAt(detail, position);
	const side = sideOf(position).toVar();
	const rockRelief = rockAt(detail, position, side);
	const patch = patches(position, 9).toVar();
	const grain = soilRelief.height.toVar();
	const strata = sin(position.y.mul(1.4).add(patch.mul(9)).add(rockRelief.height.mul(3)))
		.mul(0.5)
		.add(0.5);
	const grass = mix(
		mix(linearColor(TURF_DARK), linearColor(TURF), clamp(patch.add(grain.sub(0.5).mul(0.9)), 0, 1)),
		linearColor(TURF_DRY),
		patch.mul(patch).mul(0.55),
	).toVar();
	const rock = mix(linearColor(ROCK_DARK), linearColor(ROCK), strata.mul(0.2).add(patch.mul(0.8)))
		.mul(rockRelief.height.mul(1.15).add(0.42))
		.toVar();
	const sand = mix(linearColor(SAND_DARK), linearColor(SAND), patch);
	const snow = mix(linearColor(SNOW_SHADE), linearColor(SNOW), patch).toVar();
	const slopeCosine = normal.y;
	const steepness = float(1)
		.sub(smoothstep(0.72, 0.88, slopeCosine.add(grain.sub(0.5).mul(0.2))))
		.toVar();
	const snowShare = smoothstep(SNOW_START, SNOW_FULL, position.y.add(patch.mul(8)))
		.mul(smoothstep(0.55, 0.75, slopeCosine))
		.toVar();
	const unpainted = mix(mix(grass, rock, steepness), snow, snowShare);
	const layers = varying(attribute<'vec4'>('paint', 'vec4')).toVar();
	const unpaintedShare = clamp(float(1).sub(dot(layers, vec4(1, 1, 1, 1))), 0, 1).toVar();
	const color = grass
		.mul(layers.x)
		.add(rock.mul(layers.y))
		.add(sand.mul(layers.z))
		.add(snow.mul(layers.w))
		.add(unpainted.mul(unpaintedShare));
	const rockShare = clamp(
		layers.y.add(unpaintedShare.mul(steepness).mul(float(1).sub(snowShare))),
		0,
		1,
	).toVar();
	// The grain of soil is projected from above. On the sides of rock it would be smeared.
	const shade = mix(grain.mul(0.9).add(0.55), float(1), rockShare);
	// Sand and snow are smoother than turf.
	const smoothness = clamp(
		layers.z.mul(0.55).add(layers.w.mul(0.75)).add(unpaintedShare.mul(snowShare).mul(0.75)),
		0,
		1,
	);
	const slope = mix(
		soilRelief.slope.mul(float(0.55).mul(float(1).sub(smoothness))),
		rockRelief.slope.mul(1.6),
		rockShare,
	);
	const rounded = mix(normal, side, rockShare.mul(CRAGGY));
	return {
		color: max(color.mul(shade), vec3(0)),
		normal: normalize(rounded.sub(slope)),
		roughness: clamp(mix(soilRelief.roughness.add(0.16), rockRelief.roughness.mul(0.9), rockShare), 0.4, 1),
	};
}

export class TerrainMaterials {
	readonly #byChannel: Readonly<Record<Channel, NodeMaterial>>;

	constructor(air: Air, detail: GroundDetail) {
		const color = new MeshStandardNodeMaterial({ metalness: 0 });
		const painted = groundPaint(detail);
		color.colorNode = painted.color;
		color.normalNode = transformNormalToView(painted.normal);
		color.roughnessNode = painted.roughness;
		color.outputNode = air.outputColor();
		this.#byChannel = {
			color,
			segmentation: exactMaterial(userData('code', 'vec3') as unknown as Node<'vec3'>),
			depth: exactMaterial(depthBytes()),
		};
		for (const [name, material] of Object.entries(this.#byChannel)) {
			material.name = `terrain ${name}`;
			material.side = FrontSide;
			// Slopes that face away from the sun cast the shadows, so slopes that face it get no specks.
			material.shadowSide = BackSide;
		}
	}

	of(channel: Channel): NodeMaterial {
		return this.#byChannel[channel];
	}

	dispose(): void {
		for (const material of Object.values(this.#byChannel)) material.dispose();
	}
}

/** Returns a material whose bytes reach the picture unchanged. */
function exactMaterial(bytes: Node<'vec3'>): MeshBasicNodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.fragmentNode = vec4(bytes, 1);
	material.toneMapped = false;
	material.fog = false;
	return material;
}
