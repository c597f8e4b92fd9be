/** Equal worlds have equal digests on all later ticks, and no number of a world is ever NaN or infinite. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GlobalTransform } from '../../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { Velocity } from '../../../../shared/components/velocity.ts';
import { encodeWorld } from '../../../../web/sim/core/codec.ts';
import { digest, futureDigest } from '../../../../web/sim/core/digest.ts';
import { add, partState, read, spawn, type World, write } from '../../../../web/sim/core/world.ts';
import { loadWorld } from '../../../../web/sim/create-world.ts';
import { observe } from '../../../../web/sim/observe/read-out.ts';
import { Physics } from '../../../../web/sim/physics/physics.part.ts';
import { freshWorld, type Json, startEngine, type TestEngine } from '../../../support/engine.ts';

// One test fakes invalid results of the library's calls, so bodies are read by calls and not from its memory.
vi.mock('../../../../web/sim/physics/body-rows.ts', async (original) => {
	const real = await original<typeof import('../../../../web/sim/physics/body-rows.ts')>();
	return { ...real, rowReader: real.callReader };
});

let testEngine: TestEngine;
beforeEach(async () => {
	testEngine = await startEngine();
});
afterEach(() => {
	vi.restoreAllMocks();
	testEngine.engine.close();
});

const post = (path: string, body: Json = {}) => testEngine.must('POST', path, body);
const mainWorld = () => testEngine.engine.worlds.main.world;
const forkWorld = () => testEngine.engine.worlds.fork('f').world;

const ball = (position: number[]) => ({
	position,
	physics_body: 'Dynamic',
	collider: { shape: 'Sphere', radius: 0.5 },
	velocity: { linear: [1, 2, 3], angular: [3, 2, 1] },
});
const FLOOR = {
	position: [0, -1, 0],
	physics_body: 'Static',
	collider: { shape: 'Aabb', hx: 9, hy: 1, hz: 9 },
};

/** Checks that an exact import of main in a fork, and a saved and loaded main, keep equal digests for some ticks. */
async function expectSameFuture(ticks: number): Promise<void> {
	await post('/fork', { fork_id: 'f' });
	await post('/scenario?world=f', await testEngine.must('GET', '/scenario?exact=true'));
	let loaded = loadWorld(encodeWorld(mainWorld()));
	for (let tick = 0; tick < ticks; tick++) {
		for (const world of [forkWorld(), loaded]) {
			expect(digest(world), `tick ${tick}`).toBe(digest(mainWorld()));
			expect(futureDigest(world), `tick ${tick}`).toBe(futureDigest(mainWorld()));
		}
		await post('/step');
		await post('/step?world=f');
		loaded = loadWorld(encodeWorld(mainWorld()));
	}
}

describe('an exact import has the same future as the exported world', () => {
	test('with tuned physics', async () => {
		await post('/tuning', { physics: { friction: 0.6 } });
		await post('/spawn', ball([0, 1, 0]));
		await post('/step', { ticks: 2 });
		await expectSameFuture(3);
	});

	test('with the slot of a moving body reused by a static one', async () => {
		await post('/spawn', ball([0, 1, 0]));
		await post('/spawn', ball([3, 1, 0]));
		await post('/step', { ticks: 2 });
		await post('/despawn', { entity_id: 0, entity_generation: 0 });
		await post('/spawn', FLOOR);
		await post('/step', { ticks: 2 });
		await expectSameFuture(3);
	});

	test('with a body that has lost its collider, and a free slot', async () => {
		for (let i = 0; i < 3; i++) await post('/spawn', ball([i * 3, 1, 0]));
		await post('/step', { ticks: 2 });
		await post('/entities/0/components', { remove: ['collider'] });
		await post('/despawn', { entity_id: 1, entity_generation: 0 });
		await post('/step', { ticks: 2 });
		await expectSameFuture(3);
	});
});

