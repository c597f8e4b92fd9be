/** Terrain: ground as a grid of heights. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { listLength, optional } from '../contract/values.ts';
import { groundSchema, type TerrainGround, weighGround } from '../media/terrain.ts';
import { GlobalTransform } from './global-transform.ts';
import { LocalTransform } from './local-transform.ts';

const terrainReadout = z.strictObject({
	width: z.int().describe('Points along x'),
	height: z.int().describe('Points along z'),
	cell_size: z.number().describe('Distance between neighbouring points (m)'),
	chunks: listLength,
});

export const Terrain = component({
	name: 'terrain',
	title: 'Terrain',
	scope: 'state',
	summary:
		'Ground as a grid of heights, with its corner at the entity; a fixed obstacle. GET /terrain/heights reads them; despawn the entity to remove it',
	fields: {
		ground: json<TerrainGround | null>(groundSchema.nullable(), null, 'Heights of the points', {
			documentField: 'terrain',
			weigh: weighGround,
		}),
	},
	readout: {
		schema: terrainReadout.nullable(),
		from: ({ ground }) => {
			if (ground === null) return null;
			const { width, height, cell_size, chunks } = ground;
			return { width, height, cell_size, chunks: chunks.length };
		},
	},
	spawn: {
		fields: { terrain: optional(groundSchema) },
		row: ({ terrain }) => (terrain == null ? null : { ground: terrain }),
		describe: (row) => ({ terrain: row?.ground ?? undefined }),
		// Ground needs a position, also for an entity without one, such as a rule.
		brings: () => [
			[LocalTransform, {}],
			[GlobalTransform, {}],
		],
	},
	removable: false,
	whole: true,
});
