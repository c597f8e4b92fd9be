/** Where an entity is in the world, as of the last step. */

import * as z from 'zod';
import { component, quaternion4, vector3 } from '../contract/component.ts';
import { position, rotation, scale } from '../contract/values.ts';

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
		schema: z.strictObject({ position, rotation, scale }),
		from: (row) => row,
	},
	removable: false,
});
