/** Play in real time: 60 ticks per second, limited catching up, and no ticks during a call. The test controls the clock. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
/** Time that passed without the loop getting a turn (ms). */
let stalled = 0;
/** Time that passes with each read of the clock (ms). */
let perRead = 0;
const faults: string[] = [];

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
	faults.length = 0;
	stalled = 0;
	perRead = 0;
	engine = await startEngine({
		now: () => {
			stalled += perRead;
			return performance.now() + stalled;
		},
		report: (message) => void faults.push(message),
	});
});
afterEach(() => {
	engine.engine.close();
	vi.useRealTimers();
});

const tickOf = (id = 'main') => engine.engine.worlds.find(id)!.world.tick;
const post = (path: string, body: unknown = {}) => engine.must('POST', path, body);

test('a fresh world is paused', async () => {
	await vi.advanceTimersByTimeAsync(1000);
	expect(tickOf()).toBe(0);
});

test('play runs 60 ticks per second, pause ends it, and both can be repeated', async () => {
	await post('/play');
	await post('/play');
	await vi.advanceTimersByTimeAsync(1005);
	expect(tickOf()).toBe(60);
	await vi.advanceTimersByTimeAsync(9000);
	expect(tickOf()).toBe(600);
	expect((await engine.must('GET', '/')).playing).toBe(true);
	await post('/pause');
	await post('/pause');
	await vi.advanceTimersByTimeAsync(1000);
	expect(tickOf()).toBe(600);
});

test('a world plays at its given speed, from a quarter of real time to eight times', async () => {
	await post('/fork', { fork_id: 'slow' });
	expect(await post('/play', { speed: 8 })).toMatchObject({ speed: 8 });
	await post('/play?world=slow', { speed: 0.25 });
	await vi.advanceTimersByTimeAsync(1005);
	expect([tickOf(), tickOf('slow')]).toEqual([480, 15]);
	await post('/pause');
	await post('/play');
	await vi.advanceTimersByTimeAsync(1000);
	expect(tickOf()).toBe(540);
	for (const speed of [0.1, 9, 'fast']) {
		const { status, body } = await engine.call('POST', '/play', { speed });
		expect([status, body.code]).toEqual([422, 'invalid_body']);
	}
});

test('a fork plays by itself, and stops when it is dropped', async () => {
	await post('/fork', { fork_id: 'plan' });
	await post('/play?world=plan');
	await vi.advanceTimersByTimeAsync(505);
	expect([tickOf(), tickOf('plan')]).toEqual([0, 30]);
	await post('/play');
	await vi.advanceTimersByTimeAsync(500);
	expect([tickOf(), tickOf('plan')]).toEqual([30, 60]);
	await engine.must('DELETE', '/fork/plan');
	await vi.advanceTimersByTimeAsync(500);
	expect(tickOf()).toBe(60);
	expect(faults).toEqual([]);
});

test('a fork of a playing world does not play', async () => {
	await post('/play');
	await post('/fork', { fork_id: 'plan' });
	await vi.advanceTimersByTimeAsync(500);
	expect(tickOf('plan')).toBe(0);
});

describe('delays', () => {
	test('of a quarter of a second are made up for', async () => {
		await post('/play');
		stalled = 200;
		await vi.advanceTimersToNextTimerAsync();
		expect(tickOf()).toBe(12);
		expect(engine.engine.takeStatus().dropped_ticks).toBe(0);
	});

	test('beyond that are given up, and counted', async () => {
		await post('/play');
		stalled = 10_000;
		await vi.advanceTimersToNextTimerAsync();
		expect(tickOf()).toBe(15);
		expect(engine.engine.takeStatus().dropped_ticks).toBe(600 - 15);
		await vi.advanceTimersByTimeAsync(1000);
		expect(tickOf()).toBe(75);
	});
});

test('time stops during a long step, and is made up for only within the limit', async () => {
	await post('/play');
	const before = tickOf();
	const step = post('/step', { ticks: 3000 });
	await vi.advanceTimersByTimeAsync(100);
	const { new_tick } = await step;
	expect(new_tick).toBeGreaterThanOrEqual(before + 3000);
	await vi.advanceTimersByTimeAsync(1000);
	expect(tickOf()).toBeLessThanOrEqual(before + 3000 + 6 + 60 + 1);
	expect(tickOf()).toBeGreaterThanOrEqual(before + 3000 + 60);
});

test('a tick that fails pauses its world, reports it, and leaves the others alone', async () => {
	await post('/fork', { fork_id: 'sound' });
	await post('/play');
	await post('/play?world=sound');
	await vi.advanceTimersByTimeAsync(100);
	const { world } = engine.engine.worlds.main;
	const { entities, tables } = world;
	Object.defineProperty(world, 'tables', {
		configurable: true,
		get() {
			throw new Error('broken for the test');
		},
	});
	await vi.advanceTimersByTimeAsync(500);
	Object.defineProperty(world, 'tables', { value: tables });
	expect(faults).toEqual([`A tick failed at tick ${world.tick}; the world is paused.`]);
	expect(engine.engine.worlds.main.playing).toBe(false);
	expect(entities.count).toBe(0);
	expect(tickOf('sound')).toBeGreaterThan(30);
});

test('a world whose mesh takes long to rebuild waits for it, and calls are answered meanwhile', async () => {
	const corner = { min_x: -128, max_x: 128, min_z: -128, max_z: 128 };
	await post('/navmesh/generate', corner);
	const { id } = await post('/spawn', { position: [-100, 0, 0], physics_body: 'Kinematic' });
	await post('/path/set', { entity_id: id, target: [100, 0, 0] });
	await post('/play');
	await vi.advanceTimersByTimeAsync(205);
	const before = tickOf();
	expect(before).toBeGreaterThan(0);
	const collider = { shape: 'Aabb', hx: 1, hy: 2, hz: 90 };
	await post('/spawn', { position: [0, 0, 0], physics_body: 'Static', collider });
	perRead = 7;
	await vi.advanceTimersByTimeAsync(50);
	expect(tickOf()).toBe(before);
	expect(await engine.must('GET', '/')).toMatchObject({ playing: true });
	perRead = 0;
	await vi.advanceTimersByTimeAsync(1000);
	expect(tickOf()).toBeGreaterThan(before + 30);
});
