/** Bodies rest on a terrain, and worlds continue equally in every bit after changes of its heights. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partState } from '../../../../web/sim/core/world.ts';
import { Physics } from '../../../../web/sim/physics/physics.part.ts';
import { startEngine } from '../../../support/engine.ts';
import { check } from '../../../support/property.ts';

const ball = (x: number, y: number, z: number) => ({
	position: [x, y, z],
	physics_body: 'Dynamic',
	collider: { shape: 'Sphere', radius: 0.5 },
});

test('a ball rests on a terrain, falls after the ground is lowered, and rolls down a slope', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	await must('POST', '/terrain/create', { width: 41, height: 41, centered: true, position: [0, 2, 0] });
	const id = await spawn(ball(0, 5, 0));
	const positionOf = async () => (await entity(id)).local_transform.position as [number, number, number];
	await must('POST', '/step', { ticks: 240 });
	expect((await positionOf())[1]).toBeCloseTo(2.5, 1);
	await must('POST', '/terrain/edit', { op: 'lower', x: 20, z: 20, radius: 10, amount: 3 });
	await must('POST', '/step', { ticks: 240 });
	expect((await positionOf())[1]).toBeLessThan(0.3);
	await must('POST', '/terrain/edit', { op: 'raise', x: 14, z: 20, radius: 10, amount: 9 });
	const [before] = await positionOf();
	await must('POST', '/step', { ticks: 120 });
	expect((await positionOf())[0]).not.toBeCloseTo(before, 1);
	engine.close();
});

test('boxes lie on hills at the height of the ground', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	await must('POST', '/terrain/create', {
		width: 65,
		height: 65,
		centered: true,
		noise: { seed: 5, amount: 4, scale: 20 },
	});
	const ids: number[] = [];
	for (let i = 0; i < 12; i++) ids.push(await spawn({ ...ball(i * 4 - 22, 8, (i % 5) * 6 - 12) }));
	await must('POST', '/step', { ticks: 150 });
	for (const id of ids) {
		const [x, y, z] = (await entity(id)).local_transform.position as [number, number, number];
		const { height } = await must('GET', `/terrain/height?space=world&x=${x}&z=${z}`);
		if (height === null) continue;
		expect(y - Number(height)).toBeGreaterThan(0.3);
		expect(y - Number(height)).toBeLessThan(1.5);
	}
	engine.close();
});

const place = fc.integer({ min: 0, max: 40 });
const strokes = fc.array(
	fc.record({
		op: fc.constantFrom('raise', 'lower', 'flatten', 'smooth', 'noise'),
		x: place,
		z: place,
		radius: fc.integer({ min: 1, max: 12 }),
		amount: fc.double({ min: 0, max: 2, noNaN: true }),
		seed: fc.nat(99),
	}),
	{ minLength: 1, maxLength: 4 },
);

test('a fork, a snapshot and an exact copy continue like the world, with edits at any time', () =>
	check(4, [strokes, strokes, fc.nat(20)], async (first, second, ticks) => {
		const { must, spawn, engine } = await startEngine();
		await must('POST', '/terrain/create', { width: 41, height: 41, noise: { seed: 3, amount: 2 } });
		for (let i = 0; i < 6; i++) await spawn(ball(8 + i * 4, 3 + (i % 3), 10 + ((i * 7) % 20)));
		for (const stroke of first) {
			await must('POST', '/terrain/edit', stroke);
			await must('POST', '/step', { ticks: 3 });
		}
		for (const stroke of second) await must('POST', '/terrain/edit', stroke);
		await must('POST', '/snapshot', { label: 'a' });
		await must('POST', '/fork', { fork_id: 'plan' });
		const scenario = await must('GET', '/scenario');
		const digestAfter = async (world: string) => {
			await must('POST', `/step${world}`, { ticks: 5 + ticks });
			await must('POST', `/terrain/edit${world}`, { op: 'lower', x: 20, z: 20, radius: 6, amount: 1 });
			await must('POST', `/step${world}`, { ticks: 5 });
			return (await must('GET', `/digest${world === '' ? '?' : `${world}&`}future=true`)).future_digest;
		};
		const expectedDigest = await digestAfter('');
		expect(expectedDigest).toMatch(/^[0-9a-f]{16}$/);
		await must('POST', '/fork', { fork_id: 'heir', from: 'plan' });
		expect(await digestAfter('?world=plan')).toBe(expectedDigest);
		await must('POST', '/snapshot/a/restore');
		expect(await digestAfter('')).toBe(expectedDigest);
		await must('POST', '/fork/heir/promote', {});
		expect(await digestAfter('')).toBe(expectedDigest);
		await must('POST', '/reset', { fresh: true });
		await must('POST', '/scenario', scenario);
		expect(await digestAfter('')).toBe(expectedDigest);
		engine.close();
	}));

/** Returns the colliders of the terrain in a slot. */
async function handlesOf({ engine, must }: Awaited<ReturnType<typeof startEngine>>, id: number) {
	await must('POST', '/step', { ticks: 1 });
	return [...partState(engine.worlds.main.world, Physics).mirror.grounds.get(id)!.handles];
}

