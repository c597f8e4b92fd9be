/** Water, tested through calls: floating bodies, flow and waves, and the paths of walkers. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Json, startEngine, type TestEngine } from '../../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

const CALM = { size: [40, 40], wave_height: 0, depth: 20 };
const box = (hx: number, hy = hx, hz = hx) => ({ shape: 'Aabb', hx, hy, hz });

const spawnWater = (more: Json = {}, position = [0, 0, 0]) =>
	engine.spawn({ position, water: { ...CALM, ...more } }) as Promise<number>;
const spawnBody = (collider: Json, position: number[], more: Json = {}) =>
	engine.spawn({ position, physics_body: 'Dynamic', collider, ...more }) as Promise<number>;
const positionOf = async (id: number) =>
	(await engine.entity(id)).local_transform.position as [number, number, number];

describe('bodies', () => {
	test('float at the depth of their mass and volume, at rest and upright, and sink if heavier than water', async () => {
		await spawnWater();
		// The draught is mass / (density * cross-section).
		const crate = await spawnBody(box(0.5), [-6, 1, 0], { mass: 600 });
		const raft = await spawnBody(box(2, 0.2, 1), [0, 0.5, 0], { mass: 800, rotation: [0.1, 0.2, 0.3, 0.9] });
		const barrel = await spawnBody({ shape: 'Cylinder', radius: 0.4, half_height: 0.25 }, [5, 0, 0], {
			mass: 100,
		});
		const ball = await spawnBody({ shape: 'Sphere', radius: 0.5 }, [-3, -3, 4], {
			mass: (1000 * Math.PI) / 12,
		});
		const cork = await spawnBody(box(0.5), [9, 3, 0]);
		const stone = await spawnBody(box(0.5), [0, 2, 8], { mass: 2500 });
		await engine.step(500);
		const height = async (id: number) => (await positionOf(id))[1];
		expect(await height(crate)).toBeCloseTo(0.5 - 0.6, 2);
		expect(await height(raft)).toBeCloseTo(0.2 - 0.1, 2);
		expect(await height(barrel)).toBeCloseTo(0.25 - 100 / (1000 * Math.PI * 0.16), 2);
		expect(await height(ball)).toBeCloseTo(0, 2);
		expect(await height(cork)).toBeCloseTo(0.5 - 0.001, 2);
		expect(await height(stone)).toBeLessThan(-8);
		const { velocity, local_transform } = await engine.entity(raft);
		for (const part of [...velocity.linear, ...velocity.angular]) expect(Math.abs(part)).toBeLessThan(1e-2);
		const [x, , z] = local_transform.rotation as [number, number, number, number];
		expect(1 - 2 * (x * x + z * z)).toBeCloseTo(1, 3);
	});

	test('drift with the flow, rise with the waves, sink when heavier, and fall without water', async () => {
		const river = await spawnWater({ flow: [1.5, 0], wave_height: 0.4, wave_length: 8 });
		const crate = await spawnBody(box(0.5), [-10, 0, 0], { mass: 500 });
		await engine.step(300);
		const heights: number[] = [];
		for (let i = 0; i < 12; i++) {
			await engine.step(10);
			heights.push((await positionOf(crate))[1]);
		}
		const { velocity, local_transform } = await engine.entity(crate);
		expect(velocity.linear[0]).toBeCloseTo(1.5, 1);
		expect(local_transform.position[0]).toBeGreaterThan(-5);
		expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(0.2);
		await engine.change(crate, { mass: 1500 });
		await engine.step(120);
		const sunk = (await positionOf(crate))[1];
		expect(sunk).toBeLessThan(-1);
		await engine.must('POST', '/despawn', { entity_id: river });
		await engine.step(60);
		expect((await positionOf(crate))[1]).toBeLessThan(sunk - 4);
	});

	test('have the same future in a fork, and after a snapshot or a scenario', async () => {
		await spawnWater({ flow: [0.3, 0.2], wave_height: 0.2 });
		for (let i = 0; i < 6; i++)
			await spawnBody(box(0.3 + 0.1 * i), [2 * i - 6, 1 + i, i % 2], {
				mass: 40 * (i + 1),
				rotation: [0.1, 0.2, i, 1],
				tags: ['boat'],
			});
		await engine.rule({
			when: 'tick:55',
			outcomes: [
				{ label: 'gust', weight: 1, do: ['set_field tag:boat velocity.linear.y 4'] },
				{ label: 'calm', weight: 2, do: [] },
			],
		});
		await engine.step(50);
		await engine.must('POST', '/fork', { fork_id: 'b' });
		await engine.must('POST', '/snapshot', { label: 'here' });
		const scenario = await engine.must('GET', '/scenario');
		const { distribution } = await engine.must('POST', '/peek', { ticks: 6 });
		const expectedFuture = await engine.future(60);
		expect(distribution).toContainEqual(expect.objectContaining({ state_digest: expectedFuture[5] }));
		expect(distribution).toHaveLength(2);
		expect(await engine.future(60, 'b')).toEqual(expectedFuture);
		await engine.must('POST', '/snapshot/here/restore');
		expect(await engine.future(60)).toEqual(expectedFuture);
		const other = await startEngine();
		await other.must('POST', '/scenario', scenario);
		expect(await other.future(60)).toEqual(expectedFuture);
		other.engine.close();
	});
});

describe('walkers', () => {
	const FIELD = {
		min_x: -12,
		max_x: 12,
		min_z: -12,
		max_z: 12,
		cell_size: 0.5,
		floor: -1,
		agent_radius: 0.3,
	};
	const computePath = async () => {
		const { waypoints, cost, length } = await engine.must('POST', '/path/compute', {
			from: [-10, -1, 0],
			to: [10, -1, 0],
		});
		return {
			points: waypoints as [number, number, number][],
			cost: cost as number,
			length: length as number,
		};
	};

	test('go around a pond, wade in shallow water, and swim at a cost', async () => {
		await engine.must('POST', '/navmesh/generate', FIELD);
		expect((await computePath()).length).toBeCloseTo(20, 3);
		const pond = await spawnWater({ size: [6, 6] });
		const detour = await computePath();
		expect(detour.length).toBeGreaterThan(20.8);
		for (const [x, , z] of detour.points) expect(Math.max(Math.abs(x), Math.abs(z))).toBeGreaterThan(3);
		await engine.change(pond, { water: { size: [6, 6], wade: 1 } });
		expect((await computePath()).length).toBeCloseTo(20, 3);
		// For a wide pond, the detour costs more than 6 m of swimming.
		await engine.change(pond, { water: { size: [6, 20], walk_cost: 1.2 } });
		const direct = await computePath();
		expect(direct.length).toBeCloseTo(20, 3);
		expect(direct.cost).toBeCloseTo(14 + 6 * 1.2, 0);
		await engine.must('POST', '/despawn', { entity_id: pond });
		expect((await computePath()).cost).toBeCloseTo(20, 3);
	});
});

test('water covers the lower parts of a terrain', async () => {
	await engine.must('POST', '/terrain/create', {
		width: 33,
		height: 33,
		centered: true,
	});
	await engine.must('POST', '/terrain/edit', {
		x: 0,
		z: 0,
		space: 'world',
		op: 'flatten',
		radius: 8,
		amount: 1,
		height: -4,
	});
	await engine.spawn({ position: [0, -0.5, 0], water: { wave_height: 0 } });
	const boat = await spawnBody(box(0.4), [0, 2, 0], { mass: 200 });
	const dry = await spawnBody(box(0.4), [14, 2, 0], { mass: 200 });
	await engine.step(300);
	expect((await positionOf(boat))[1]).toBeCloseTo(-0.5 + 0.4 - 200 / 640, 1);
	expect((await positionOf(dry))[1]).toBeCloseTo(0.4, 1);
});

test('invalid water is refused with a fix', async () => {
	const before = engine.bytes();
	for (const sent of [{ depth: 0 }, { size: [-1, 4] }, { walk_cost: -1 }, { clearness: 1 }]) {
		const answer = await engine.post('/spawn', { position: [0, 0, 0], water: sent });
		expect(answer, JSON.stringify(sent)).toMatchObject({ ok: false, fix: expect.any(String) });
	}
	expect(await engine.post('/spawn', { mass: 0 })).toMatchObject({ ok: false, fix: expect.any(String) });
	expect(engine.bytes()).toBe(before);
});
