/** What an entity looks like: its shape. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';

export const PRIMITIVES = ['cube', 'sphere', 'plane', 'cylinder', 'cone'] as const;

export const Mesh = component({
	name: 'mesh',
	title: 'Mesh',
	scope: 'state',
	summary: 'The shape that is drawn: cube, sphere, plane, cylinder, cone, or the path of a model file',
	fields: { mesh: json<string>(z.string(), 'cube', 'Name of a primitive, or a path') },
	readout: { schema: z.string(), from: (row) => row.mesh },
});
