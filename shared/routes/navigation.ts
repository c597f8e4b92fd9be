/** Routes of the tag Navigation: the mesh, ways on it, and who walks them. */

import * as z from 'zod';
import { PATH_STATES, pathFields } from '../components/path.ts';
import { route } from '../contract/route.ts';
import {
	entityId,
	flag,
	generation,
	listLength,
	message,
	namedEntity,
	nullMeansDefault,
	optional,
	place,
	queryFlag,
	thatEntity,
	vec3,
} from '../contract/values.ts';
import { MOST_CELLS, navmeshFields, navmeshSettings, USUAL_NAVMESH } from '../documents/navmesh.ts';

const shared = { tag: 'Navigation' } as const;

const counts = {
	width: z.int().describe('Cells along x'),
	height: z.int().describe('Cells along z'),
	blocked_cells: z
		.int()
		.describe('Cells on which nobody can stand, or only on top of something onto which no step leads'),
	total_cells: z.int().describe('Cells in all'),
	places: z
		.int()
		.describe('Places on which somebody can stand: a cell has several where floors lie above each other'),
	regions: z.int().describe('How many parts of it there are between which no way leads'),
};

const {
	agent_radius,
	agent_height,
	max_slope,
	step_height,
	floor,
	areas,
	cell_size,
	min_x,
	min_z,
	max_x,
	max_z,
} = navmeshFields;

const shown = flag('Whether the picture shows the mesh and the paths on it');

const wall = {
	path: '/spawn',
	body: { position: [0, 1, 0], physics_body: 'Static', collider: { shape: 'Aabb', hx: 0.5, hy: 1, hz: 6 } },
};
const generated = { path: '/navmesh/generate', body: { min_x: -10, min_z: -10, max_x: 10, max_z: 10 } };
const walker = { path: '/spawn', body: { position: [-4, 0, 0] } };
const walking = [
	generated,
	walker,
	{ path: '/path/set', body: { entity_id: 0, target: [4, 0, 0] } },
] as const;

export const generateNavmesh = route({
	...shared,
	id: 'navmesh.generate',
	method: 'POST',
	path: '/navmesh/generate',
	cli: ['nav', 'generate'],
	summary: 'Makes the navigation mesh: where one can walk, from static colliders and terrains',
	description: `It takes the place of the one before, and follows the world by itself: when something static comes, goes or moves, and when ground is edited, the part of the mesh over it is made anew before the next tick. What moves does not block; who walks keeps clear of it. Static is what physics holds in place: a collider with a Static body, or with a body that has no velocity. At most ${MOST_CELLS} cells.`,
	effect: 'write',
	body: z.strictObject({
		...nullMeansDefault({
			cell_size: cell_size.default(USUAL_NAVMESH.cell_size),
			min_x: min_x.default(USUAL_NAVMESH.min_x),
			min_z: min_z.default(USUAL_NAVMESH.min_z),
			max_x: max_x.default(USUAL_NAVMESH.max_x),
			max_z: max_z.default(USUAL_NAVMESH.max_z),
			agent_radius: agent_radius.default(USUAL_NAVMESH.agent_radius),
			agent_height: agent_height.default(USUAL_NAVMESH.agent_height),
			max_slope: max_slope.default(USUAL_NAVMESH.max_slope),
			step_height: step_height.default(USUAL_NAVMESH.step_height),
			areas: areas.default(USUAL_NAVMESH.areas),
		}),
		floor: floor.default(USUAL_NAVMESH.floor),
		shown: optional(shown),
	}),
	answer: z.strictObject({ ok: z.literal(true), ...counts }),
	errors: ['bad_navmesh', 'asset_missing', 'asset_refused'],
	examples: [
		{ name: 'Half-metre cells round a wall', given: [wall], body: { cell_size: 0.5, min_x: -10, max_x: 10 } },
		{
			name: 'A swamp that is better avoided',
			body: { areas: [{ min_x: -5, min_z: -5, max_x: 5, max_z: 5, cost: 4 }] },
		},
	],
});

export const getNavmesh = route({
	...shared,
	id: 'navmesh.get',
	method: 'GET',
	path: '/navmesh',
	cli: ['nav', 'get'],
	summary: 'The navigation mesh: its settings, how much of it can be walked, and with ?map=true a map',
	effect: 'read',
	query: z.strictObject({ map: queryFlag('Whether the answer has a map').optional() }),
	answer: z.strictObject({
		ok: z.literal(true),
		settings: navmeshSettings,
		...counts,
		shown,
		map: z
			.array(z.string())
			.optional()
			.describe(
				'One text for each row of cells, the least z first, one character for each cell, the least x first: # nobody can stand there, ^ one can on top of something onto which no step leads, . one can, ~ one can at another cost than 1',
			),
	}),
	errors: ['no_navmesh', 'bad_navmesh'],
	examples: [
		{ name: 'Read it', given: [generated] },
		{ name: 'With a map', given: [wall, generated], path: '/navmesh?map=true' },
	],
});

export const removeNavmesh = route({
	...shared,
	id: 'navmesh.remove',
	method: 'DELETE',
	path: '/navmesh',
	cli: ['nav', 'remove'],
	summary: 'Takes the navigation mesh away; those who walk on it stop, and the event path_ended says so',
	effect: 'write',
	answer: message,
	errors: ['no_navmesh'],
	examples: [{ name: 'Remove it', given: [generated] }],
});

