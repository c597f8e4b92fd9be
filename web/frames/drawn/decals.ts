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

const NO_DECALS: readonly FrameDecal[] = [];
const WHITE: [number, number, number, number] = [1, 1, 1, 1];
const memos = new WeakMap<World, { readonly key: string; readonly value: readonly FrameDecal[] }>();

/** Returns the decals of a world. The list stays the same object while no decal changes. */
function currentDecals(world: World): readonly FrameDecal[] {
	if (count(world, Decal) === 0) return NO_DECALS;
	const key = [
		versionOf(world, Decal, 'size', 'soft'),
		versionOf(world, LocalTransform, 'position', 'rotation'),
		versionOf(world, Parent, 'entity'),
		versionOf(world, Material, 'name', 'values'),
		versionOf(world, Color, 'color'),
		resourceVersion(world, MaterialRegistry),
	].join();
	const cached = memos.get(world);
	if (cached?.key === key) return cached.value;
	const decals = decalsOf(world);
	const isSame = cached !== undefined && JSON.stringify(cached.value) === JSON.stringify(decals);
	const value = isSame ? cached.value : decals;
	memos.set(world, { key, value });
	return value;
}

function decalsOf(world: World): FrameDecal[] {
	const decals: FrameDecal[] = [];
	const { position, rotation } = currentPoses(world);
	each(world, [Decal, LocalTransform], (id) => {
		const { size, soft } = get(world, id, Decal)!;
		const vectorOf = (column: ArrayLike<number>, length: number) =>
			Array.from({ length }, (_, axis) => column[id * length + axis]!);
		decals.push({
			id,
			position: vectorOf(position, 3) as unknown as FrameDecal['position'],
			rotation: vectorOf(rotation, 4) as unknown as FrameDecal['rotation'],
			size: [size[0]!, size[1]!],
			soft,
			material: materialOf(world, id),
		});
	});
	return decals;
}

function materialOf(world: World, id: number): WholeMaterial {
	const materialRow = get(world, id, Material);
	const whole =
		materialRow === undefined
			? DEFAULT_MATERIAL
			: wholeMaterial(world, materialRow.name, materialRow.values as MaterialValues);
	if (whole.albedo !== null) return whole;
	if (!has(world, id, Color)) return { ...whole, albedo: WHITE };
	const [red, green, blue] = colorBytes(read(world, Color, 'color')[id]!);
	return { ...whole, albedo: [red / 255, green / 255, blue / 255, 1] };
}

export const decals: DrawnBlock<readonly FrameDecal[]> = {
	version: (world) => identityOf(currentDecals(world)),
	read: currentDecals,
};
