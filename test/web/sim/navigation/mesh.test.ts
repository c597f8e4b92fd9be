/**
 * Walkable parts of the world: slopes, steps, room, radius, floors above each other, every shape of collider, ground.
 * Owns: the tests of web/sim/navigation that need no call. test/web/api/navigation.test.ts has those of walking.
 */

import { describe, expect, test } from 'vitest';
import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { DEFAULT_NAVMESH, type NavmeshSettings } from '../../../../shared/documents/navmesh.ts';
import type { SpawnDocument } from '../../../../shared/documents/spawn.ts';
import { flatGround } from '../../../../shared/media/terrain.ts';
import { clone } from '../../../../web/sim/core/clone.ts';
import { cos, sin } from '../../../../web/sim/core/math.ts';
import { despawn, type World, write } from '../../../../web/sim/core/world.ts';
import { linksOf } from '../../../../web/sim/navigation/links.ts';
import { heightAt, type NavMesh, placeAt } from '../../../../web/sim/navigation/mesh.ts';
import { updateNavigation } from '../../../../web/sim/navigation/navigation.part.ts';
import { findPathBetween } from '../../../../web/sim/navigation/path.ts';
import { regionsOf } from '../../../../web/sim/navigation/rooms.ts';
import { setNavmesh } from '../../../../web/sim/navigation/settings.ts';
import { countBlockedCells } from '../../../../web/sim/navigation/tops.ts';
import { hullTriangles } from '../../../../web/sim/space/hull.ts';
import { spawnEntity } from '../../../../web/sim/spawn/spawn-entity.ts';
import { changePoints } from '../../../../web/sim/terrain/ground.ts';
import { setGround, terrains } from '../../../../web/sim/terrain/terrain.ts';
import { freshWorld } from '../../../support/engine.ts';

type Vector = readonly [number, number, number];

const spawnSolid = (world: World, position: Vector, collider: unknown, extra: object = {}): number =>
	spawnEntity(world, { position, physics_body: 'Static', collider, ...extra } as SpawnDocument).handle.id;
const spawnBox = (world: World, position: Vector, [hx, hy, hz]: Vector, extra: object = {}): number =>
	spawnSolid(world, position, { shape: 'Aabb', hx, hy, hz }, extra);

function meshOf(world: World, settings: Partial<NavmeshSettings> = {}): NavMesh {
	setNavmesh(world, { ...DEFAULT_NAVMESH, min_x: -10, min_z: -10, max_x: 10, max_z: 10, ...settings });
	return updateNavigation(world).mesh!;
}

const hasPath = (mesh: NavMesh, from: Vector, to: Vector): boolean =>
	findPathBetween(mesh, from, to, false).path !== null;

/** Returns a rotation about z by an angle. */
const rotatedBy = (degrees: number) => {
	const half = (degrees * Math.PI) / 360;
	return { rotation: [0, 0, sin(half), cos(half)] };
};

describe('a slope', () => {
	test.each([
		[20, true],
		[44, true],
		[46, false],
		[60, false],
	])('of %d degrees can be walked: %s', async (degrees, walkable) => {
		const world = await freshWorld();
		const angle = (degrees * Math.PI) / 180;
		// A board that rises along x from the floor to a platform.
		spawnBox(world, [0, 3 * sin(angle) - 0.1 * cos(angle), 0], [3, 0.1, 2], rotatedBy(degrees));
		const [topX, topY] = [3 * cos(angle), 6 * sin(angle)];
		spawnBox(world, [topX + 1.9, topY - 0.55, 0], [2, 0.5, 2]);
		const mesh = meshOf(world, { cell_size: 0.25, agent_radius: 0.25 });
		expect(hasPath(mesh, [-6, 0, 0], [topX + 2, topY, 0])).toBe(walkable);
	});

	test('has the height of its surface, not of its cells', async () => {
		const world = await freshWorld();
		const angle = Math.PI / 6;
		spawnBox(world, [0, 1, 0], [4, 0.1, 4], rotatedBy(30));
		const mesh = meshOf(world, { floor: null });
		for (const x of [-1.3, 0.2, 1.1]) {
			const index = placeAt(mesh, x, 10, 0.2);
			expect(heightAt(mesh, index, x, 0.2)).toBeCloseTo(
				1 + 0.1 / cos(angle) + (x * sin(angle)) / cos(angle),
				4,
			);
		}
	});
});

