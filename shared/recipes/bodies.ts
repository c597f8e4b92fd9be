/** Recipes: bodies, movement and space. */

import { FLOOR, get, post, type Recipe } from './recipe.ts';

const BALL = {
	mesh: 'sphere',
	color: 'gold',
	physics_body: 'Dynamic',
	collider: { shape: 'Sphere', radius: 0.5 },
};

export const BODIES: readonly Recipe[] = [
	{
		name: 'falling-ball',
		title: 'A ball that falls on a floor',
		about: 'Bodies need a collider. A Static body never moves; a Dynamic one falls and bounces.',
		words: 'physics gravity drop',
		requests: [
			FLOOR,
			post('/spawn', { ...BALL, position: [0, 5, 0], tags: ['ball'] }),
			post('/step', { ticks: 180 }),
		],
		holds: 'any tag:ball & field:position.y<0.6',
	},
	{
		name: 'stack-of-boxes',
		title: 'A stack of boxes that stands',
		about: 'Each box is a Dynamic body that rests on the one below.',
		words: 'tower pile physics crate',
		requests: [
			FLOOR,
			...[0.5, 1.5, 2.5].map((y) =>
				post('/spawn', {
					mesh: 'cube',
					position: [0, y, 0],
					physics_body: 'Dynamic',
					collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
					tags: ['box'],
				}),
			),
			post('/step', { ticks: 120 }),
		],
		holds: 'none tag:box & field:position.y<0.4',
	},
	{
		name: 'floating-crates',
		title: 'A pond in which wood floats and stone sinks',
		about:
			'Water lies over a terrain wherever the ground is lower. A Dynamic body floats by its mass and the volume of its collider.',
		words: 'water lake river swim buoyancy boat float',
		requests: [
			post('/terrain/create', { width: 33, height: 33, centered: true }),
			post('/terrain/edit', { op: 'lower', space: 'world', x: 0, z: 0, radius: 10, amount: 4 }),
			post('/spawn', { position: [0, -0.5, 0], water: { wave_height: 0.05 } }),
			...[
				{ position: [-1, 1, 0], mass: 500, color: 'orange', tags: ['wood'] },
				{ position: [1.5, 1, 0], mass: 2500, color: 'gray', tags: ['stone'] },
			].map((item) =>
				post('/spawn', {
					mesh: 'cube',
					physics_body: 'Dynamic',
					collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
					...item,
				}),
			),
			post('/step', { ticks: 240 }),
		],
		holds: 'any tag:wood & field:position.y>-0.8',
	},
	{
		name: 'low-gravity',
		title: 'Gravity of the moon',
		about: 'POST /tuning changes the gravity of the world. A body then falls more slowly.',
		words: 'physics settings slow fall',
		requests: [
			post('/tuning', { physics: { gravity: [0, -1.6, 0] } }),
			post('/spawn', { ...BALL, position: [0, 10, 0], tags: ['ball'] }),
			post('/step', { ticks: 60, record: { fields: ['position.y'], filter: 'tag:ball', every: 20 } }),
		],
		holds: 'any tag:ball & field:position.y>9',
	},
	{
		name: 'elevator',
		title: 'A platform that goes up and down',
		about:
			'A Kinematic body moves with its velocity, and contacts do not change it. Two rules reverse it at the ends of its way.',
		words: 'moving platform lift',
		requests: [
			post('/spawn', {
				mesh: 'cube',
				scale: [3, 0.2, 3],
				physics_body: 'Kinematic',
				collider: { shape: 'Aabb', hx: 1.5, hy: 0.1, hz: 1.5 },
				velocity: { linear: [0, 1, 0] },
				tags: ['lift'],
			}),
			post('/rule/create', {
				when: 'field:position.y>2',
				filter: 'tag:lift',
				do: ['set_field this velocity.linear.y -1'],
			}),
			post('/rule/create', {
				when: 'field:position.y<0',
				filter: 'tag:lift',
				do: ['set_field this velocity.linear.y 1'],
			}),
			post('/step', { ticks: 200 }),
		],
		holds: 'any tag:lift & field:velocity.linear.y<0',
	},
	{
		name: 'guard-on-patrol',
		title: 'A guard that walks between points',
		about:
			'The guard walks between the waypoints of ai_patrol in a loop. A fighter leaves its way to fight an enemy that it notices.',
		words: 'waypoints ai walk loop',
		requests: [
			post('/spawn', {
				mesh: 'models/guard.glb',
				position: [0, 0, 0],
				health: 100,
				team: 1,
				combat: true,
				combat_speed: 2,
				ai_patrol: [
					[6, 0, 0],
					[6, 0, 6],
				],
				tags: ['guard'],
			}),
			post('/step', { ticks: 180 }),
		],
		holds: 'any tag:guard & field:position.x>4',
	},
	{
		name: 'walk-around-a-wall',
		title: 'A walker that finds its way around a wall',
		about: 'The navigation mesh is built from Static bodies. /path/set walks to a goal on it.',
		words: 'pathfinding navmesh obstacle route',
		requests: [
			post('/spawn', {
				mesh: 'cube',
				scale: [1, 2, 8],
				position: [0, 1, 0],
				physics_body: 'Static',
				collider: { shape: 'Aabb', hx: 0.5, hy: 1, hz: 4 },
			}),
			post('/navmesh/generate', { min_x: -10, max_x: 10, min_z: -10, max_z: 10, cell_size: 0.5 }),
			post('/spawn', { mesh: 'cone', position: [-4, 0, 0], tags: ['walker'] }, 'walker'),
			post('/path/set', { entity_id: '$walker.id', target: [4, 0, 0], speed: 4 }),
			post('/step', { ticks: 360, events: ['path_ended'] }),
		],
		holds: 'any tag:walker & field:position.x>3.5',
	},
	{
		name: 'hilly-island',
		title: 'Hills with grass and trees',
		about: 'A terrain is ground as a grid of heights. Plants grow where it is not too steep.',
		words: 'terrain landscape forest foliage noise',
		requests: [
			post(
				'/terrain/create',
				{ width: 65, height: 65, centered: true, noise: { seed: 7, amount: 4 } },
				'ground',
			),
			post('/terrain/edit', { op: 'raise', space: 'world', x: 0, z: 0, radius: 12, amount: 5 }),
			post('/foliage/scatter', { mesh_name: 'grass', density: 2, seed: 1 }),
			post('/foliage/scatter', { mesh_name: 'pine', density: 0.03, seed: 2 }),
			get('/terrain/height?x=0&z=0&space=world'),
		],
		holds: 'any component:terrain',
	},
	{
		name: 'sunset-scene',
		title: 'An evening with a fire',
		about: 'The hour sets sun and sky. A fire is an emitter of particles with a light above it.',
		words: 'sky light particles fog camera picture night',
		requests: [
			post('/sky/settings', { time_of_day: 18.4, plate: false }),
			post('/fog/settings', { density: 0.01 }),
			post('/spawn', { mesh: 'plane', scale: [40, 1, 40], color: 'green' }),
			post('/particle/create', { preset: 'fire', position: [0, 0.2, 0] }),
			post('/spawn', {
				position: [0, 1, 0],
				light: { kind: 'point', color: 'orange', intensity: 200, range: 15 },
				tags: ['fire'],
			}),
			post('/camera', { eye: [6, 3, 8], target: [0, 1, 0] }),
		],
		holds: 'any tag:fire & component:light',
	},
	{
		name: 'camera-that-follows',
		title: 'A camera behind the player',
		about:
			'/camera/follow keeps a distance to an entity. Cameras are only shown: they never change the digest.',
		words: 'view third person input keyboard',
		requests: [
			post('/spawn', { mesh: 'models/knight.glb', player: true, tags: ['me'] }, 'me'),
			post('/camera/follow', { entity_id: '$me.id', offset: [0, 4, 8] }),
			post('/step', { ticks: 60, inputs: [{ key: 'ArrowRight', ticks: 60 }] }),
		],
		holds: 'any tag:me & field:position.x>1',
	},
	{
		name: 'jump-key',
		title: 'A key that makes the player jump',
		about: 'A bound action that the engine does not know becomes an event for rules.',
		words: 'input bind keyboard space press',
		requests: [
			FLOOR,
			post('/spawn', { ...BALL, player: true, position: [0, 0.5, 0], tags: ['me'] }),
			post('/input/bind', { key: 'Space', action: 'jump' }),
			post('/rule/create', {
				name: 'jump',
				when: 'event:input action==jump phase==pressed',
				do: ['set_field tag:me velocity.linear.y 6'],
			}),
			post('/step', { ticks: 30, inputs: [{ at: 5, key: 'Space' }] }),
		],
		holds: 'any tag:me & field:position.y>1',
	},
];