export const showNavmesh = route({
	...shared,
	id: 'navmesh.show',
	method: 'POST',
	path: '/navmesh/show',
	cli: ['nav', 'show'],
	summary: 'Draws the navigation mesh and the paths on it over the ground, or no longer',
	effect: 'view',
	body: z.strictObject({ shown: shown.default(true) }),
	answer: message.extend({ shown }),
	errors: ['no_navmesh'],
	examples: [{ name: 'Show it', given: [generated], body: { shown: true } }],
});

export const computePath = route({
	...shared,
	id: 'path.compute',
	method: 'POST',
	path: '/path/compute',
	cli: ['nav', 'compute'],
	summary: 'The cheapest way from one position to another on the navigation mesh; nobody walks it',
	description:
		'The waypoints begin after `from`; the last one is `to`, as it was given. Where no way leads there the answer says so, unless partial: then it is the way to the nearest place that can be reached, and `partial` is true.',
	effect: 'read',
	body: z.strictObject({
		from: vec3('Where it begins').default([0, 0, 0]),
		to: vec3('Where it is to end').default([0, 0, 0]),
		partial: pathFields.partial.default(false),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		waypoints: z.array(place).describe('Where it turns, and where it ends'),
		count: listLength,
		length: z.number().describe('How long it is (m)'),
		cost: z.number().describe('What it costs: metres, each at the cost of its area'),
		partial: z.boolean().describe('Whether it ends before `to`'),
	}),
	errors: ['bad_navmesh', 'asset_missing', 'asset_refused'],
	inside: ['no_navmesh', 'no_way'],
	examples: [
		{ name: 'Round a wall', given: [wall, generated], body: { from: [-4, 0, 0], to: [4, 0, 0] } },
		{
			name: 'As near as one can get',
			given: [generated],
			body: { from: [0, 0, 0], to: [90, 0, 0], partial: true },
		},
	],
});

const pathView = z.strictObject({
	entity_id: entityId,
	entity_generation: generation,
	goal: place,
	speed: z.number().describe('Walking speed without effects (m/s)'),
	radius: z.number().describe('Radius that others who walk keep clear of (m)'),
	partial: pathFields.partial,
	state: z.enum(PATH_STATES).describe('waiting for its way to be found, walking, arrived, or no_way'),
	near: z.boolean().describe('Whether its way ends before the goal, as near as it can get'),
	waypoints: z.array(place).describe('What is left of its way'),
});

export const setPath = route({
	...shared,
	id: 'path.set',
	method: 'POST',
	path: '/path/set',
	cli: ['nav', 'set'],
	summary: 'Lets an entity walk to a position, from the next tick on, in place of where it went before',
	description:
		'It gets a velocity, and a Kinematic body unless it has one. Its way is found on the next tick: it walks then, or the event path_ended says why not. It keeps clear of others who walk and of what moves. Fighters leave their way to fight and then go on. When the mesh changes under its way it looks for another one.',
	effect: 'write',
	body: z.strictObject({
		...namedEntity,
		target: vec3('Where it is to go').default([0, 0, 0]),
		speed: optional(pathFields.speed).describe(
			'Walking speed without effects (m/s); left out: as before, else that of a fighter, else 5',
		),
		radius: optional(pathFields.radius).describe(
			'Radius that others keep clear of (m); left out: as before, else agent_radius of the mesh',
		),
		partial: optional(pathFields.partial),
	}),
	answer: message,
	errors: ['no_navmesh', 'cannot_walk'],
	inside: ['entity_not_found', 'stale_handle'],
	examples: [
		{ name: 'Walk', given: [generated, walker], body: { entity_id: 0, target: [4, 0, 0], speed: 3 } },
	],
});

const unknownWalker = ['no_path', 'entity_not_found'] as const;

export const listPaths = route({
	...shared,
	id: 'path.list',
	method: 'GET',
	path: '/path/list',
	cli: ['nav', 'list'],
	summary: 'Everybody who has a path, in the order of their ids',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), paths: z.array(pathView), count: listLength }),
	errors: [],
	examples: [{ name: 'List them', given: walking }],
});

export const getPath = route({
	...shared,
	id: 'path.get',
	method: 'GET',
	path: '/path/{entity_id}',
	cli: ['nav', 'path'],
	summary: 'The path of an entity: its goal, how far it is, and what is left of its way',
	effect: 'read',
	params: z.strictObject({ entity_id: thatEntity }),
	answer: z.strictObject({ ok: z.literal(true), ...pathView.shape }),
	errors: unknownWalker,
	examples: [{ name: 'Where does it go?', given: walking, path: '/path/0' }],
});

export const cancelPath = route({
	...shared,
	id: 'path.cancel',
	method: 'DELETE',
	path: '/path/{entity_id}',
	cli: ['nav', 'cancel'],
	summary: 'Takes the path of an entity away; it stands',
	effect: 'write',
	params: z.strictObject({ entity_id: thatEntity }),
	answer: message,
	errors: unknownWalker,
	examples: [{ name: 'Stay', given: walking, path: '/path/0' }],
});
