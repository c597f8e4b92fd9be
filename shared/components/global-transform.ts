/** Where an entity is in the world, as of the last step. */

import * as z from 'zod';
import { component, quaternion4, vector3 } from '../contract/component.ts';
import { place, rotation, vec3 } from '../contract/values.ts';

/** Scale of what hangs on something is at most this, and so every place on a chain of any length is a finite number. */
export const MOST_SCALE = 1e9;

export const GlobalTransform = component({
	name: 'global_transform',
	title: 'GlobalTransform',
	scope: 'state',
	summary: 'Read-only pose in the world, computed from the hierarchy once per step',
	fields: {
		position: vector3('Position', 'm'),
		rotation: quaternion4('Rotation'),
		scale: vector3(
			'Scale on each axis, with those of all parents; held at 1e9 either way',
			'factor',
			[1, 1, 1],
		),
	},
	readout: {
		key: 'transform',
		schema: z.strictObject({
			position: place,
			rotation,
			scale: vec3('Scale on each axis, with those of all parents', {
				unit: 'factor',
				min: -MOST_SCALE,
				max: MOST_SCALE,
			}),
		}),
		from: (row) => row,
	},
	removable: false,
});
