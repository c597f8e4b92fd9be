/** Pose of an entity relative to its parent. It is always current. */

import { type Companion, component, listOf, quaternion4, vector3 } from '../contract/component.ts';
import { optional, position, quaternion, scale } from '../contract/values.ts';
import { GlobalTransform } from './global-transform.ts';

type Quaternion = readonly [number, number, number, number];

/** Returns the unit quaternion of the same rotation. */
export function normalizeRotation([x, y, z, w]: Quaternion): Quaternion {
	const length = Math.sqrt(x * x + y * y + z * z + w * w);
	return [x / length, y / length, z / length, w / length];
}

/** Components that an entity with a pose also gets. */
const COMPANIONS: readonly Companion[] = [[GlobalTransform, {}]];

export const LocalTransform = component({
	name: 'local_transform',
	title: 'LocalTransform',
	scope: 'state',
	summary: 'Pose relative to the parent, or to the world without a parent; always current',
	fields: {
		position: vector3('Position', 'm'),
		rotation: quaternion4('Rotation'),
		scale: vector3('Scale on each axis; colliders are not scaled', 'factor', [1, 1, 1]),
	},
	spawn: {
		fields: {
			position: optional(position),
			rotation: optional(quaternion('Rotation')),
			scale: optional(scale),
		},
		row: ({ position, rotation, scale }) => ({
			position: position ?? [0, 0, 0],
			rotation: normalizeRotation(rotation ?? [0, 0, 0, 1]),
			scale: scale ?? [1, 1, 1],
		}),
		describe: (row) =>
			row === undefined
				? {}
				: { position: listOf(row.position), rotation: listOf(row.rotation), scale: listOf(row.scale) },
		brings: () => COMPANIONS,
	},
	removable: false,
});
