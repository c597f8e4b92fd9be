/** Marks who keeps to the ground of the navigation mesh. */

import { component, scalar, spawnedAs } from '../contract/component.ts';
import { number, optional } from '../contract/values.ts';

const height = number('How far above the ground of the navigation mesh its origin is kept', {
	unit: 'm',
	min: -1000,
	max: 1000,
});

export const Grounded = component({
	name: 'grounded',
	title: 'Grounded',
	scope: 'state',
	summary:
		'Keeps to the ground of the navigation mesh, whatever leads it: keys, goals, fights, scripts or a path. It goes up and down with the ground, and not where nobody can walk. A Kinematic body only; without a mesh, or beside it, it moves freely',
	fields: { height: scalar('f32', height.description!, { unit: 'm', range: [-1000, 1000] }) },
	spawn: spawnedAs('grounded', 'height', optional(height)),
});
