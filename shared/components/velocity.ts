/** Movement of an entity. */

import * as z from 'zod';
import { component, listOf, vector3 } from '../contract/component.ts';
import { optional, vec3 } from '../contract/values.ts';

export const velocityDocument = z
	.strictObject({
		linear: vec3('Linear velocity', { unit: 'm/s', min: -1e4, max: 1e4 }),
		angular: vec3('Angular velocity: rotation axis times speed', {
			unit: 'rad/s',
			min: -1e3,
			max: 1e3,
		}).default([0, 0, 0]),
	})
	.describe('Velocity')
	.meta({ id: 'Velocity' });

export const Velocity = component({
	name: 'velocity',
	title: 'Velocity',
	scope: 'state',
	summary: 'Linear and angular velocity; it moves only entities with a physics body',
	fields: {
		linear: vector3('Linear velocity; limited to 1e6', 'm/s'),
		angular: vector3('Angular velocity: rotation axis times speed; limited to 1e6', 'rad/s'),
	},
	spawn: {
		fields: { velocity: optional(velocityDocument) },
		row: ({ velocity }) => velocity ?? null,
		describe: (row) => ({
			velocity: row && { linear: listOf(row.linear), angular: listOf(row.angular) },
		}),
	},
});
