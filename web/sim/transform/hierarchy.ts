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
	for (let at: EntityHandle | null = parent; at !== null; at = parentOf(world, at.id)) {
		if (at.id === child)
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
		for (let at: number | null = id; at !== null && !checked.has(at); at = parentOf(world, at)?.id ?? null) {
			if (chain.has(at)) throw new ApiError('cycle', `Entity ${at} is its own ancestor.`);
			chain.add(at);
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
 * Returns the slot of what an entity hangs on in space, or null. Rules and assertions are nowhere: nothing hangs
 * there.
 */
export function parentAbove(world: World, slot: number): number | null {
	const parent = parentOf(world, slot);
	return parent !== null && has(world, parent.id, LocalTransform) ? parent.id : null;
}

/** Version of everything that decides parents and children: an entity whose parent is gone has no parent. */
export function hierarchyVersion(world: World): number {
	const links = versionOf(world, Parent, 'entity');
	return count(world, Parent) === 0 ? links : Math.max(links, world.entities.alive.version);
}

/** Ten numbers: position, rotation (quaternion), scale. */
export type PoseMatrix = Float32Array;

function bounded(scale: number): number {
	return Math.min(MAX_SCALE, Math.max(-MAX_SCALE, scale));
}

/** out = parent * local. The three may be the same array. Scale is per axis, without shear, and at most 1e9. */
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
	out[7] = bounded(sx! * tx!);
	out[8] = bounded(sy! * ty!);
	out[9] = bounded(sz! * tz!);
}

/** Poses by slot: three, four and three numbers each. */
export interface PoseColumns {
	readonly position: NumberColumn;
	readonly rotation: NumberColumn;
	readonly scale: NumberColumn;
}

interface NumberColumn {
	[index: number]: number;
	readonly length: number;
}

/** Makes the local poses of all that hang on something global. Those of roots are global already. */
export function composeChildren(world: World, columns: PoseColumns): void {
	const done = new Uint8Array(columns.rotation.length / 4);
	const parent: PoseMatrix = new Float32Array(10);
	const local: PoseMatrix = new Float32Array(10);
	const chain: number[] = [];
	each(world, [Parent, LocalTransform], (child) => {
		// Up to the first that is done, then down again; a loop, as chains may be long.
		let slot = child;
		while (done[slot] === 0) {
			done[slot] = 1;
			const above = parentAbove(world, slot);
			if (above === null) break;
			chain.push(slot);
			slot = above;
		}
		for (let below = chain.pop(); below !== undefined; below = chain.pop()) {
			load(parent, columns, slot);
			load(local, columns, below);
			composePose(local, parent, local);
			store(local, columns, below);
			slot = below;
		}
	});
}

function load(pose: PoseMatrix, { position, rotation, scale }: PoseColumns, slot: number): void {
	for (let i = 0; i < 3; i++) {
		pose[i] = position[slot * 3 + i]!;
		pose[i + 7] = scale[slot * 3 + i]!;
	}
	for (let i = 0; i < 4; i++) pose[i + 3] = rotation[slot * 4 + i]!;
}

function store(pose: PoseMatrix, { position, rotation, scale }: PoseColumns, slot: number): void {
	for (let i = 0; i < 3; i++) {
		position[slot * 3 + i] = pose[i]!;
		scale[slot * 3 + i] = pose[i + 7]!;
	}
	for (let i = 0; i < 4; i++) rotation[slot * 4 + i] = pose[i + 3]!;
}
