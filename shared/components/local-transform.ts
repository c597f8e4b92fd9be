/** Where an entity is, relative to its parent; always current. */

import { component, quaternion4, vector3 } from '../contract/component.ts';

export const LocalTransform = component({
	name: 'local_transform',
	title: 'LocalTransform',
	scope: 'state',
	summary: 'Pose relative to the parent, or to the world when there is none; always current',
	fields: {
		position: vector3('Position', 'm'),
		rotation: quaternion4('Rotation'),
		scale: vector3('Scale on each axis; colliders are not scaled', 'factor', [1, 1, 1]),
	},
});
