/** Routes of the tag Navigation: the mesh, paths on it, and their walkers. */

import * as z from 'zod';
import { PATH_STATES, pathFields } from '../components/path.ts';
import { route } from '../contract/route.ts';
import {
	entityId,
	entityReference,
	existingEntityId,
	flag,
	generation,
	listLength,
	message,
	nullMeansDefault,
	optional,
	place,
	queryFlag,
	vec3,
} from '../contract/values.ts';
import { DEFAULT_NAVMESH, MAX_CELLS, navmeshFields, navmeshSettings } from '../documents/navmesh.ts';

const shared = { tag: 'Navigation' } as const;

const cellCounts = {
	width: z.int().describe('Cells along x'),
	height: z.int().describe('Cells along z'),
	blocked_cells: z
		.int()
		.describe('Cells that are not walkable, or walkable only on top of an obstacle that no step reaches'),
	total_cells: z.int().describe('Cells in all'),
	places: z.int().describe('Walkable positions: a cell has several if floors are above each other'),
	regions: z.int().describe('Number of parts without a path between them'),
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

const shownFlag = flag('true: the picture shows the mesh and its paths');

const wall = {
	path: '/spawn',
	body: { position: [0, 1, 0], physics_body: 'Static', collider: { shape: 'Aabb', hx: 0.5, hy: 1, hz: 6 } },
};
const generateMesh = { path: '/navmesh/generate', body: { min_x: -10, min_z: -10, max_x: 10, max_z: 10 } };
const walker = { path: '/spawn', body: { position: [-4, 0, 0] } };
const walkerOnPath = [
	generateMesh,
	walker,
	{ path: '/path/set', body: { entity_id: 0, target: [4, 0, 0] } },
] as const;

export const generateNavmesh = route({
	...shared,
	id: 'navmesh.generate',
	method: 'POST',
	path: '/navmesh/generate',
	cli: ['nav', 'generate'],
	summary: 'Builds the navigation mesh, the walkable ground, from static colliders and terrains',
	description: `It replaces the existing one. It follows the world: if a static body appears, vanishes or moves, or ground is edited, that part is rebuilt before the next tick. Moving bodies do not block; walkers avoid them. A collider is static if its body is Static or has no velocity. At most ${MAX_CELLS} cells.`,
	effect: 'write',
	owner: ['settings'],
	body: z.strictObject({
		...nullMeansDefault({
			cell_size: cell_size.default(DEFAULT_NAVMESH.cell_size),
			min_x: min_x.default(DEFAULT_NAVMESH.min_x),
			min_z: min_z.default(DEFAULT_NAVMESH.min_z),
			max_x: max_x.default(DEFAULT_NAVMESH.max_x),
			max_z: max_z.default(DEFAULT_NAVMESH.max_z),
			agent_radius: agent_radius.default(DEFAULT_NAVMESH.agent_radius),
			agent_height: agent_height.default(DEFAULT_NAVMESH.agent_height),
			max_slope: max_slope.default(DEFAULT_NAVMESH.max_slope),
			step_height: step_height.default(DEFAULT_NAVMESH.step_height),
			areas: areas.default(DEFAULT_NAVMESH.areas),
		}),
		floor: floor.default(DEFAULT_NAVMESH.floor),
		shown: optional(shownFlag),
	}),
	answer: z.strictObject({ ok: z.literal(true), ...cellCounts }),
	errors: ['bad_navmesh', 'asset_missing', 'asset_refused'],
	examples: [
		{
			name: 'Half-metre cells around a wall',
			given: [wall],
			body: { cell_size: 0.5, min_x: -10, max_x: 10 },
		},
		{
			name: 'A swamp to avoid',
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
	summary: 'Navigation mesh: its settings, its walkable extent, and with ?map=true a map',
	effect: 'read',
	query: z.strictObject({ map: queryFlag('Adds a map').optional() }),
	answer: z.strictObject({
		ok: z.literal(true),
		settings: navmeshSettings,
		...cellCounts,
		shown: shownFlag,
		map: z
			.array(z.string())
			.optional()
			.describe(
				'One text per row of cells, lowest z first, one character per cell, lowest x first. # not walkable; ^ walkable, but on top of an obstacle that no step reaches; . walkable; ~ walkable at a cost other than 1',
			),
	}),
	errors: ['no_navmesh', 'bad_navmesh'],
	examples: [
		{ name: 'Read it', given: [generateMesh] },
		{ name: 'With a map', given: [wall, generateMesh], path: '/navmesh?map=true' },
	],
});

export const removeNavmesh = route({
	...shared,
	id: 'navmesh.remove',
	method: 'DELETE',
	path: '/navmesh',
	cli: ['nav', 'remove'],
	summary: 'Removes the navigation mesh; walkers stop, with the event path_ended',
	effect: 'write',
	owner: ['settings'],
	answer: message,
	errors: ['no_navmesh'],
	examples: [{ name: 'Remove it', given: [generateMesh] }],
});

export const showNavmesh = route({
	...shared,
	id: 'navmesh.show',
	method: 'POST',
	path: '/navmesh/show',
	cli: ['nav', 'show'],
	summary: 'Shows or hides the navigation mesh and its paths in the picture',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject({ shown: shownFlag.default(true) }),
	answer: message.extend({ shown: shownFlag }),
	errors: ['no_navmesh'],
	examples: [{ name: 'Show it', given: [generateMesh], body: { shown: true } }],
});

export const computePath = route({
	...shared,
	id: 'path.compute',
	method: 'POST',
	path: '/path/compute',
	cli: ['nav', 'compute'],
	summary: 'Finds the cheapest path between two positions on the navigation mesh; no entity walks it',
	description:
		'The waypoints start after `from`; the last one is `to`, as given. If no path leads there, the call is refused. With partial, the path leads to the nearest reachable position, and `partial` is true in the answer. Where the search would look at more than 32,768 cells, it takes a path that may cost a few per cent more.',
	effect: 'read',
	body: z.strictObject({
		from: vec3('Start').default([0, 0, 0]),
		to: vec3('Goal').default([0, 0, 0]),
		partial: pathFields.partial.default(false),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		waypoints: z.array(place).describe('Turning points of the path, and its end'),
		count: listLength,
		length: z.number().describe('Length of the path (m)'),
		cost: z.number().describe('Cost of the path: metres, each times the cost of its area'),
		partial: z.boolean().describe('true: the path ends before `to`'),
	}),
	errors: ['bad_navmesh', 'asset_missing', 'asset_refused'],
	inside: ['no_navmesh', 'no_way'],
	examples: [
		{ name: 'Around a wall', given: [wall, generateMesh], body: { from: [-4, 0, 0], to: [4, 0, 0] } },
		{
			name: 'As near as possible',
			given: [generateMesh],
			body: { from: [0, 0, 0], to: [90, 0, 0], partial: true },
		},
	],
});

const pathView = z.strictObject({
	entity_id: entityId,
	entity_generation: generation,
	goal: place,
	speed: z.number().describe('Walking speed without effects (m/s)'),
	radius: z.number().describe('Radius that other walkers keep clear of (m)'),
	partial: pathFields.partial,
	state: z.enum(PATH_STATES).describe('waiting for its path, walking, arrived, or no_way'),
	near: z.boolean().describe('true: its path ends before the goal, as near as it can get'),
	waypoints: z.array(place).describe('Rest of its path'),
});

export const setPath = route({
	...shared,
	id: 'path.set',
	method: 'POST',
	path: '/path/set',
	cli: ['nav', 'set'],
	summary: 'Makes an entity walk to a position, from the next tick on; replaces its goal',
	description:
		'It gets a velocity, and a Kinematic body if it has none. Its path is found on the next tick; if there is none, the event path_ended reports why. It avoids other walkers and moving bodies. Fighters leave the path to fight and then continue. If the mesh on its path changes, it finds a new one.',
	effect: 'write',
	body: z.strictObject({
		...entityReference,
		target: vec3('Goal').default([0, 0, 0]),
		speed: optional(pathFields.speed).describe(
			"Walking speed without effects (m/s); left out: its previous one, else a fighter's own, else 5",
		),
		radius: optional(pathFields.radius).describe(
			'Radius that other walkers keep clear of (m); left out: its previous one, else agent_radius of the mesh',
		),
		partial: optional(pathFields.partial),
	}),
	answer: message,
	errors: ['no_navmesh', 'cannot_walk'],
	inside: ['entity_not_found', 'stale_handle'],
	examples: [
		{ name: 'Walk', given: [generateMesh, walker], body: { entity_id: 0, target: [4, 0, 0], speed: 3 } },
	],
});

const walkerErrors = ['no_path', 'entity_not_found'] as const;

export const listPaths = route({
	...shared,
	id: 'path.list',
	method: 'GET',
	path: '/path/list',
	cli: ['nav', 'list'],
	summary: 'Entities with a path, in id order',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), paths: z.array(pathView), count: listLength }),
	errors: [],
	examples: [{ name: 'List them', given: walkerOnPath }],
});

export const getPath = route({
	...shared,
	id: 'path.get',
	method: 'GET',
	path: '/path/{entity_id}',
	cli: ['nav', 'path'],
	summary: 'Path of an entity: its goal, its progress, and the rest of its way',
	effect: 'read',
	params: z.strictObject({ entity_id: existingEntityId }),
	answer: z.strictObject({ ok: z.literal(true), ...pathView.shape }),
	errors: walkerErrors,
	examples: [{ name: 'Read its goal', given: walkerOnPath, path: '/path/0' }],
});

export const cancelPath = route({
	...shared,
	id: 'path.cancel',
	method: 'DELETE',
	path: '/path/{entity_id}',
	cli: ['nav', 'cancel'],
	summary: "Clears an entity's path. The entity stops",
	effect: 'write',
	params: z.strictObject({ entity_id: existingEntityId }),
	answer: message,
	errors: walkerErrors,
	examples: [{ name: 'Stay', given: walkerOnPath, path: '/path/0' }],
});
