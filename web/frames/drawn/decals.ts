/** Poses and materials of decals. */

import { Color } from '../../../shared/components/color.ts';
import { Decal } from '../../../shared/components/decal.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Material } from '../../../shared/components/material.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { DEFAULT_MATERIAL, type MaterialValues, type WholeMaterial } from '../../../shared/media/material.ts';
import { colorBytes } from '../../../shared/media/palette.ts';
import { resourceVersion } from '../../sim/core/resource.ts';
import { count, each, get, has, read, versionOf, type World } from '../../sim/core/world.ts';
import { MaterialRegistry, wholeMaterial } from '../../sim/looks/materials.ts';
import { currentPoses } from '../../sim/transform/poses-now.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

export interface FrameDecal {
	readonly id: number;
	readonly position: readonly [number, number, number];
	/** Unit quaternion. */
	readonly rotation: readonly [number, number, number, number];
	/** Sides along x and z (m). */
	readonly size: readonly [number, number];
	readonly soft: number;
	/** `albedo` is never null. */
	readonly material: WholeMaterial;
}

const NONE: readonly FrameDecal[] = [];
const WHITE: [number, number, number, number] = [1, 1, 1, 1];
const last = new WeakMap<World, { readonly key: string; readonly value: readonly FrameDecal[] }>();

/** Returns the decals of a world. The list stays the same object while no decal changes. */
function now(world: World): readonly FrameDecal[] {
	if (count(world, Decal) === 0) return NONE;
	const key = [
		versionOf(world, Decal, 'size', 'soft'),
		versionOf(world, LocalTransform, 'position', 'rotation'),
		versionOf(world, Parent, 'entity'),
		versionOf(world, Material, 'name', 'values'),
		versionOf(world, Color, 'color'),
		resourceVersion(world, MaterialRegistry),
	].join();
	const cached = last.get(world);
	if (cached?.key === key) return cached.value;
	const decals = decalsOf(world);
	const isSame = cached !== undefined && JSON.stringify(cached.value) === JSON.stringify(decals);
	const value = isSame ? cached.value : decals;
	last.set(world, { key, value });
	return value;
}

function decalsOf(world: World): FrameDecal[] {
	const found: FrameDecal[] = [];
	const { position, rotation } = currentPoses(world);
	each(world, [Decal, LocalTransform], (id) => {
		const { size, soft } = get(world, id, Decal)!;
		const part = (column: ArrayLike<number>, length: number) =>
			Array.from({ length }, (_, axis) => column[id * length + axis]!);
		found.push({
			id,
			position: part(position, 3) as unknown as FrameDecal['position'],
			rotation: part(rotation, 4) as unknown as FrameDecal['rotation'],
			size: [size[0]!, size[1]!],
			soft,
			material: lookOf(world, id),
		});
	});
	return found;
}

function lookOf(world: World, id: number): WholeMaterial {
	const row = get(world, id, Material);
	const whole =
		row === undefined ? DEFAULT_MATERIAL : wholeMaterial(world, row.name, row.values as MaterialValues);
	if (whole.albedo !== null) return whole;
	if (!has(world, id, Color)) return { ...whole, albedo: WHITE };
	const [red, green, blue] = colorBytes(read(world, Color, 'color')[id]!);
	return { ...whole, albedo: [red / 255, green / 255, blue / 255, 1] };
}

export const decals: DrawnBlock<readonly FrameDecal[]> = {
	version: (world) => identityOf(now(world)),
	read: now,
};
