/** Marks entities that keep to the ground of the navigation mesh. */

import { component, scalar, singleValueSpawn } from '../contract/component.ts';
import { number, optional } from '../contract/values.ts';

const height = number('Height of its origin above the ground of the navigation mesh', {
	unit: 'm',
	min: -1000,
	max: 1000,
});

export const Grounded = component({
	name: 'grounded',
	title: 'Grounded',
	scope: 'state',
	summary:
		'Keeps a Kinematic body on the ground of the navigation mesh, however it moves: by keys, goals, fights, scripts or a path. It follows the ground up and down and cannot leave the mesh. Without a mesh, or beside it, it moves freely',
	fields: { height: scalar('f32', height.description!, { unit: 'm', range: [-1000, 1000] }) },
	spawn: singleValueSpawn('grounded', 'height', optional(height)),
});
