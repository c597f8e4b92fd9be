/** How an entity moves. */

import { component, vector3 } from '../contract/component.ts';

export const Velocity = component({
	name: 'velocity',
	title: 'Velocity',
	scope: 'state',
	summary: 'Linear and angular velocity; moves an entity only together with a physics body',
	fields: {
		linear: vector3('Linear velocity', 'm/s'),
		angular: vector3('Angular velocity, axis times speed', 'rad/s'),
	},
});