test('an edit reloads only the changed tiles into the library', async () => {
	const started = await startEngine();
	const { must, spawn } = started;
	const { entity_id } = await must('POST', '/terrain/create', { width: 161, height: 129 });
	await spawn(ball(40, 3, 40));
	let before = await handlesOf(started, Number(entity_id));
	expect(before).toHaveLength(5 * 4);
	const changedTiles = async (edit: object) => {
		await must('POST', '/terrain/edit', edit);
		const after = await handlesOf(started, Number(entity_id));
		const tiles = after.flatMap((handle, tile) => (handle === before[tile] ? [] : [tile]));
		before = after;
		return tiles;
	};
	const raise = (x: number, z: number, radius: number) => ({ op: 'raise', x, z, radius, amount: 1 });
	expect(await changedTiles(raise(48, 48, 8))).toEqual([6]);
	// Adjacent tiles share the points of their border.
	expect(await changedTiles(raise(64, 48, 1))).toEqual([6, 7]);
	expect(await changedTiles(raise(64, 64, 1))).toEqual([6, 7, 11, 12]);
	expect(await changedTiles(raise(160, 128, 1))).toEqual([19]);
	expect(await changedTiles({ op: 'paint', layer: 'rock', x: 48, z: 48, radius: 8, amount: 1 })).toEqual([]);
	started.engine.close();
});

/**
 * Returns the positions and velocities of balls on each tick, and all events. `corner` shifts the terrain below the same
 * hills, so that the borders of its tiles are in other places.
 */
async function rollBalls(corner: number) {
	const { must, spawn, entity, get, engine } = await startEngine();
	const rows = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
	const heights = rows(corner, 97).map((z) =>
		rows(corner, 97).map((x) => Math.fround((((x * 7 + z * 3) % 5) - 2) / 400)),
	);
	await must('POST', '/terrain/create', { width: 97, height: 97, position: [corner, 0, corner] });
	await must('POST', '/terrain/edit', { op: 'set', heights, x: 0, z: 0 });
	const ids: number[] = [];
	// In the first terrain: across a border, along another one, and over the corner of four tiles.
	for (const [x, z, vx, vz] of [
		[30.3, 20.2, 9, 1],
		[40, 32, 8, 0.01],
		[30.1, 30.1, 7, 7],
	] as const)
		ids.push(
			await spawn({ ...ball(x, 0.505, z), velocity: { linear: [vx, 0, vz], angular: [vz * 2, 0, -vx * 2] } }),
		);
	const path: number[] = [];
	const eventTexts = new Set<string>();
	for (let tick = 0; tick < 25; tick++) {
		await must('POST', '/step', { ticks: 1 });
		for (const event of (await get('/events')).events) eventTexts.add(JSON.stringify(event));
		for (const id of ids) {
			const { velocity, local_transform } = await entity(id);
			path.push(...local_transform.position, ...velocity.linear);
		}
	}
	engine.close();
	return { path, events: [...eventTexts] };
}

test('a ball crosses the border of two tiles like any edge, with equal collision events', async () => {
	const [acrossBorder, insideTile] = [await rollBalls(0), await rollBalls(-16)];
	for (const [i, number] of acrossBorder.path.entries())
		expect(Math.abs(number - insideTile.path[i]!)).toBeLessThan(0.3);
	expect(acrossBorder.events).toEqual(insideTile.events);
	expect(acrossBorder.events.length).toBeGreaterThan(2);
});

test('a ball that lands on the tip of a hill, at the corner of four tiles, stays above it', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	await must('POST', '/terrain/create', { width: 65, height: 65 });
	await must('POST', '/terrain/edit', { op: 'raise', x: 32, z: 32, radius: 8, amount: 3 });
	const id = await spawn(ball(32, 6, 32));
	for (let tick = 0; tick < 90; tick++) {
		await must('POST', '/step', { ticks: 1 });
		const [x, y, z] = (await entity(id)).local_transform.position;
		const { height } = await must('GET', `/terrain/height?x=${x}&z=${z}`);
		expect(y).toBeGreaterThan(Number(height) + 0.45);
	}
	engine.close();
});

test('a body on raised ground is woken and lifted', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	await must('POST', '/terrain/create', { width: 65, height: 65 });
	// The ball lies on a table, and does not touch the ground.
	await spawn({
		position: [31, 0.5, 20],
		physics_body: 'Static',
		collider: { shape: 'Box', hx: 0.9, hy: 0.5, hz: 0.9 },
	});
	const id = await spawn(ball(31, 1.5, 20));
	const height = async () => (await entity(id)).local_transform.position[1] as number;
	await must('POST', '/step', { ticks: 180 });
	expect(await height()).toBeCloseTo(1.5, 1);
	await must('POST', '/terrain/edit', { op: 'raise', x: 31, z: 20, radius: 6, amount: 1.3 });
	await must('POST', '/step', { ticks: 60 });
	expect(await height()).toBeGreaterThan(1.55);
	engine.close();
});
