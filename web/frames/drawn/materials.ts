/** Surfaces of the drawn entities. Empty if no entity has a material. */

import { Material } from '../../../shared/components/material.ts';
import { isMeshFile, Mesh } from '../../../shared/components/mesh.ts';
import {
	type AlphaMode,
	alphaModeOf,
	type MaterialValues,
	type WholeMaterial,
} from '../../../shared/media/material.ts';
import { resourceVersion } from '../../sim/core/resource.ts';
import { count, has, read, versionOf } from '../../sim/core/world.ts';
import { MaterialRegistry, wholeMaterial } from '../../sim/looks/materials.ts';
import type { DrawnBlock } from './drawn.ts';
import { rowsVersion } from './rows.ts';

/** Properties that all instances of one draw call share. */
export interface SurfaceKind {
	readonly alpha: AlphaMode;
	/** SHA-256 of the pictures; null without one. */
	readonly texture: string | null;
	readonly normal: string | null;
	readonly occlusion: string | null;
	readonly unlit: boolean;
	/** True if light passes through the surface. */
	readonly transmits: boolean;
}

export interface FrameMaterials {
	readonly kinds: readonly SurfaceKind[];
	/** For each row: 0 without a material, otherwise 1 + its index in `kinds`. Empty if no row has a material. */
	readonly kind: Uint16Array;
	/**
	 * Fifteen numbers per row: sRGB red, green, blue (below 0: the colour of the row), alpha, metallic, roughness, alpha cutoff. Then
	 * emitted linear red, green, blue, and repeats of the pictures horizontally and vertically (below 0: metres per repeat). Then normal
	 * scale, occlusion strength and transmission.
	 */
	readonly values: Float32Array;
}

const STRIDE = 15;
const OWN_COLOR = [-1, -1, -1, 1] as const;

const kindOf = (
	{ texture, normal_texture, occlusion_texture, unlit, transmission }: WholeMaterial,
	alpha: AlphaMode,
): SurfaceKind => ({
	alpha,
	texture,
	normal: normal_texture,
	occlusion: occlusion_texture,
	unlit,
	transmits: transmission > 0,
});

function writeRow(
	values: Float32Array,
	row: number,
	material: WholeMaterial,
	cutoff: number,
	isModel: boolean,
): void {
	const { albedo, metallic, roughness, emissive, tile } = material;
	const repeat = tile === null || isModel ? material.repeat : [-tile, -tile];
	const numbers = [...(albedo ?? OWN_COLOR), metallic, roughness, cutoff, ...emissive, ...repeat];
	numbers.push(material.normal_scale, material.occlusion_strength, material.transmission);
	values.set(numbers, row * STRIDE);
}

export const materials: DrawnBlock<FrameMaterials> = {
	version: (world) =>
		Math.max(
			rowsVersion(world),
			versionOf(world, Material, 'name', 'values'),
			resourceVersion(world, MaterialRegistry),
		),
	read(world, slots) {
		const hasMaterials = count(world, Material) > 0;
		const kinds: SurfaceKind[] = [];
		const kind = new Uint16Array(hasMaterials ? slots.length : 0);
		const values = new Float32Array(kind.length * STRIDE);
		if (!hasMaterials) return { kinds, kind, values };
		const names = read(world, Material, 'name');
		const ownValues = read(world, Material, 'values');
		const meshes = read(world, Mesh, 'mesh');
		const kindNumbers = new Map<string, number>();
		for (let row = 0; row < slots.length; row++) {
			const slot = slots[row]!;
			if (!has(world, slot, Material)) continue;
			const material = wholeMaterial(world, names[slot]!, ownValues[slot]! as MaterialValues);
			const { mode, cutoff } = alphaModeOf(material.alpha_mode);
			const surface = kindOf(material, mode);
			const key = Object.values(surface).join();
			let kindNumber = kindNumbers.get(key);
			if (kindNumber === undefined) {
				kindNumber = kinds.push(surface);
				kindNumbers.set(key, kindNumber);
			}
			kind[row] = kindNumber;
			writeRow(values, row, material, cutoff, isMeshFile(meshes[slot]!));
		}
		return { kinds, kind, values };
	},
};
