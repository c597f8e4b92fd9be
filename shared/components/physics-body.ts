/** How physics treats an entity. */

import * as z from 'zod';
import { component, words } from '../contract/component.ts';

export const BODY_KINDS = ['Dynamic', 'Static', 'Kinematic'] as const;

export const PhysicsBody = component({
	name: 'physics_body',
	title: 'PhysicsBody',
	scope: 'state',
	summary:
		'Dynamic falls and collides, Static never moves, Kinematic moves by its velocity and through everything',
	fields: { kind: words(BODY_KINDS, 'Kind of body') },
	readout: { schema: z.enum(BODY_KINDS), from: (row) => row.kind },
});