describe('a step', () => {
	test.each([
		[0.39, true],
		[0.41, false],
	])('of %d m can be walked: %s', async (height, walkable) => {
		const world = await freshWorld();
		spawnBox(world, [4, height - 1, 0], [4, 1, 4]);
		expect(hasPath(meshOf(world), [-4, 0, 0], [4, height, 0])).toBe(walkable);
	});

	test('stairs lead up, and block from below', async () => {
		const world = await freshWorld();
		for (let i = 0; i < 8; i++) spawnBox(world, [i, 0.3 * (i + 1) - 0.05, 0], [0.5, 0.05, 1]);
		const mesh = meshOf(world, { cell_size: 0.5, agent_radius: 0.2 });
		expect(hasPath(mesh, [-3, 0, 0], [7, 2.4, 0])).toBe(true);
		// Under the low steps there is no room to stand; under the high ones there is.
		expect(placeAt(mesh, 1, 0, 0.2)).not.toBe(placeAt(mesh, 1, 9, 5));
		expect(mesh.y[placeAt(mesh, 2.2, 0, 0.2)]).toBeGreaterThan(0.5);
	});
});

describe('headroom', () => {
	test.each([
		[1.9, true],
		[1.7, false],
	])('under a roof %d m high is enough: %s', async (height, walkable) => {
		const world = await freshWorld();
		spawnBox(world, [0, height + 0.2, 0], [2, 0.2, 12]);
		expect(hasPath(meshOf(world), [-6, 0, 0], [6, 0, 0])).toBe(walkable);
	});

	test('a bridge is walkable on and under, and only its ramps connect both', async () => {
		const world = await freshWorld();
		spawnBox(world, [0, 2.9, 0], [2, 0.1, 4]);
		const mesh = meshOf(world, { agent_radius: 0 });
		expect(hasPath(mesh, [-6, 0, 0], [6, 0, 0])).toBe(true);
		expect(hasPath(mesh, [0, 3, -3], [0, 3, 3])).toBe(true);
		expect(hasPath(mesh, [0, 3, 0], [6, 0, 0])).toBe(false);
		spawnBox(world, [7, 0, 0], [0.4, 0.1, 2]);
		const angle = 30;
		const turn = (angle * Math.PI) / 180;
		// Leans on the bridge's edge at x = 2 and comes down towards +x.
		spawnBox(
			world,
			[2 + 3 * cos(turn) - 0.05, 3 - 3 * sin(turn) - 0.1 * cos(turn), 0],
			[3, 0.1, 2],
			rotatedBy(-angle),
		);
		const joined = meshOf(world, { agent_radius: 0, cell_size: 0.5 });
		expect(hasPath(joined, [0, 3, 0], [-6, 0, 0])).toBe(true);
	});
});

describe('the radius', () => {
	test.each([
		[0.4, true],
		[0.9, false],
	])('%d m fits through a gap of 1.5 m: %s', async (agent_radius, fits) => {
		const world = await freshWorld();
		spawnBox(world, [0, 1, -5.75], [0.5, 1, 5]);
		spawnBox(world, [0, 1, 5.75], [0.5, 1, 5]);
		const mesh = meshOf(world, { cell_size: 0.25, agent_radius });
		expect(hasPath(mesh, [-4, 0, 0], [4, 0, 0])).toBe(fits);
	});

	test('keeps paths at that distance from obstacles', async () => {
		const world = await freshWorld();
		spawnBox(world, [0, 1, 0], [1, 1, 4]);
		const { path } = findPathBetween(
			meshOf(world, { cell_size: 0.25, agent_radius: 0.7 }),
			[-5, 0, 0],
			[5, 0, 0],
			false,
		) as {
			path: { points: readonly Vector[] };
		};
		for (const [x, , z] of path.points) {
			const distance = Math.hypot(Math.max(0, Math.abs(x) - 1), Math.max(0, Math.abs(z) - 4));
			expect(distance).toBeGreaterThanOrEqual(0.7);
		}
	});
});

