/**
 * Poses of child entities: in the world, and relative to the parent.
 * Owns: composing them as the engine does, and finding entities that move together. Never: asks the engine.
 */

import type { Entity, EntityPose, Quaternion, Vector } from './entity.ts';

const IDENTITY: EntityPose = { position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] };

export type ById = ReadonlyMap<number, Entity>;

export const byId = (list: readonly Entity[]): ById => new Map(list.map((entity) => [entity.id, entity]));

/** Returns the living parent of an entity, if it has a pose; otherwise undefined. */
export function parentOf(entity: Entity, all: ById): Entity | undefined {
	const { parent } = entity;
	const candidate = parent == null ? undefined : all.get(parent.id);
	const isAlive = candidate?.generation === parent?.generation;
	return isAlive && candidate?.local_transform !== undefined ? candidate : undefined;
}

/** Returns the pose of an entity in the world; undefined if it has none. */
export function worldPose(entity: Entity, all: ById): EntityPose | undefined {
	if (entity.local_transform === undefined) return undefined;
	let pose = entity.local_transform;
	for (let ancestor = parentOf(entity, all); ancestor !== undefined; ancestor = parentOf(ancestor, all))
		pose = composePoses(ancestor.local_transform!, pose);
	return pose;
}

/** Converts a pose in the world to one relative to the parent of an entity. */
export function localPose(pose: EntityPose, entity: Entity, all: ById): EntityPose {
	const parent = parentOf(entity, all);
	return relativePose(pose, parent === undefined ? IDENTITY : worldPose(parent, all)!);
}

function composePoses(parent: EntityPose, child: EntityPose): EntityPose {
	const offset = child.position.map((part, i) => part * parent.scale[i]!) as unknown as Vector;
	return {
		position: addScaled(parent.position, rotate(offset, parent.rotation)),
		rotation: multiply(parent.rotation, child.rotation),
		scale: child.scale.map((part, i) => part * parent.scale[i]!) as unknown as Vector,
	};
}

function relativePose(pose: EntityPose, parent: EntityPose): EntityPose {
	const [x, y, z, w] = parent.rotation;
	const inverse: Quaternion = [-x, -y, -z, w];
	const offset = rotate(addScaled(pose.position, parent.position, -1), inverse);
	return {
		position: offset.map((part, i) => part / (parent.scale[i]! || 1)) as unknown as Vector,
		rotation: multiply(inverse, pose.rotation),
		scale: pose.scale.map((part, i) => part / (parent.scale[i]! || 1)) as unknown as Vector,
	};
}

const addScaled = (a: Vector, b: Vector, sign = 1): Vector => [
	a[0] + sign * b[0],
	a[1] + sign * b[1],
	a[2] + sign * b[2],
];

function multiply([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

function rotate([x, y, z]: Vector, [qx, qy, qz, qw]: Quaternion): Vector {
	const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
	return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx];
}

/** Returns the descendants of some entities, the nearest first. */
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
	const descendants: Entity[] = [];
	const visited = new Set(ids);
	for (const queue = [...ids]; queue.length > 0; )
		for (const child of children.get(queue.shift()!) ?? []) {
			if (visited.has(child.id)) continue;
			visited.add(child.id);
			descendants.push(child);
			queue.push(child.id);
		}
	return descendants;
}

/** Returns the entities that are not descendants of another entity in `entities`. */
export function topmost(entities: readonly Entity[], list: readonly Entity[]): readonly Entity[] {
	const all = byId(list);
	const ids = new Set(entities.map(({ id }) => id));
	return entities.filter((entity) => {
		for (let ancestor = parentOf(entity, all); ancestor !== undefined; ancestor = parentOf(ancestor, all))
			if (ids.has(ancestor.id)) return false;
		return true;
	});
}
