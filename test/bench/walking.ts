/**
 * Benchmark of navigation: building a large mesh, updating part of it, finding paths, and ticks of many walkers.
 */

import { DEFAULT_NAVMESH } from '../../shared/documents/navmesh.ts';
import type { SpawnDocument } from '../../shared/documents/spawn.ts';
import { flatGround } from '../../shared/media/terrain.ts';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import { rebuildParts } from '../../web/sim/core/derived-parts.ts';
import { cos, sin } from '../../web/sim/core/math.ts';
import type { World } from '../../web/sim/core/world.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { updateNavigation } from '../../web/sim/navigation/navigation.part.ts';
import { findPathBetween, setPath } from '../../web/sim/navigation/path.ts';
import { setNavmesh } from '../../web/sim/navigation/settings.ts';
import { spawnEntity } from '../../web/sim/spawn/spawn-entity.ts';
import { step } from '../../web/sim/step.ts';
import { changePoints } from '../../web/sim/terrain/ground.ts';
import { measureInTurn, median, type Result, ratioResult, timeResult, timeRun } from './measure.ts';

const SIDE = 512;

function hills(): World {
	const world = createWorld();
	const { ground } = changePoints(
		flatGround(SIDE + 1, SIDE + 1, 1),
		{ left: 0, right: SIDE, near: 0, far: SIDE },
		({ place, heights }) => {
			for (let row = 0; row < place.rows; row++)
				for (let column = 0; column < place.columns; column++)
					heights[row * place.columns + column] =
						4 * sin((place.column + column) / 20) + 3 * cos((place.row + row) / 30);
			return true;
		},
	);
	spawnEntity(world, { position: [-SIDE / 2, 0, -SIDE / 2], terrain: ground } as SpawnDocument);
	// Walls across, each with a gap at one end.
	for (let i = 0; i < 14; i++)
		spawnEntity(world, {
			position: [-210 + 30 * i, 0, i % 2 === 0 ? 6 : -6],
			physics_body: 'Static',
			collider: { shape: 'Aabb', hx: 1, hy: 20, hz: 250 },
		} as SpawnDocument);
	return world;
}

const settings = { ...DEFAULT_NAVMESH, min_x: -SIDE / 2, max_x: SIDE / 2, min_z: -SIDE / 2, max_z: SIDE / 2 };

function generate(start: World): Result {
	const times = Array.from({ length: 5 }, () => {
		const world = clone(start);
		setNavmesh(world, settings);
		const ms = timeRun(() => updateNavigation(world));
		dispose(world);
		return ms;
	});
	return timeResult('walk', 'a mesh of 512 x 512 cells over hills', median(times), 2000);
}

/** Measures updating the mesh after one more wall, compared with building the whole mesh. */
function renew(start: World): Result {
	let world: World;
	let at = 0;
	const wall = () => {
		world = clone(start);
		updateNavigation(world);
		const position = [(at++ * 37) % 200, 0, 10];
		spawnEntity(world, {
			position,
			physics_body: 'Static',
			collider: { shape: 'Aabb', hx: 2, hy: 9, hz: 2 },
		} as SpawnDocument);
	};
	const whole = () => {
		world = clone(start);
		setNavmesh(world, { ...settings, agent_height: 1.7 + (at++ % 50) / 1000 });
	};
	const run = () => updateNavigation(world);
	const after = () => dispose(world);
	const [ours, theirs] = measureInTurn(5, [
		{ before: wall, run, after },
		{ before: whole, run, after },
	]) as [number, number];
	return ratioResult('walk', 'the mesh after a wall was put up', ours, 'the whole mesh', theirs);
}

/** Measures changes of static bodies under the largest mesh, while an entity looks for a path across it. */
function change(): Result[] {
	const world = createWorld();
	const side = 1024;
	const wall = (position: readonly number[], [hx, hy, hz]: readonly number[]) =>
		spawnEntity(world, {
			position,
			physics_body: 'Static',
			collider: { shape: 'Aabb', hx, hy, hz },
		} as SpawnDocument);
	for (let i = 0; i < 14; i++) wall([-420 + 60 * i, 0, i % 2 === 0 ? 6 : -6], [1, 20, side / 2 - 12]);
	const corner = side / 2 - 10;
	const { handle } = spawnEntity(world, {
		position: [-corner, 0, corner],
		physics_body: 'Kinematic',
	} as SpawnDocument);
	setNavmesh(world, {
		...DEFAULT_NAVMESH,
		min_x: -side / 2,
		max_x: side / 2,
		min_z: -side / 2,
		max_z: side / 2,
	});
	const first = slices(world);
	step(world);
	const runs = Array.from({ length: 12 }, (_, i) => {
		wall([(i * 37) % 200, 0, 10 * i], [2, 9, 2]);
		setPath(world, handle, { goal: [corner, 0, -corner + i] });
		const longest = Math.max(...slices(world));
		return { longest, tick: timeRun(() => step(world)) };
	});
	const middle = (of: (run: (typeof runs)[number]) => number) => median(runs.slice(2).map(of));
	const name = 'a mesh of 2^20 cells';
	return [
		timeResult('walk', `longest slice of ${name}`, Math.max(...first), 100, `${first.length} slices`),
		timeResult(
			'walk',
			`longest slice of ${name} with a new wall`,
			middle(({ longest }) => longest),
			100,
		),
		timeResult(
			'walk',
			`first tick with a way across ${name} with a new wall`,
			middle(({ tick }) => tick),
			100,
		),
	];
}

/** Returns the time of each slice of updating a world's mesh (ms). Other calls can run between the slices. */
function slices(world: World): number[] {
	const work = rebuildParts(world);
	const times: number[] = [];
	for (let isDone = false; !isDone; )
		times.push(
			timeRun(() => {
				isDone = work.next().done === true;
			}),
		);
	return times;
}

function across(start: World): Result {
	const mesh = updateNavigation(start).mesh!;
	const times = Array.from({ length: 20 }, (_, i) =>
		timeRun(() => findPathBetween(mesh, [-250, 0, -250 + 10 * i], [250, 0, 250 - 10 * i], false)),
	);
	return timeResult('walk', 'a way across 512 m of hills', median(times), 250);
}

/** Measures a thousand entities that walk on the plain and keep clear of each other, against as many that only move. */
function crowd(): Result {
	const [walkingWorld, movingWorld] = [true, false].map((walks) => {
		const world = createWorld();
		setNavmesh(world, { ...DEFAULT_NAVMESH, min_x: -100, max_x: 100, min_z: -100, max_z: 100 });
		for (let i = 0; i < 1000; i++) {
			const [x, z] = [-90 + 4 * (i % 40), -50 + 4 * Math.floor(i / 40)];
			const position = [x, 0, z];
			const { handle } = spawnEntity(world, {
				position,
				...(walks ? {} : { physics_body: 'Kinematic', velocity: { linear: [1, 0, 0], angular: [0, 0, 0] } }),
			} as unknown as SpawnDocument);
			if (walks) setPath(world, handle, { goal: [-x, 0, -z], speed: 3 });
		}
		for (let i = 0; i < 60; i++) step(world);
		return world;
	}) as [World, World];
	const [ours, theirs] = measureInTurn(60, [
		{ run: () => step(walkingWorld) },
		{ run: () => step(movingWorld) },
	]) as [number, number];
	return ratioResult('walk', 'tick, 1000 walk through each other', ours, '1000 that only move', theirs);
}

export function benchNavigation(): Result[] {
	const world = hills();
	const results = [generate(world)];
	setNavmesh(world, settings);
	updateNavigation(world);
	return [...results, renew(world), ...change(), across(world), crowd()];
}