describe('every shape', () => {
	const wedge = [
		[-2, 0, -2],
		[-2, 0, 2],
		[2, 0, -2],
		[2, 0, 2],
		[2, 1.5, -2],
		[2, 1.5, 2],
	];
	test.each<readonly [string, object, number]>([
		['box', { shape: 'Aabb', hx: 2, hy: 1, hz: 2 }, 16],
		['ball', { shape: 'Sphere', radius: 2 }, 14],
		['cylinder', { shape: 'Cylinder', radius: 2, half_height: 1 }, 14],
		['capsule', { shape: 'Capsule', radius: 2, half_height: 1 }, 14],
		[
			'mesh',
			{
				shape: 'TriMesh',
				points: [
					[-2, 0, -2],
					[2, 0, -2],
					[0, 3, 2],
				],
				triangles: [[0, 1, 2]],
			},
			8,
		],
		[
			'field',
			{
				shape: 'HeightField',
				heights: [
					[0, 3],
					[0, 3],
				],
				size: [4, 4],
			},
			8,
		],
	])('of a %s blocks the cells that it covers', async (_, collider, minBlocked) => {
		const world = await freshWorld();
		spawnSolid(world, [0, 0.5, 0], collider);
		const mesh = meshOf(world, { agent_radius: 0, max_slope: 30 });
		expect(countBlockedCells(mesh)).toBeGreaterThanOrEqual(minBlocked);
		expect(countBlockedCells(mesh)).toBeLessThanOrEqual(25);
	});

	test('of a hull is a ramp if it slopes', async () => {
		const world = await freshWorld();
		spawnSolid(world, [0, 0, 0], { shape: 'ConvexHull', points: wedge });
		const mesh = meshOf(world, { agent_radius: 0 });
		expect(hasPath(mesh, [-5, 0, 0], [1.5, 1.3, 0])).toBe(true);
		expect(hasPath(meshOf(world, { max_slope: 10 }), [-5, 0, 0], [1.5, 1.3, 0])).toBe(false);
	});

	test('a hull has the faces of its corners, for any points inside', () => {
		const cube = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, i >> 2]);
		const triangles = hullTriangles(Float32Array.from([...cube, 0.5, 0.5, 0.5, 0.25, 0.5, 0.75]));
		let volume = 0;
		for (let start = 0; start < triangles.length; start += 9) {
			const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0, cx = 0, cy = 0, cz = 0] = triangles.subarray(
				start,
				start + 9,
			);
			volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
		}
		expect(volume).toBeCloseTo(1);
		expect(hullTriangles(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]))).toHaveLength(0);
	});
});

describe('ground', () => {
	/** Spawns a terrain around the origin. `height` returns the height of a point. Returns the entity's id. */
	function spawnTerrain(world: World, side: number, height: (column: number, row: number) => number): number {
		const flat = flatGround(side, side, 1);
		const { ground } = changePoints(
			flat,
			{ left: 0, right: side - 1, near: 0, far: side - 1 },
			({ place, heights }) => {
				for (let row = 0; row < place.rows; row++)
					for (let column = 0; column < place.columns; column++)
						heights[row * place.columns + column] = height(place.column + column, place.row + row);
				return true;
			},
		);
		const corner = -(side - 1) / 2;
		return spawnEntity(world, { position: [corner, 0, corner], terrain: ground } as SpawnDocument).handle.id;
	}

	test('is walkable if it is not too steep, and paths are on it', async () => {
		const world = await freshWorld();
		// A ridge across with a pass in it.
		spawnTerrain(
			world,
			41,
			(column, row) => Math.max(0, 6 - Math.abs(column - 20) * 2) * (Math.abs(row - 30) < 4 ? 0.2 : 1),
		);
		const mesh = meshOf(world, { min_x: -20, max_x: 20, min_z: -20, max_z: 20 });
		const answer = findPathBetween(mesh, [-15, 0, -5], [15, 0, -5], false);
		expect(answer.path).not.toBeNull();
		const points = answer.path!.points;
		expect(Math.max(...points.map(([, , z]) => z))).toBeGreaterThan(6);
	});

	test('of 512 x 512 m has a mesh in which an edit rebuilds a few tiles, and a wall one or two', async () => {
		const world = await freshWorld();
		const id = spawnTerrain(world, 513, (column, row) => 4 * sin(column / 20) + 3 * cos(row / 30));
		const mesh = meshOf(world, { min_x: -256, max_x: 256, min_z: -256, max_z: 256 });
		expect(mesh.width * mesh.height).toBe(262_144);
		expect(updateNavigation(world).rebuiltTiles).toBe(256);
		expect(mesh.y.length).toBeGreaterThan(250_000);
		const { path } = findPathBetween(mesh, [-250, 0, -250], [250, 0, 250], false);
		expect(path!.length).toBeGreaterThan(700);
		expect(path!.length).toBeLessThan(760);
		spawnBox(world, [10.5, 0, 10.5], [2, 20, 2]);
		expect(updateNavigation(world).rebuiltTiles).toBe(1);
		expect(updateNavigation(world).mesh).not.toBe(mesh);
		const edited = changePoints(
			terrains(world)[0]!.ground,
			{ left: 100, right: 104, near: 100, far: 104 },
			({ heights }) => {
				heights[500] = 9;
				return true;
			},
		);
		setGround(world, id, edited.ground);
		expect(updateNavigation(world).rebuiltTiles).toBeLessThanOrEqual(9);
		expect(updateNavigation(world).rebuiltTiles).toBeGreaterThan(0);
	});
});

