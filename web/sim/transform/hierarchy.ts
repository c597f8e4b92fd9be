/** Parents and children: composing poses down the hierarchy. */

import { MAX_SCALE } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { slotOf } from '../core/entities.ts';
import { add, count, each, get, has, remove, versionOf, type World } from '../core/world.ts';

/** Makes an entity a child of another, or of none. Throws `cycle` if the parent is a descendant of the entity. */
export function setParent(world: World, child: EntityHandle, parent: EntityHandle | null): void {
	if (parent === null) {
		remove(world, child.id, Parent);
		return;
	}
	requireNoCycle(world, child.id, parent);
	add(world, child.id, Parent, { entity: parent });
}

/** Throws `cycle` if the parent that an entity would get is its descendant. */
export function requireNoCycle(world: World, child: number, parent: EntityHandle): void {
	for (
		let ancestor: EntityHandle | null = parent;
		ancestor !== null;
		ancestor = parentOf(world, ancestor.id)
	) {
		if (ancestor.id === child)
			throw new ApiError(
				'cycle',
				`Entity ${parent.id} is a descendant of entity ${child}, so it cannot be its parent.`,
			);
	}
}

/** Throws `cycle` if any of the entities is its own ancestor. */
export function requireNoCycles(world: World, ids: readonly number[]): void {
	const checked = new Set<number>();
	for (const id of ids) {
		const chain = new Set<number>();
		for (
			let ancestor: number | null = id;
			ancestor !== null && !checked.has(ancestor);
			ancestor = parentOf(world, ancestor)?.id ?? null
		) {
			if (chain.has(ancestor)) throw new ApiError('cycle', `Entity ${ancestor} is its own ancestor.`);
			chain.add(ancestor);
		}
		for (const link of chain) checked.add(link);
	}
}

/** Returns the living parent of an entity, or null. */
export function parentOf(world: World, slot: number): EntityHandle | null {
	const parent = get(world, slot, Parent)?.entity ?? null;
	return slotOf(world, parent) < 0 ? null : parent;
}

/**
 * Returns the slot of an entity's parent; null if the entity has none, or if the parent has no pose. Rules and
 * assertions have no pose.
 */
export function parentWithPose(world: World, slot: number): number | null {
	const parent = parentOf(world, slot);
	return parent !== null && has(world, parent.id, LocalTransform) ? parent.id : null;
}

/** Returns the version of all data that determines parents and children. A despawned parent counts as none. */
export function hierarchyVersion(world: World): number {
	const links = versionOf(world, Parent, 'entity');
	return count(world, Parent) === 0 ? links : Math.max(links, world.entities.alive.version);
}

/** Ten numbers: position, rotation (quaternion), scale. */
export type PoseMatrix = Float32Array;

function clampScale(scale: number): number {
	return Math.min(MAX_SCALE, Math.max(-MAX_SCALE, scale));
}

/** Sets `out` to parent * local. The three may be the same array. Scale is per axis, without shear, and at most 1e9. */
export function composePose(out: PoseMatrix, parent: PoseMatrix, local: PoseMatrix): void {
	const [px, py, pz, ax, ay, az, aw, sx, sy, sz] = parent as unknown as number[];
	const [lx, ly, lz, bx, by, bz, bw, tx, ty, tz] = local as unknown as number[];
	const [vx, vy, vz] = [lx! * sx!, ly! * sy!, lz! * sz!];
	// v + 2w(q x v) + 2(q x (q x v))
	const cx = 2 * (ay! * vz - az! * vy);
	const cy = 2 * (az! * vx - ax! * vz);
	const cz = 2 * (ax! * vy - ay! * vx);
	out[0] = px! + vx + aw! * cx + (ay! * cz - az! * cy);
	out[1] = py! + vy + aw! * cy + (az! * cx - ax! * cz);
	out[2] = pz! + vz + aw! * cz + (ax! * cy - ay! * cx);
	out[3] = aw! * bx! + ax! * bw! + ay! * bz! - az! * by!;
	out[4] = aw! * by! - ax! * bz! + ay! * bw! + az! * bx!;
	out[5] = aw! * bz! + ax! * by! - ay! * bx! + az! * bw!;
	out[6] = aw! * bw! - ax! * bx! - ay! * by! - az! * bz!;
	out[7] = clampScale(sx! * tx!);
	out[8] = clampScale(sy! * ty!);
	out[9] = clampScale(sz! * tz!);
}

/** Poses by slot, with three, four and three numbers per slot. */
export interface PoseColumns {
	readonly position: NumberColumn;
	readonly rotation: NumberColumn;
	readonly scale: NumberColumn;
}

interface NumberColumn {
	[index: number]: number;
	readonly length: number;
}

/** Replaces the local poses of children by their global poses. The poses of roots are global already. */
export function composeChildren(world: World, columns: PoseColumns): void {
	const isDone = new Uint8Array(columns.rotation.length / 4);
	const parent: PoseMatrix = new Float32Array(10);
	const local: PoseMatrix = new Float32Array(10);
	const chain: number[] = [];
	each(world, [Parent, LocalTransform], (child) => {
		// Goes up to the first ancestor that is done, then down again. This is a loop, because chains may be long.
		let slot = child;
		while (isDone[slot] === 0) {
			isDone[slot] = 1;
			const parentSlot = parentWithPose(world, slot);
			if (parentSlot === null) break;
			chain.push(slot);
			slot = parentSlot;
		}
		for (let descendant = chain.pop(); descendant !== undefined; descendant = chain.pop()) {
			readPose(parent, columns, slot);
			readPose(local, columns, descendant);
			composePose(local, parent, local);
			writePose(local, columns, descendant);
			slot = descendant;
		}
	});
}

function readPose(pose: PoseMatrix, { position, rotation, scale }: PoseColumns, slot: number): void {
	for (let i = 0; i < 3; i++) {
		pose[i] = position[slot * 3 + i]!;
		pose[i + 7] = scale[slot * 3 + i]!;
	}
	for (let i = 0; i < 4; i++) pose[i + 3] = rotation[slot * 4 + i]!;
}

function writePose(pose: PoseMatrix, { position, rotation, scale }: PoseColumns, slot: number): void {
	for (let i = 0; i < 3; i++) {
		position[slot * 3 + i] = pose[i]!;
		scale[slot * 3 + i] = pose[i + 7]!;
	}
	for (let i = 0; i < 4; i++) rotation[slot * 4 + i] = pose[i + 3]!;
}
