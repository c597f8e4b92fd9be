/**
 * Poses of entities that are children of others: in the world, and relative to the parent.
 * Owns: composing them as the engine does, and which entities move together. Never: asks the engine.
 */

import type { Entity, EntityPose, Quaternion, Vector } from './entity.ts';

const REST: EntityPose = { position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] };

export type ById = ReadonlyMap<number, Entity>;

export const byId = (list: readonly Entity[]): ById => new Map(list.map((entity) => [entity.id, entity]));

/** Returns the living parent of an entity that has a place; undefined without one. */
export function parentOf(entity: Entity, all: ById): Entity | undefined {
	const { parent } = entity;
	const found = parent == null ? undefined : all.get(parent.id);
	return found?.generation === parent?.generation && found?.local_transform !== undefined ? found : undefined;
}

/** Place of an entity in the world; undefined if it has none. */
export function worldPose(entity: Entity, all: ById): EntityPose | undefined {
	if (entity.local_transform === undefined) return undefined;
	let pose = entity.local_transform;
	for (let at = parentOf(entity, all); at !== undefined; at = parentOf(at, all))
		pose = composed(at.local_transform!, pose);
	return pose;
}

/** Returns a pose of the world, relative to the parent of an entity. */
export function localPose(pose: EntityPose, entity: Entity, all: ById): EntityPose {
	const parent = parentOf(entity, all);
	return relative(pose, parent === undefined ? REST : worldPose(parent, all)!);
}

function composed(parent: EntityPose, child: EntityPose): EntityPose {
	const offset = child.position.map((part, i) => part * parent.scale[i]!) as unknown as Vector;
	return {
		position: plus(parent.position, rotated(offset, parent.rotation)),
		rotation: times(parent.rotation, child.rotation),
		scale: child.scale.map((part, i) => part * parent.scale[i]!) as unknown as Vector,
	};
}

function relative(pose: EntityPose, parent: EntityPose): EntityPose {
	const [x, y, z, w] = parent.rotation;
	const back: Quaternion = [-x, -y, -z, w];
	const offset = rotated(plus(pose.position, parent.position, -1), back);
	return {
		position: offset.map((part, i) => part / (parent.scale[i]! || 1)) as unknown as Vector,
		rotation: times(back, pose.rotation),
		scale: pose.scale.map((part, i) => part / (parent.scale[i]! || 1)) as unknown as Vector,
	};
}

const plus = (a: Vector, b: Vector, sign = 1): Vector => [
	a[0] + sign * b[0],
	a[1] + sign * b[1],
	a[2] + sign * b[2],
];

function times([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

function rotated([x, y, z]: Vector, [qx, qy, qz, qw]: Quaternion): Vector {
	const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
	return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx];
}

/** Returns the entities below some others, the nearest first. */
export function descendantsOf(ids: ReadonlySet<number>, list: readonly Entity[]): readonly Entity[] {
	const children = new Map<number, Entity[]>();
	const all = byId(list);
	for (const entity of list) {
		const parent = parentOf(entity, all);
		if (parent === undefined) continue;
		const siblings = children.get(parent.id);
		if (siblings === undefined) children.set(parent.id, [entity]);
		else siblings.push(entity);
	}
	const found: Entity[] = [];
	const visited = new Set(ids);
	for (const next = [...ids]; next.length > 0; )
		for (const child of children.get(next.shift()!) ?? []) {
			if (visited.has(child.id)) continue;
			visited.add(child.id);
			found.push(child);
			next.push(child.id);
		}
	return found;
}

/** Those of some entities that are not below another of them. */
export function topmost(entities: readonly Entity[], list: readonly Entity[]): readonly Entity[] {
	const all = byId(list);
	const ids = new Set(entities.map(({ id }) => id));
	return entities.filter((entity) => {
		for (let at = parentOf(entity, all); at !== undefined; at = parentOf(at, all))
			if (ids.has(at.id)) return false;
		return true;
	});
}