describe('0 and -0', () => {
	test('have one digest, in every column of numbers and any count', async () => {
		const worlds = await Promise.all([freshWorld(), freshWorld()]);
		for (const [sign, world] of worlds.entries()) {
			for (let i = 0; i < 5000; i++) {
				const { id } = spawn(world);
				add(world, id, LocalTransform, { position: [i, 0, 1] });
				add(world, id, Velocity);
			}
			const zero = sign === 0 ? 0 : -0;
			const linear = write(world, Velocity, 'linear');
			for (let i = 0; i < linear.length; i++) linear[i] = i % 7 === 0 ? i : zero;
			write(world, LocalTransform, 'position')[1] = zero;
		}
		const [plus, minus] = worlds as [World, World];
		expect(Object.is(read(minus, Velocity, 'linear')[1], -0)).toBe(true);
		expect(JSON.stringify(observe(minus))).toBe(JSON.stringify(observe(plus)));
		expect(digest(minus)).toBe(digest(plus));
		// The smallest number above 0 is another value.
		write(minus, Velocity, 'linear')[1] = 1e-45;
		expect(digest(minus)).not.toBe(digest(plus));
	});

	test('are equal in requests', async () => {
		const sent = (zero: string) =>
			new TextEncoder().encode(
				`{"position":[${zero},1,${zero}],"physics_body":"Dynamic","velocity":{"linear":[${zero},0,0],"angular":[0,${zero},0]}}`,
			);
		const json = { 'content-type': 'application/json' };
		await post('/fork', { fork_id: 'f' });
		await testEngine.call('POST', '/spawn', sent('0'), json);
		await testEngine.call('POST', '/spawn?world=f', sent('-0.0'), json);
		for (let tick = 0; tick < 3; tick++) {
			expect(digest(forkWorld())).toBe(digest(mainWorld()));
			expect(futureDigest(forkWorld())).toBe(futureDigest(mainWorld()));
			await post('/step');
			await post('/step?world=f');
		}
		for (const zero of ['0', '-0'])
			await testEngine.call(
				'POST',
				`/tuning?world=${zero === '0' ? 'main' : 'f'}`,
				new TextEncoder().encode(`{"physics":{"gravity":[${zero},-5,${zero}]}}`),
				json,
			);
		await post('/step');
		await post('/step?world=f');
		expect(digest(forkWorld())).toBe(digest(mainWorld()));
	});
});

/** Returns all 32-bit numbers in the columns of a world. */
function allNumbers(world: World): number[] {
	return world.tables.flatMap((table) =>
		Object.values(table?.columns ?? {}).flatMap(({ data }) =>
			data instanceof Float32Array ? [...data] : [],
		),
	);
}

describe('no NaN occurs', () => {
	test('in a long chain of large scales', async () => {
		for (let i = 0; i < 40; i++)
			await post('/spawn', {
				position: [1e6, -1e6, 1e6],
				scale: [1e4, 1e4, 1e4],
				...(i === 0 ? {} : { parent: i - 1 }),
			});
		await post('/step');
		expect(allNumbers(mainWorld()).every(Number.isFinite)).toBe(true);
		expect([...(read(mainWorld(), GlobalTransform, 'scale') as Float32Array)].slice(117, 120)).toEqual([
			1e9, 1e9, 1e9,
		]);
		const { transform } = (await testEngine.must('GET', '/entities/39')) as {
			transform: { position: number[] };
		};
		expect(transform.position.every((part) => Number.isFinite(part))).toBe(true);
	});

	test('in a world of extreme bodies, for which the library once produced one', async () => {
		const path = fileURLToPath(new URL('./extreme-bodies.json', import.meta.url));
		const { tuning, bodies, moves } = JSON.parse(readFileSync(path, 'utf8')) as {
			tuning: Json;
			bodies: Json[];
			moves: [tick: number, id: number, change: Json][];
		};
		await post('/tuning', tuning);
		for (const body of bodies) await post('/spawn', body);
		for (let tick = 0; tick < 60; tick++) {
			for (const [at, id, change] of moves) if (at === tick) await post(`/entities/${id}/components`, change);
			await post('/step');
			expect(allNumbers(mainWorld()).every(Number.isFinite), `tick ${tick}`).toBe(true);
		}
	});

	test('after an invalid result of the library: the body continues from its last pose', async () => {
		await post('/spawn', ball([0, 5, 0]));
		await post('/spawn', ball([9, 5, 0]));
		await post('/step', { ticks: 2 });
		const before = [...(read(mainWorld(), LocalTransform, 'position') as Float32Array)].slice(0, 3);
		const { raw } = partState(mainWorld(), Physics).live!.bodies;
		const fakeResult = (name: 'rbTranslation' | 'rbLinvel' | 'rbAngvel', value: number) => {
			const original = raw[name].bind(raw);
			let first = true;
			vi.spyOn(raw, name).mockImplementation((handle, out) => {
				original(handle, out);
				if (first) out[1] = value;
				first = false;
			});
		};
		fakeResult('rbTranslation', Number.POSITIVE_INFINITY);
		fakeResult('rbLinvel', 1e20);
		fakeResult('rbAngvel', Number.NaN);
		await post('/step');
		vi.restoreAllMocks();
		expect([...(read(mainWorld(), LocalTransform, 'position') as Float32Array)].slice(0, 3)).toEqual(before);
		expect([...(read(mainWorld(), Velocity, 'linear') as Float32Array)][1]).toBe(1e6);
		expect([...(read(mainWorld(), Velocity, 'angular') as Float32Array)][1]).toBe(0);
		await post('/entities/0/components', { velocity: { linear: [0, 0, 0], angular: [0, 0, 0] } });
		await expectSameFuture(3);
		expect((read(mainWorld(), LocalTransform, 'position') as Float32Array)[1]).toBeLessThan(before[1]!);
	});
});
