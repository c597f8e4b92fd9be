/** Routes of the tag Terrain that are about foliage. */

import * as z from 'zod';
import { colorText } from '../components/color.ts';
import { namesAsset } from '../contract/asset-mark.ts';
import { route } from '../contract/route.ts';
import { names } from '../contract/thing.ts';
import {
	flag,
	generation,
	integer,
	listLength,
	message,
	optional,
	text,
	thatEntity,
} from '../contract/values.ts';
import { foliageFields, foliageLayer, MOST_LAYERS, MOST_PLANTS, PLANTS } from '../documents/foliage.ts';

const shared = { tag: 'Terrain' } as const;
const { density, area_min, area_max, min_scale, max_scale, max_distance, seed, wind, max_slope } =
	foliageFields;
const layerId = integer('Id of a layer of foliage').meta(names('foliage'));
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
	summary: 'Lets plants grow over an area, on the ground that is there',
	description: `One plant in each square of 1/density square metres, somewhere in it. The same seed gives the same plants in every world. They follow the terrain when it is edited, meet nobody, and are drawn alone: GET /foliage/list tells of layers, not of plants. A world has at most ${MOST_PLANTS} plants in ${MOST_LAYERS} layers.`,
	effect: 'view',
	body: z.strictObject({
		mesh_name: text(`What grows there: ${PLANTS.join(', ')}, or a glTF model by its path, name or hash`, 200)
			.meta({ ...namesAsset('model'), examples: [...PLANTS] })
			.default('cube'),
		density: density.default(0.5),
		area_min: area_min.default([-20, 0, -20]),
		area_max: area_max.default([20, 0, 20]),
		min_scale: min_scale.default(0.8),
		max_scale: max_scale.default(1.2),
		max_distance: max_distance.default(100),
		seed: optional(seed).describe('Other seeds put them elsewhere; another for each layer by default'),
		color: optional(colorText).describe(
			'Colour of the leaves, or of a model as entities have it; that of the plant by default',
		),
		wind: optional(wind).describe(
			'How far they sway: 0 not at all, 1 as grass does, which depends on the plant by default',
		),
		max_slope: max_slope.default(1),
		entity_id: optional(thatEntity).describe(
			'The one terrain that they stand on: where it is not, none stands. By default they stand on whatever is under them',
		),
		entity_generation: optional(generation).describe(
			"Its generation: refused when the slot is somebody else's by now",
		),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		id: z.int().describe('Id of the new layer'),
		instance_count: z.int().describe('Plants that stand there now'),
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
			name: 'A wood on the slopes',
			given: [ground],
			body: { mesh_name: 'pine', density: 0.05, min_scale: 0.7, max_scale: 1.4, seed: 3 },
		},
	],
});

const listed = z.strictObject({
	index: z.int().describe('Place in the list'),
	...foliageLayer.omit({ terrain: true }).shape,
	instance_count: z.int().describe('Plants that stand there now'),
	entity_id: z.int().nullable().describe('The one terrain that they stand on, or null'),
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
		layers: z.array(listed),
		count: listLength,
		instances: z.int().describe('Plants of all layers'),
		most_instances: z.int().describe('Plants that a world may have'),
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
		id: optional(layerId).describe('The layer, as GET /foliage/list names it'),
		all: flag('All layers').default(false),
	}),
	answer: message.extend({ removed: z.int().describe('Layers that are gone') }),
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
