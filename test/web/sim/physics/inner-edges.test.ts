/** Bodies slide over the edges between triangles of flat ground, and rest on its border and on both its sides. */

import { expect, test } from 'vitest';
import { type Json, startEngine } from '../../../support/engine.ts';

const CORNERS = [
	[-2, 0, -6],
	[-2, 0, 6],
	[3, 0, -6],
	[3, 0, 6],
	[9, 0, -6],
	[9, 0, 6],
	[30, 0, -6],
	[30, 0, 6],
];
const TRIANGLES = [
	[0, 1, 2],
	[1, 3, 2],
	[2, 3, 4],
	[3, 5, 4],
	[4, 5, 6],
	[5, 7, 6],
];
const staticSpawn = (collider: Json, extra: Json = {}) => [
	'/spawn',
	{ physics_body: 'Static', collider, ...extra },
];
const flat = (rows: number, columns: number) =>
	Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));

const FLOORS: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
	'a terrain, over the seam of its tiles': [
		['/terrain/create', { width: 41, height: 13, position: [-2, 0, -6] }],
	],
	'two terrains side by side': [-2, 6].map((x) => [
		'/terrain/create',
		{ width: x === -2 ? 9 : 25, height: 13, position: [x, 0, -6] },
	]),
	heights: [
		staticSpawn({ shape: 'HeightField', heights: flat(13, 41), size: [40, 12] }, { position: [18, 0, 0] }),
	],
	'heights upside down': [
		staticSpawn(
			{ shape: 'HeightField', heights: flat(13, 41), size: [40, 12] },
			{ position: [18, -1 / 512, 0], rotation: [1, 0, 0, 0] },
		),
	],
	'a mesh': [staticSpawn({ shape: 'TriMesh', points: CORNERS, triangles: TRIANGLES })],
	'a mesh that faces down': [
		staticSpawn(
			{ shape: 'TriMesh', points: CORNERS, triangles: TRIANGLES.map((corners) => corners.toReversed()) },
			{ position: [0, -1 / 512, 0] },
		),
	],
	'a closed mesh': [
		staticSpawn(
			{
				shape: 'TriMesh',
				points: [...CORNERS, ...CORNERS.map(([x, y, z]) => [x, y! - 1, z])],
				triangles: [
					...TRIANGLES,
					...TRIANGLES.map((corners) => corners.map((corner) => corner + 8).toReversed()),
				],
			},
			{},
		),
	],
};

const HALF_SIZE = 0.25;
const SLIDERS = [
	{ shape: 'Aabb', hx: HALF_SIZE, hy: HALF_SIZE, hz: HALF_SIZE },
	{ shape: 'Sphere', radius: HALF_SIZE },
	{ shape: 'Capsule', radius: HALF_SIZE, half_height: HALF_SIZE },
	{ shape: 'Cylinder', radius: HALF_SIZE, half_height: HALF_SIZE },
	{
		shape: 'ConvexHull',
		points: [-HALF_SIZE, HALF_SIZE].flatMap((x) =>
			[-HALF_SIZE, HALF_SIZE].flatMap((y) => [-HALF_SIZE, HALF_SIZE].map((z) => [x, y, z])),
		),
	},
];

test.for(Object.entries(FLOORS))('every shape slides over %s as over one box', async ([, floor]) => {
	const { must, spawn, entity, engine } = await startEngine();
	await must('POST', '/tuning', { physics: { friction: 0, restitution: 0 } });
	for (const [path, body] of floor) await must('POST', path as string, body);
	const ids: number[] = [];
	for (const [lane, collider] of SLIDERS.entries())
		ids.push(
			await spawn({
				physics_body: 'Dynamic',
				position: [0, HALF_SIZE, lane * 2 - 3.9],
				// Capsules lie across their direction of motion.
				rotation: collider.shape === 'Capsule' ? [1, 0, 0, 1] : [0, 0, 0, 1],
				velocity: { linear: [5, 0, 0] },
				collider,
			}),
		);
	await must('POST', '/step', { ticks: 240 });
	for (const id of ids) {
		const { local_transform, velocity } = await entity(id);
		expect(velocity.linear[0]).toBeCloseTo(5, 1);
		expect(local_transform.position[0]).toBeCloseTo(20, 0);
		expect(local_transform.position[1]).toBeCloseTo(HALF_SIZE, 2);
	}
	engine.close();
});

