/**
 * The engine behind msw: code that only uses `fetch` and a URL can use a real world.
 */

import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getScreenshot } from '../../../shared/routes/camera.ts';
import { createFork, stepFork } from '../../../shared/routes/forks.ts';
import { step } from '../../../shared/routes/simulation.ts';
import { getEntity, observe, spawn } from '../../../shared/routes/world.ts';
import { CallError, createClient, httpHandle } from '../../../shared/transport/client.ts';
import { engineHandlers } from '../../../web/host/msw-handlers.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { describeConformance } from './conformance.ts';

const BASE = 'http://world.test';
/** Answers all other URLs, so that no test reaches the network. */
const elsewhere = http.all('*', () => HttpResponse.text('elsewhere', { status: 418 }));
const server = setupServer(elsewhere);
let world: TestEngine;

beforeAll(() => server.listen());
afterAll(() => server.close());

async function freshEngine(): Promise<void> {
	world?.engine.close();
	world = await startEngine();
	server.resetHandlers(...engineHandlers(BASE, world.engine.handle), elsewhere);
}

/** Drops a ball and waits until it rests, as an agent would. */
async function dropAndWait(base: string): Promise<{ ticks: number; height: number }> {
	const post = async (path: string, body: unknown) => {
		const response = await fetch(`${base}${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${path}: ${response.status}`);
		return response.json() as Promise<{ id: number; new_tick: number }>;
	};
	await post('/spawn', { physics_body: 'Static', collider: { shape: 'Aabb', hx: 5, hy: 0.5, hz: 5 } });
	const ball = { position: [0, 3, 0], physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } };
	const { id } = await post('/spawn', ball);
	for (;;) {
		const { new_tick } = await post('/step', { ticks: 10 });
		const seen = await (await fetch(`${base}/entities/${id}`)).json();
		const { transform, velocity } = seen as {
			transform: { position: number[] };
			velocity: { linear: number[] };
		};
		if (Math.abs(velocity.linear[1]!) < 1e-3 && new_tick > 60)
			return { ticks: new_tick, height: transform.position[1]! };
		if (new_tick > 600) throw new Error('the ball never came to rest');
	}
}

describe('a world at a URL', () => {
	beforeEach(freshEngine);

	test('an agent that only uses fetch drops a ball onto a floor', async () => {
		const { ticks, height } = await dropAndWait(BASE);
		expect(height).toBeCloseTo(1, 1);
		expect((await world.must('GET', '/')).tick).toBe(ticks);
	});

	test('the typed client works over it, forks included, and the world is the one in this process', async () => {
		const client = createClient(httpHandle(BASE));
		const { id } = await client.call(spawn, {
			body: { health: 50, position: [0, 9, 0], physics_body: 'dynamic' },
		});
		expect((await client.call(getEntity, { params: { id } })).health).toEqual([50, 50]);
		await client.call(createFork, { body: { fork_id: 'plan' } });
		const ahead = await client.call(stepFork, { params: { id: 'plan' }, body: { ticks: 30 } });
		const here = await client.call(step, { body: { ticks: 30 } });
		expect(here.state_digest).toBe(ahead.state_digest);
		const seen = await client.call(observe, { world: 'plan' });
		expect(seen.state_digest).toBe((await world.must('GET', '/digest')).state_digest);
		const refused = await client.call(getScreenshot).catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(CallError);
		expect((refused as CallError).body.code).toBe('no_picture');
		expect((refused as CallError).status).toBe(503);
	});

	test('a base URL with a path serves only the paths below it', async () => {
		server.use(...engineHandlers('http://other.test/world/', world.engine.handle));
		expect(await (await fetch('http://other.test/world/digest')).json()).toMatchObject({ ok: true });
		expect(await (await fetch('http://other.test/world?world=nowhere')).json()).toMatchObject({
			code: 'unknown_world',
		});
		expect((await fetch('http://other.test/worlds')).status).toBe(418);
	});
});

describe('conformance', () => {
	/** Some routes, with every kind of effect. The whole suite runs in process. */
	const selectedIds = new Set([
		'world.spawn',
		'world.entity',
		'world.observe',
		'simulation.step',
		'forks.delete',
		'camera.set',
	]);
	describeConformance(
		'through msw',
		async () => ({
			handle: httpHandle(BASE),
			reset: freshEngine,
			refusalsPerLook: 20,
			maxBodies: 20,
			has: { view: false, files: true },
			async close() {},
		}),
		{ only: (route) => selectedIds.has(route.id) },
	);
});
