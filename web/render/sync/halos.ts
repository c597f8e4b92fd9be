/**
 * Halos: a soft glow in the air around each shape that emits light and is a point light, such as the globe of a lamp.
 * Owns: the choice of these rows, and the look of a halo, which is the same with and without post-processing.
 */

import {
	attribute,
	cameraPosition,
	cameraWorldMatrix,
	Fn,
	float,
	length,
	max,
	normalize,
	positionGeometry,
	varying,
	vec4,
} from 'three/tsl';
import { AdditiveBlending, type Mesh, MeshBasicNodeMaterial } from 'three/webgpu';
import type { BlockName, FrameBlocks } from '../../frames/frames.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { POSE_STRIDE } from '../interpolate.ts';
import type { Air } from '../scene/air.ts';
import { findRow, MATERIAL_FLOATS, type Meshes } from './meshes.ts';
import { ScreenQuads } from './screen-quads.ts';
import type { Picture, Sync } from './sync.ts';

/** Emitted light from which on a shape has a halo. */
const GLOWS = 1;
/** Radius of the halo of a shape with a radius of 1 m (m). It grows with the root of the radius. */
const REACH = 3.2;
/** Light at the middle of a halo, as a share of the emitted light, and its maximum. */
const SHARE = 0.5;
const MAX_LIGHT = 3;
/** Index of the emitted light in the numbers of a material. */
const EMITTED = 7;
/** Middle and radius of the halo, then its light. */
const LAYOUT = { haloPlace: 4, haloLight: 3 } as const;

/** Makes the material, one for each renderer. */
export function haloMaterial(air: Air): MeshBasicNodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.transparent = true;
	material.depthWrite = false;
	material.toneMapped = false;
	material.blending = AdditiveBlending;
	const place = attribute<'vec4'>('haloPlace', 'vec4');
	const light = varying(attribute<'vec3'>('haloLight', 'vec3'));
	material.positionNode = Fn(() => {
		const right = cameraWorldMatrix.mul(vec4(1, 0, 0, 0)).xyz;
		const up = cameraWorldMatrix.mul(vec4(0, 1, 0, 0)).xyz;
		const size = place.w.mul(2);
		// It is nearer than the shape, so that walls and ground beside the lamp do not cut it.
		const nearer = normalize(cameraPosition.sub(place.xyz)).mul(place.w.mul(0.5));
		return place.xyz.add(nearer).add(right.mul(positionGeometry.x).add(up.mul(positionGeometry.y)).mul(size));
	})();
	const away = length(varying(positionGeometry.xy)).mul(2);
	const left = max(away.oneMinus(), 0).toVar();
	const fall = left.mul(left).div(away.mul(away).mul(6).add(1));
	material.fragmentNode = vec4(air.particleColor(light, float(0), true), fall);
	material.name = 'halos';
	return material;
}

/** A row with a halo. */
interface Halo {
	readonly row: number;
	readonly light: readonly [number, number, number];
}

/** Returns the rows of a frame that have a halo. */
export function halosOf({
	rows,
	materials,
	lights,
}: Pick<FrameBlocks, 'rows' | 'materials' | 'lights'>): Halo[] {
	const found: Halo[] = [];
	if (materials.kind.length === 0) return found;
	for (const { kind, id } of lights) {
		const row = kind === 'point' ? findRow(rows, id) : -1;
		if (row < 0 || materials.kind[row] === 0) continue;
		const at = row * MATERIAL_FLOATS + EMITTED;
		const [red, green, blue] = [0, 1, 2].map((part) => materials.values[at + part]!) as [
			number,
			number,
			number,
		];
		const most = Math.max(red, green, blue);
		if (most < GLOWS) continue;
		const factor = Math.min(SHARE, MAX_LIGHT / most);
		found.push({ row, light: [red * factor, green * factor, blue * factor] });
	}
	return found;
}

export class Halos implements Sync {
	readonly object: Mesh;
	readonly #meshes: Meshes;
	readonly #quads: ScreenQuads;
	#halos: readonly Halo[] = [];
	readonly #pose = new Float32Array(POSE_STRIDE);

	constructor({ halo }: GpuResources, meshes: Meshes) {
		this.#meshes = meshes;
		this.#quads = new ScreenQuads(halo, LAYOUT, 5);
		this.object = this.#quads.mesh;
	}

	setFrame(blocks: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (!changed.has('rows') && !changed.has('materials') && !changed.has('lights')) return;
		this.#halos = halosOf(blocks);
		this.#quads.reserve(this.#halos.length);
		this.#quads.count = this.#halos.length;
	}

	prepare({ channel }: Picture): void {
		const count = this.#halos.length;
		this.object.visible = channel === 'color' && count > 0;
		if (!this.object.visible) return;
		const { data, stride } = this.#quads;
		for (const [index, { row, light }] of this.#halos.entries()) {
			const pose = this.#meshes.table.poseOf(row, this.#pose);
			const radius = Math.max(Math.abs(pose[7]!), Math.abs(pose[8]!), Math.abs(pose[9]!)) / 2;
			data.set(pose.subarray(0, 3), index * stride);
			data[index * stride + 3] = REACH * Math.sqrt(radius);
			data.set(light, index * stride + 4);
		}
		this.#quads.upload(count);
	}

	dispose(): void {
		this.#quads.dispose();
	}
}
