/** Routes of the tag Terrain about foliage. */

import * as z from 'zod';
import { colorText } from '../components/color.ts';
import { namesAsset } from '../contract/asset-mark.ts';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import {
	existingEntityId,
	flag,
	generation,
	integer,
	listLength,
	message,
	optional,
	text,
} from '../contract/values.ts';
import { foliageFields, foliageLayer, MAX_LAYERS, MAX_PLANTS, PLANTS } from '../documents/foliage.ts';

const shared = { tag: 'Terrain' } as const;
const { density, area_min, area_max, min_scale, max_scale, max_distance, seed, wind, max_slope } =
	foliageFields;
const layerId = integer('Id of a layer of foliage').meta(namesThing('foliage'));
const ground = {
	path: '/terrain/create',
	body: { width: 65, height: 65, centered: true, noise: { amount: 4 } },
};

export const scatterFoliage = route({
	...shared,
	id: 'foliage.scatter',
	method: 'POST',
	path: '/foliage/scatter',
	cli: ['foliage', 'scatter'],
	summary: 'Adds plants to an area, on its ground',
	description: `One plant per 1/density square metres, at a random position within that square. Equal seeds give equal plants in every world. Plants follow the terrain when it is edited and do not collide. GET /foliage/list shows layers, not plants. A world has at most ${MAX_PLANTS} plants in ${MAX_LAYERS} layers.`,
	effect: 'view',
	owner: ['made'],
	body: z.strictObject({
		mesh_name: text(`Plant: ${PLANTS.join(', ')}, or a glTF model by its path, name or hash`, 200)
			.meta({ ...namesAsset('model'), examples: [...PLANTS] })
			.default('cube'),
		density: density.default(0.5),
		area_min: area_min.default([-20, 0, -20]),
		area_max: area_max.default([20, 0, 20]),
		min_scale: min_scale.default(0.8),
		max_scale: max_scale.default(1.2),
		max_distance: max_distance.default(100),
		seed: optional(seed).describe('Seed of their positions; left out: a different one for each layer'),
		color: optional(colorText).describe(
			'Colour of the leaves, or of a model as for entities; left out: that of the plant',
		),
		wind: optional(wind).describe(
			'Sway in the wind. 0: none. 1: as much as grass. Left out: as usual for the plant',
		),
		max_slope: max_slope.default(1),
		entity_id: optional(existingEntityId).describe(
			'Terrain they grow on, and nowhere else; left out: any ground below them',
		),
		entity_generation: optional(generation).describe(
			'Its generation; refused if another entity has the slot now',
		),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		id: z.int().describe('Id of the new layer'),
		instance_count: z.int().describe('Current number of plants'),
		mesh: foliageLayer.shape.mesh,
		density,
		seed,
		warnings: z.array(z.string()).optional(),
	}),
	makes: { thing: 'foliage', named: { foliage: '$response.body#/id' } },
	errors: ['bad_foliage', 'world_full', 'no_terrain', 'entity_not_found', 'stale_handle'],
	inside: ['unknown_mesh', 'no_registry'],
	examples: [
		{ name: 'A meadow', given: [ground], body: { mesh_name: 'grass', density: 4, max_distance: 60 } },
		{
			name: 'A forest on the slopes',
			given: [ground],
			body: { mesh_name: 'pine', density: 0.05, min_scale: 0.7, max_scale: 1.4, seed: 3 },
		},
	],
});

const listedLayer = z.strictObject({
	index: z.int().describe('Index in the list'),
	...foliageLayer.omit({ terrain: true }).shape,
	instance_count: z.int().describe('Current number of plants'),
	entity_id: z.int().nullable().describe('Terrain they grow on, or null'),
});

export const listFoliage = route({
	...shared,
	id: 'foliage.list',
	method: 'GET',
	path: '/foliage/list',
	cli: ['foliage', 'list'],
	summary: 'The layers of foliage, oldest first',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		layers: z.array(listedLayer),
		count: listLength,
		instances: z.int().describe('Plants of all layers'),
		most_instances: z.int().describe('Largest number of plants in a world'),
	}),
	errors: [],
	examples: [
		{ name: 'List them', given: [{ path: '/foliage/scatter', body: { mesh_name: 'bush', density: 0.1 } }] },
	],
});

export const removeFoliage = route({
	...shared,
	id: 'foliage.remove',
	method: 'POST',
	path: '/foliage/remove',
	cli: ['foliage', 'remove'],
	summary: 'Removes a layer of foliage, or all of them',
	effect: 'view',
	body: z.strictObject({
		id: optional(layerId).describe('Id of the layer, from GET /foliage/list'),
		all: flag('All layers').default(false),
	}),
	answer: message.extend({ removed: z.int().describe('Number of removed layers') }),
	errors: ['unknown_foliage'],
	examples: [
		{
			name: 'Remove one',
			given: [{ path: '/foliage/scatter', body: { mesh_name: 'grass' } }],
			body: { id: 1 },
		},
		{ name: 'Remove all', body: { all: true } },
	],
});
