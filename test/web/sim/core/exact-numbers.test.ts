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

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => {
	vi.restoreAllMocks();
	engine.engine.close();
});

const must = (path: string, body: Json = {}) => engine.must('POST', path, body);
const main = () => engine.engine.worlds.main.world;
const fork = () => engine.engine.worlds.fork('f').world;

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
	await must('/fork', { fork_id: 'f' });
	await must('/scenario?world=f', await engine.must('GET', '/scenario?exact=true'));
	let loaded = loadWorld(encodeWorld(main()));
	for (let tick = 0; tick < ticks; tick++) {
		for (const world of [fork(), loaded]) {
			expect(digest(world), `tick ${tick}`).toBe(digest(main()));
			expect(futureDigest(world), `tick ${tick}`).toBe(futureDigest(main()));
		}
		await must('/step');
		await must('/step?world=f');
		loaded = loadWorld(encodeWorld(main()));
	}
}

describe('an exact import has the same future as the exported world', () => {
	test('with tuned physics', async () => {
		await must('/tuning', { physics: { friction: 0.6 } });
		await must('/spawn', ball([0, 1, 0]));
		await must('/step', { ticks: 2 });
		await expectSameFuture(3);
	});

	test('with the slot of a moving body reused by a static one', async () => {
		await must('/spawn', ball([0, 1, 0]));
		await must('/spawn', ball([3, 1, 0]));
		await must('/step', { ticks: 2 });
		await must('/despawn', { entity_id: 0, entity_generation: 0 });
		await must('/spawn', FLOOR);
		await must('/step', { ticks: 2 });
		await expectSameFuture(3);
	});

	test('with a body that has lost its collider, and a free slot', async () => {
		for (let i = 0; i < 3; i++) await must('/spawn', ball([i * 3, 1, 0]));
		await must('/step', { ticks: 2 });
		await must('/entities/0/components', { remove: ['collider'] });
		await must('/despawn', { entity_id: 1, entity_generation: 0 });
		await must('/step', { ticks: 2 });
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
		await must('/fork', { fork_id: 'f' });
		await engine.call('POST', '/spawn', sent('0'), json);
		await engine.call('POST', '/spawn?world=f', sent('-0.0'), json);
		for (let tick = 0; tick < 3; tick++) {
			expect(digest(fork())).toBe(digest(main()));
			expect(futureDigest(fork())).toBe(futureDigest(main()));
			await must('/step');
			await must('/step?world=f');
		}
		for (const zero of ['0', '-0'])
			await engine.call(
				'POST',
				`/tuning?world=${zero === '0' ? 'main' : 'f'}`,
				new TextEncoder().encode(`{"physics":{"gravity":[${zero},-5,${zero}]}}`),
				json,
			);
		await must('/step');
		await must('/step?world=f');
		expect(digest(fork())).toBe(digest(main()));
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
			await must('/spawn', {
				position: [1e6, -1e6, 1e6],
				scale: [1e4, 1e4, 1e4],
				...(i === 0 ? {} : { parent: i - 1 }),
			});
		await must('/step');
		expect(allNumbers(main()).every(Number.isFinite)).toBe(true);
		expect([...(read(main(), GlobalTransform, 'scale') as Float32Array)].slice(117, 120)).toEqual([
			1e9, 1e9, 1e9,
		]);
		const { transform } = (await engine.must('GET', '/entities/39')) as { transform: { position: number[] } };
		expect(transform.position.every((part) => Number.isFinite(part))).toBe(true);
	});

	test('in a world of extreme bodies, for which the library once produced one', async () => {
		const path = fileURLToPath(new URL('./extreme-bodies.json', import.meta.url));
		const { tuning, bodies, moves } = JSON.parse(readFileSync(path, 'utf8')) as {
			tuning: Json;
			bodies: Json[];
			moves: [tick: number, id: number, change: Json][];
		};
		await must('/tuning', tuning);
		for (const body of bodies) await must('/spawn', body);
		for (let tick = 0; tick < 60; tick++) {
			for (const [at, id, change] of moves) if (at === tick) await must(`/entities/${id}/components`, change);
			await must('/step');
			expect(allNumbers(main()).every(Number.isFinite), `tick ${tick}`).toBe(true);
		}
	});

	test('after an invalid result of the library: the body continues from its last pose', async () => {
		await must('/spawn', ball([0, 5, 0]));
		await must('/spawn', ball([9, 5, 0]));
		await must('/step', { ticks: 2 });
		const before = [...(read(main(), LocalTransform, 'position') as Float32Array)].slice(0, 3);
		const { raw } = partState(main(), Physics).live!.bodies;
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
		await must('/step');
		vi.restoreAllMocks();
		expect([...(read(main(), LocalTransform, 'position') as Float32Array)].slice(0, 3)).toEqual(before);
		expect([...(read(main(), Velocity, 'linear') as Float32Array)][1]).toBe(1e6);
		expect([...(read(main(), Velocity, 'angular') as Float32Array)][1]).toBe(0);
		await must('/entities/0/components', { velocity: { linear: [0, 0, 0], angular: [0, 0, 0] } });
		await expectSameFuture(3);
		expect((read(main(), LocalTransform, 'position') as Float32Array)[1]).toBeLessThan(before[1]!);
	});
});
