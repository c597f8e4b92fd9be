/** Kind of an entity's physics body. */

import * as z from 'zod';
import { component, singleValueSpawn, words } from '../contract/component.ts';
import { optional, word } from '../contract/values.ts';
import { Velocity } from './velocity.ts';

export const BODY_KINDS = ['Dynamic', 'Static', 'Kinematic'] as const;

export const PhysicsBody = component({
	name: 'physics_body',
	title: 'PhysicsBody',
	scope: 'state',
	summary:
		'Dynamic: falls and collides; Static: never moves; Kinematic: moves by its velocity only; nothing stops it, and it pushes Dynamic bodies',
	fields: { kind: words(BODY_KINDS, 'Kind of body') },
	readout: { schema: z.enum(BODY_KINDS), from: (row) => row.kind },
	spawn: {
		...singleValueSpawn(
			'physics_body',
			'kind',
			optional(word(BODY_KINDS, 'Kind of body. Dynamic and Kinematic also get a velocity')),
		),
		brings: ({ kind }) => (kind === 'Static' ? [] : [[Velocity, {}]]),
	},
});
