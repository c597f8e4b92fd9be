/** The worlds of the benchmarks. Owns: their contents. */

import { spawnDocument } from '../../shared/documents/spawn.ts';
import type { World } from '../../web/sim/core/world.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { spawnEntity } from '../../web/sim/spawn/spawn-entity.ts';
import { step } from '../../web/sim/step.ts';

/** Edge of a body in metres. */
export const EDGE = 1;
/** Half extents of the floor. */
export const FLOOR = [200, 0.5, 200] as const;

/** Returns the start positions of the pile's bodies: columns of ten on a grid, each with a small offset. */
export function bodyPlaces(count: number): [number, number, number][] {
	const height = 10;
	const side = Math.ceil(Math.sqrt(count / height));
	return Array.from({ length: count }, (_, i) => {
		const level = i % height;
		const column = Math.floor(i / height);
		const shift = ((i * 7919) % 100) / 500;
		const x = ((column % side) - side / 2) * 2 + shift;
		const z = (Math.floor(column / side) - side / 2) * 2 + shift;
		return [x, 1 + level * 1.3, z];
	});
}

function place(world: World, document: object): void {
	spawnEntity(world, spawnDocument.parse(document));
}

/** Returns a world of `count` boxes above a floor. */
export const pile = (count: number): World => boxesAt(bodyPlaces(count));

function boxesAt(places: readonly (readonly [number, number, number])[]): World {
	const world = createWorld();
	const [hx, hy, hz] = FLOOR;
	place(world, { physics_body: 'Static', position: [0, -hy, 0], collider: { shape: 'Aabb', hx, hy, hz } });
	const half = EDGE / 2;
	for (const position of places)
		place(world, {
			mesh: 'cube',
			position,
			physics_body: 'Dynamic',
			collider: { shape: 'Aabb', hx: half, hy: half, hz: half },
		});
	return world;
}

/** Returns the positions of boxes in stacks of ten that touch. The stacks are 2 m apart. */
export function stackPlaces(count: number): [number, number, number][] {
	const height = 10;
	const side = Math.ceil(Math.sqrt(count / height));
	return Array.from({ length: count }, (_, i) => {
		const stack = Math.floor(i / height);
		return [(stack % side) * 2, EDGE / 2 + (i % height) * EDGE, Math.floor(stack / side) * 2];
	});
}

/** Returns a world of `count` boxes in stacks. */
export const stacks = (count: number): World => boxesAt(stackPlaces(count));

/** Returns a world of `count` bodies that drift apart, turning, and never come to rest. */
export function swarm(count: number): World {
	const world = createWorld();
	for (let i = 0; i < count; i++)
		place(world, {
			position: [(i % 20) * 3, 2, Math.floor(i / 20) * 3],
			physics_body: 'Kinematic',
			velocity: { linear: [0.01 * (i % 7), 0, 0.01], angular: [0, 0.1, 0] },
			collider: { shape: 'Sphere', radius: 0.5 },
		});
	return world;
}

/** Returns a world of `count` entities without bodies, as in a game, after a tick. */
export function crowd(count: number): World {
	const world = createWorld();
	for (let i = 0; i < count; i++)
		place(world, {
			mesh: i % 2 === 0 ? 'cube' : 'sphere',
			color: 'red',
			position: [Math.fround(Math.sqrt(i) * 3.1), (i % 100) * 0.37, -i * 0.011],
			rotation: [0, ((i * 37) % 100) / 100, 0, 1],
			health: 100 + (i % 50),
			team: 1 + (i % 2),
			tags: i % 10 === 0 ? ['boss'] : ['minion', 'lane'],
			velocity: { linear: [i * 0.013, 0, 0.1] },
		});
	step(world);
	return world;
}

/** Returns a world of two armies that march at each other, in rows 1.2 m apart, with `gap` metres between them. */
export function armies(fighters: number, gap: number): World {
	const world = createWorld();
	const rows = Math.ceil(Math.sqrt(fighters / 2));
	for (let i = 0; i < fighters; i++) {
		const team = 1 + (i % 2);
		const [column, row] = [Math.floor((i >> 1) / rows), (i >> 1) % rows];
		const distance = gap / 2 + column * 1.2;
		const position = [team === 1 ? -distance : distance, 0, row * 1.2];
		place(world, { position, health: 1e6, team, combat: true });
	}
	return world;
}

/**
 * Returns a crowd of fighters, `apart` metres from each other, whose neighbours are enemies. `more` has further fields.
 */
export function melee(fighters: number, apart = 1.2, more: object = {}): World {
	const world = createWorld();
	const rows = Math.ceil(Math.sqrt(fighters));
	for (let i = 0; i < fighters; i++) {
		const [row, column] = [Math.floor(i / rows), i % rows];
		const position = [row * apart, 0, column * apart];
		place(world, { position, health: 1e6, team: 1 + ((row + column) % 2), combat: true, ...more });
	}
	return world;
}

/** Returns all bytes of a world's columns. */
export function columnBytes(world: World): Uint8Array[] {
	return world.tables.flatMap((table) =>
		table === undefined
			? []
			: [table.presence, ...Object.values(table.columns)].flatMap(({ data }) =>
					Array.isArray(data) ? [] : [new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
				),
	);
}