test('a ball that falls on the outermost corner or edge of heights hits the ground', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	const heights = Array.from({ length: 9 }, (_, z) =>
		Array.from({ length: 9 }, (_, x) => (x % 4 === 0 && z % 4 === 0 ? 1 : 0)),
	);
	await must('POST', '/terrain/create', { heights });
	await spawn({
		physics_body: 'Static',
		position: [34, 0, 4],
		collider: { shape: 'HeightField', heights, size: [8, 8] },
	});
	const balls: number[] = [];
	for (const corner of [0, 30])
		for (const [x, z] of [
			[0, 0],
			[8, 0],
			[0, 8],
			[8, 8],
			[4, 0],
			[0, 4],
		])
			for (const [radius, dropHeight] of [
				[0.05, 3],
				[0.1, 4],
				[0.3, 5],
				[0.5, 7],
			])
				balls.push(
					await spawn({
						physics_body: 'Dynamic',
						position: [corner + x!, 1 + dropHeight!, z!],
						velocity: { linear: [0, -20, 0] },
						collider: { shape: 'Sphere', radius },
					}),
				);
	const touched = new Set<number>();
	for (let tick = 0; tick < 40; tick++) {
		await must('POST', '/step', { ticks: 1 });
		for (const id of balls) if ((await entity(id)).velocity.linear[1] > -15) touched.add(id);
	}
	expect(balls.filter((id) => !touched.has(id))).toEqual([]);
	engine.close();
});

test('a ball that is placed or dropped on a tip does not sink into the ground', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	const heights = Array.from({ length: 17 }, (_, z) =>
		Array.from({ length: 17 }, (_, x) => (x % 8 === 4 && z % 8 === 4 ? 1 : 0)),
	);
	await must('POST', '/terrain/create', { heights });
	const balls: number[] = [];
	for (const [i, dropHeight] of [0.2, 0.5, 1, 4].entries())
		balls.push(
			await spawn({
				physics_body: 'Dynamic',
				position: [i % 2 === 0 ? 4 : 12, 1 + dropHeight, i < 2 ? 4 : 12],
				collider: { shape: 'Sphere', radius: 0.5 },
			}),
		);
	await must('POST', '/step', { ticks: 90 });
	for (const id of balls) expect((await entity(id)).local_transform.position[1]).toBeGreaterThan(0);
	engine.close();
});

test('a ball rests on a ridge along the seam of two tiles and on any other ridge', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	const heights = Array.from({ length: 65 }, () =>
		Array.from({ length: 65 }, (_, x) => -Math.min(Math.abs(x - 32), Math.abs(x - 20))),
	);
	await must('POST', '/terrain/create', { heights });
	const ids: number[] = [];
	for (const x of [20, 32])
		ids.push(
			await spawn({
				physics_body: 'Dynamic',
				position: [x, 2, 20.3],
				collider: { shape: 'Sphere', radius: 0.5 },
			}),
		);
	await must('POST', '/step', { ticks: 100 });
	for (const id of ids) expect((await entity(id)).local_transform.position[1]).toBeCloseTo(0.5, 2);
	engine.close();
});

test('a mesh stops bodies that fall on it from either side', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	await spawn({
		physics_body: 'Static',
		collider: { shape: 'TriMesh', points: CORNERS, triangles: TRIANGLES },
	});
	const fall = async (down: number, x: number) => {
		const ids: number[] = [];
		for (const [lane, collider] of SLIDERS.entries())
			ids.push(
				await spawn({
					physics_body: 'Dynamic',
					position: [x, -down * 2, lane * 2 - 4],
					velocity: { linear: [0, down * 30, 0] },
					collider,
				}),
			);
		await must('POST', '/tuning', { physics: { gravity: [0, down * 9.8, 0] } });
		await must('POST', '/step', { ticks: 40 });
		for (const id of ids) expect(-down * (await entity(id)).local_transform.position[1]).toBeGreaterThan(0);
	};
	await fall(-1, 6);
	await fall(1, 12);
	engine.close();
});
