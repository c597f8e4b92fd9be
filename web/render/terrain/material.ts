/**
 * Look of ground: four layers by their paint; unpainted ground is grass, rock where it is steep and snow where it is
 * high.
 * Owns: the materials of each channel, one set for each renderer.
 */

import {
	attribute,
	clamp,
	dot,
	float,
	fwidth,
	max,
	mix,
	mx_noise_float,
	normalGeometry,
	positionGeometry,
	sin,
	smoothstep,
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

/** From which height above the terrain on snow lies, and from which on all is white (m). */
const SNOW_FROM = 45;
const SNOW_FULL = 60;

function linear(hex: number): Node<'vec3'> {
	const color = new Color(hex);
	return vec3(color.r, color.g, color.b);
}

/** From 0 to 1 in soft patches so many metres wide. */
function patches(place: Node<'vec3'>, metres: number): Node<'float'> {
	return clamp(mx_noise_float(place.xz.div(metres)).mul(0.6).add(0.5), 0, 1);
}

function paint(): Node<'vec3'> {
	const place = varying(positionGeometry);
	const patch = patches(place, 9).toVar();
	// Specks that are smaller than a pixel would flicker.
	const near = float(1).sub(smoothstep(0.06, 0.3, max(fwidth(place.x), fwidth(place.z))));
	const grain = mix(float(0.5), patches(place, 0.7), near).toVar();
	// Layers of stone follow the height.
	const strata = sin(place.y.mul(1.7).add(patch.mul(7)))
		.mul(0.5)
		.add(0.5);
	const grass = mix(
		mix(linear(TURF_DARK), linear(TURF), patch),
		linear(TURF_DRY),
		patch.mul(patch).mul(0.55),
	).toVar();
	const rock = mix(linear(ROCK_DARK), linear(ROCK), strata.mul(0.16).add(patch.mul(0.84))).toVar();
	const sand = mix(linear(SAND_DARK), linear(SAND), patch);
	const snow = mix(linear(SNOW_SHADE), linear(SNOW), patch).toVar();
	const up = varying(normalGeometry.y).toVar();
	const steep = float(1).sub(smoothstep(0.72, 0.88, up.add(grain.sub(0.5).mul(0.12))));
	const white = smoothstep(SNOW_FROM, SNOW_FULL, place.y.add(patch.mul(8))).mul(smoothstep(0.55, 0.75, up));
	const wild = mix(mix(grass, rock, steep), snow, white);
	const layers = varying(attribute<'vec4'>('paint', 'vec4')).toVar();
	const left = clamp(float(1).sub(dot(layers, vec4(1, 1, 1, 1))), 0, 1);
	return grass
		.mul(layers.x)
		.add(rock.mul(layers.y))
		.add(sand.mul(layers.z))
		.add(snow.mul(layers.w))
		.add(wild.mul(left))
		.mul(grain.mul(0.22).add(0.89));
}

export class TerrainMaterials {
	readonly #of: Readonly<Record<Channel, NodeMaterial>>;

	constructor(air: Air) {
		const color = new MeshStandardNodeMaterial({ roughness: 0.92, metalness: 0 });
		color.colorNode = max(paint(), vec3(0));
		color.outputNode = air.finished();
		this.#of = {
			color,
			segmentation: exact(userData('code', 'vec3') as unknown as Node<'vec3'>),
			depth: exact(depthBytes()),
		};
		for (const [name, material] of Object.entries(this.#of)) {
			material.name = `terrain ${name}`;
			material.side = FrontSide;
			// Slopes that the sun does not see cast the shadows: those that it sees get no specks of their own.
			material.shadowSide = BackSide;
		}
	}

	of(channel: Channel): NodeMaterial {
		return this.#of[channel];
	}

	dispose(): void {
		for (const material of Object.values(this.#of)) material.dispose();
	}
}

/** A material whose bytes reach the picture unchanged. */
function exact(bytes: Node<'vec3'>): MeshBasicNodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.fragmentNode = vec4(bytes, 1);
	material.toneMapped = false;
	material.fog = false;
	return material;
}
