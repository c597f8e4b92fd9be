/** Routes of the tag Terrain. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import {
	entityId,
	existingEntityId,
	flag,
	generation,
	integer,
	listLength,
	message,
	number,
	optional,
	position,
	word,
} from '../contract/values.ts';
import { cellSize, LAYERS, MAX_POINTS, side } from '../media/terrain.ts';

const shared = { tag: 'Terrain' } as const;
const MAX_COORDINATE = 1e5;
const coordinate = (axis: string) =>
	number(`Position along ${axis}, from the corner of the terrain`, {
		unit: 'm',
		min: -MAX_COORDINATE,
		max: MAX_COORDINATE,
	});
const heightField = number('Height above the terrain', { unit: 'm', min: -10_000, max: 10_000 });
const rows = z
	.array(z.array(z.number().min(-10_000).max(10_000)).min(1).max(MAX_POINTS))
	.min(1)
	.max(MAX_POINTS)
	.refine((all) => all.every(({ length }) => length === all[0]!.length), 'all rows must have the same length')
	.describe('Heights (m) in rows along x, one row after another along z');
const terrainSelection = {
	entity_id: optional(existingEntityId).describe('Terrain; left out: the first one by id'),
	entity_generation: optional(generation).describe(
		'Its generation; refused if another entity has the slot now',
	),
};
const space = word(
	['terrain', 'world'],
	'Origin of x and z: the corner of the terrain, or the origin of the world',
).default('terrain');
const createCall = { path: '/terrain/create', body: { width: 33, height: 33 } };

const hills = {
	seed: integer('Seed of the hills').default(0),
	scale: number('Width of the widest hills', { unit: 'm', min: 0.1, max: 1e4 }).default(24),
	octaves: integer('Number of layers of hills, each half as wide and half as high as the one before', {
		min: 1,
		max: 8,
	}).default(4),
};

const summary = {
	entity_id: entityId,
	entity_generation: generation,
	width: z.int().describe('Points along x'),
	height: z.int().describe('Points along z'),
	cell_size: z.number().describe('Distance between neighbouring points (m)'),
	world_width: z.number().describe('Extent along x (m)'),
	world_depth: z.number().describe('Extent along z (m)'),
	position: z.tuple([z.number(), z.number(), z.number()]).describe('Position of its corner [x, y, z] (m)'),
	lowest: z.number().describe('Lowest height (m)'),
	highest: z.number().describe('Highest height (m)'),
};

export const createTerrain = route({
	...shared,
	id: 'terrain.create',
	method: 'POST',
	path: '/terrain/create',
	cli: ['terrain', 'create'],
	summary: 'Creates a terrain: ground as a grid of heights; flat without heights or noise',
	description:
		'An entity with a component "terrain" is its corner, at the lowest x and z; columns go along x and rows along z. It is a fixed obstacle for bodies. Despawn the entity to remove it.',
	effect: 'write',
	body: z.strictObject({
		width: optional(side('Points along x; left out: 64, or as many as heights has')),
		height: optional(side('Points along z; left out: 64, or as many rows as heights has')),
		cell_size: cellSize.default(1),
		position: optional(
			position.describe('Position of its corner, or with "centered" of its middle [x, y, z] (m)'),
		),
		centered: flag('Uses position for its middle instead of its corner').default(false),
		heights: optional(rows),
		noise: optional(
			z
				.strictObject({ ...hills, amount: heightField.describe('Height of the hills (m)').default(6) })
				.describe('Random hills, added to the heights'),
		),
	}),
	answer: z.strictObject({ ok: z.literal(true), ...summary }),
	makes: {
		thing: 'entity',
		named: { entity: '$response.body#/entity_id' },
	},
	errors: ['bad_stroke', 'world_full'],
	examples: [
		{ name: 'A flat one', body: { width: 64, height: 64, cell_size: 1 } },
		{
			name: 'Hills around the origin',
			body: { width: 129, height: 129, cell_size: 0.5, centered: true, noise: { seed: 7, amount: 5 } },
		},
	],
});

export const editTerrain = route({
	...shared,
	id: 'terrain.edit',
	method: 'POST',
	path: '/terrain/edit',
	cli: ['terrain', 'edit'],
	summary: 'Edits a terrain with one stroke of a round brush, or sets heights from a list',
	description:
		'raise, lower: change the height by amount (m) in the middle of the brush, fading to 0 at its edge. flatten: moves heights by the share amount towards height. smooth: towards the mean of the neighbours. paint: the ground towards a layer. noise: adds hills of height amount; with all, everywhere. set: writes heights into the grid, starting at x and z. A stroke that touches no point is refused.',
	effect: 'write',
	body: z.strictObject({
		...terrainSelection,
		op: word(['raise', 'lower', 'flatten', 'smooth', 'paint', 'noise', 'set'], 'Kind of stroke').default(
			'raise',
		),
		x: coordinate('x'),
		z: coordinate('z'),
		space,
		radius: number('Radius of the brush', { unit: 'm', min: 1e-3, max: 1e4 }).default(3),
		amount: number('Strength: metres, or for flatten, smooth and paint a share from 0 to 1', {
			min: -10_000,
			max: 10_000,
		}).default(0.5),
		height: optional(
			heightField.describe('flatten: the target height (m); left out: that under the middle of the brush'),
		),
		layer: optional(word(LAYERS, 'paint: the layer')),
		heights: optional(rows).describe(
			'set: heights (m) in rows along x, starting at the point nearest to x and z',
		),
		...hills,
		all: flag('noise: on the whole terrain').default(false),
	}),
	answer: message.extend({
		entity_id: entityId,
		changed: z.int().describe('Number of changed points'),
		chunks: z.int().describe('Number of chunks of 32 x 32 points that changed'),
		lowest: summary.lowest,
		highest: summary.highest,
	}),
	errors: ['bad_stroke', 'entity_not_found', 'stale_handle'],
	inside: ['no_terrain'],
	examples: [
		{ name: 'A hill', given: [createCall], body: { op: 'raise', x: 16, z: 16, radius: 8, amount: 4 } },
		{
			name: 'A level area',
			given: [createCall],
			body: { op: 'flatten', x: 16, z: 16, radius: 6, amount: 1, height: 2 },
		},
		{
			name: 'A sandy area',
			given: [createCall],
			body: { op: 'paint', x: 8, z: 8, radius: 4, amount: 1, layer: 'sand' },
		},
		{
			name: 'Heights from a list',
			given: [createCall],
			body: {
				op: 'set',
				x: 0,
				z: 0,
				heights: [
					[1, 2],
					[2, 3],
				],
			},
		},
	],
});

const surfaceFields = {
	height: z.number().nullable().describe('Height of the ground (m); null outside of the terrain'),
	normal: z
		.tuple([z.number(), z.number(), z.number()])
		.nullable()
		.describe('Surface normal, of length 1; null outside of the terrain'),
};

export const terrainHeight = route({
	...shared,
	id: 'terrain.height',
	method: 'GET',
	path: '/terrain/height',
	cli: ['terrain', 'height'],
	summary: 'Height of the ground at one position; POST takes many positions',
	effect: 'read',
	query: z.strictObject({
		x: z.coerce
			.number()
			.min(-MAX_COORDINATE)
			.max(MAX_COORDINATE)
			.describe('Position along x, from the corner of the terrain (m)'),
		z: z.coerce
			.number()
			.min(-MAX_COORDINATE)
			.max(MAX_COORDINATE)
			.describe('Position along z, from the corner of the terrain (m)'),
		space,
		entity_id: optional(z.coerce.number().int().min(0).max(0xffffffff))
			.describe('Terrain; left out: the first one by id')
			.meta(namesThing('entity')),
	}),
	answer: z.strictObject({ ok: z.literal(true), entity_id: entityId, ...surfaceFields }),
	errors: ['no_terrain', 'bad_stroke', 'entity_not_found'],
	examples: [{ name: 'One position', given: [createCall], path: '/terrain/height?x=4&z=7.5' }],
});

export const terrainHeights = route({
	...shared,
	id: 'terrain.heightMany',
	method: 'POST',
	path: '/terrain/height',
	cli: ['terrain', 'height-many'],
	summary: 'Heights of the ground at many positions',
	effect: 'read',
	body: z.strictObject({
		...terrainSelection,
		space,
		points: z
			.array(z.tuple([coordinate('x'), coordinate('z')]))
			.min(1)
			.max(10_000)
			.describe('Positions [x, z] (m)'),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: entityId,
		heights: z
			.array(surfaceFields.height)
			.describe('Height of each position (m); null outside of the terrain'),
		normals: z.array(surfaceFields.normal).describe('Surface normal of each position'),
		count: listLength,
	}),
	errors: ['no_terrain', 'bad_stroke', 'entity_not_found', 'stale_handle'],
	examples: [
		{
			name: 'Three positions',
			given: [createCall],
			body: {
				points: [
					[0, 0],
					[4, 7.5],
					[100, 0],
				],
			},
		},
	],
});

export const readTerrain = route({
	...shared,
	id: 'terrain.heights',
	method: 'GET',
	path: '/terrain/heights',
	cli: ['terrain', 'heights'],
	summary: 'All heights of a terrain, in the rows that /terrain/create and "op": "set" take',
	effect: 'read',
	query: z.strictObject({
		entity_id: optional(z.coerce.number().int().min(0).max(0xffffffff))
			.describe('Terrain; left out: the first one by id')
			.meta(namesThing('entity')),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		...summary,
		heights: z.array(z.array(z.number())).describe('Heights (m) in rows along x'),
	}),
	errors: ['no_terrain', 'entity_not_found'],
	examples: [{ name: 'Read one', given: [{ path: '/terrain/create', body: { width: 3, height: 2 } }] }],
});

export const listTerrains = route({
	...shared,
	id: 'terrain.list',
	method: 'GET',
	path: '/terrain/list',
	cli: ['terrain', 'list'],
	summary: 'The terrains, in id order',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		terrains: z.array(z.strictObject(summary)),
		count: listLength,
	}),
	errors: [],
	examples: [{ name: 'List them', given: [createCall] }],
});