describe('a path across a large mesh', () => {
	test('is found in few steps, and is hardly longer than the shortest', async () => {
		const world = await freshWorld();
		// Walls from one side to the other, each with a gap at one end.
		const [side, gap] = [200, 10];
		const xs = Array.from({ length: 9 }, (_, i) => -160 + 40 * i);
		for (const [i, x] of xs.entries()) spawnBox(world, [x, 1, i % 2 === 0 ? gap : -gap], [1, 1, side - gap]);
		const mesh = meshOf(world, { min_x: -side, max_x: side, min_z: -side, max_z: side });
		const { path } = findPathBetween(mesh, [-195, 0, 195], [195, 0, -195], false);
		expect(mesh.y.length).toBeGreaterThan(150_000);
		expect(path!.visits).toBeLessThan(60_000);
		// From gap to gap.
		const minLength = 8 * (2 * side - 4 * gap) + 2 * (side - gap);
		expect(path!.length).toBeGreaterThan(minLength);
		expect(path!.length).toBeLessThan(1.1 * minLength);
	});

	test('leads through another gap if its own is closed, and nowhere if all are', async () => {
		const world = await freshWorld();
		spawnBox(world, [0, 1, 0], [1, 1, 80]);
		const mesh = () => meshOf(world, { min_x: -100, max_x: 100, min_z: -100, max_z: 100 });
		const across = () => findPathBetween(mesh(), [-50, 0, 60], [50, 0, 60], false).path;
		expect(across()!.points.every(([, , z]) => z > 0)).toBe(true);
		spawnBox(world, [0, 1, 90], [1, 1, 10]);
		expect(across()!.points.some(([, , z]) => z < -80)).toBe(true);
		spawnBox(world, [0, 1, -90], [1, 1, 10]);
		expect(across()).toBeNull();
	});
});

describe('the mesh', () => {
	test('built in pieces equals the mesh built in one run, for any order of additions', async () => {
		const worlds = await Promise.all([freshWorld(), freshWorld(), freshWorld()]);
		const boxes: readonly [Vector, Vector][] = [
			[
				[3, 1, 3],
				[1, 1, 4],
			],
			[
				[-4, 0.2, 0],
				[2, 0.2, 2],
			],
			[
				[0, 1, -6],
				[5, 1, 0.3],
			],
		];
		const [piecewise, backwards, once] = worlds as [World, World, World];
		const settings = { cell_size: 0.5 };
		meshOf(piecewise, settings);
		for (const [position, half] of boxes) {
			spawnBox(piecewise, position, half);
			updateNavigation(piecewise);
		}
		const extra = spawnBox(piecewise, [5, 1, -5], [1, 1, 1]);
		updateNavigation(piecewise);
		despawn(piecewise, extra);
		for (const [position, half] of [...boxes].reverse()) spawnBox(backwards, position, half);
		for (const [position, half] of boxes) spawnBox(once, position, half);
		const expected = meshOf(once, settings);
		for (const mesh of [updateNavigation(piecewise).mesh!, meshOf(backwards, settings)]) {
			expect(mesh.hash).toBe(expected.hash);
			expect(mesh.y).toEqual(expected.y);
			expect(mesh.firstPlace).toEqual(expected.firstPlace);
			expect(linksOf(mesh)).toEqual(linksOf(expected));
			expect(regionsOf(mesh)).toEqual(regionsOf(expected));
		}
	});

	test('is shared by forks until a static body changes, and moving bodies do not rebuild it', async () => {
		const world = await freshWorld();
		const wall = spawnBox(world, [0, 1, 0], [1, 1, 1]);
		const mover = spawnEntity(world, {
			position: [5, 1, 5],
			physics_body: 'Dynamic',
			collider: { shape: 'Sphere', radius: 1 },
		} as SpawnDocument).handle.id;
		const mesh = meshOf(world);
		const fork = clone(world);
		expect(updateNavigation(fork).mesh).toBe(mesh);
		write(world, LocalTransform, 'position')[mover * 3] = 6;
		expect(updateNavigation(world).mesh).toBe(mesh);
		write(fork, LocalTransform, 'position')[wall * 3] = 4;
		expect(updateNavigation(fork).mesh!.hash).not.toBe(mesh.hash);
		expect(updateNavigation(world).mesh).toBe(mesh);
		write(fork, LocalTransform, 'position')[wall * 3] = 0;
		expect(updateNavigation(fork).mesh!.hash).toBe(mesh.hash);
	});
});
