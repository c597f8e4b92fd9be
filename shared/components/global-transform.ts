/** Pose of an entity in the world, after the last step. */

import * as z from 'zod';
import { component, quaternion4, vector3 } from '../contract/component.ts';
import { place, rotation, vec3 } from '../contract/values.ts';

/** Maximum scale of an entity with a parent. It keeps every pose finite, in a hierarchy of any depth. */
export const MAX_SCALE = 1e9;

export const GlobalTransform = component({
	name: 'global_transform',
	title: 'GlobalTransform',
	scope: 'state',
	summary: 'Read-only pose in the world, computed from the hierarchy once per tick',
	fields: {
		position: vector3('Position', 'm'),
		rotation: quaternion4('Rotation'),
		scale: vector3(
			'Scale on each axis, including the scales of all parents; limited to -1e9..1e9',
			'factor',
			[1, 1, 1],
		),
	},
	readout: {
		key: 'transform',
		schema: z.strictObject({
			position: place,
			rotation,
			scale: vec3('Scale on each axis, including the scales of all parents', {
				unit: 'factor',
				min: -MAX_SCALE,
				max: MAX_SCALE,
			}),
		}),
	},
	removable: false,
});
