/** Movement of bodies, tested through calls. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { encodeWorld } from '../../../../web/sim/core/codec.ts';
import { digest } from '../../../../web/sim/core/digest.ts';
import { partState } from '../../../../web/sim/core/world.ts';
import { loadWorld } from '../../../../web/sim/create-world.ts';
import { observe } from '../../../../web/sim/observe/read-out.ts';
import { MAX_CROWD } from '../../../../web/sim/physics/crowding.ts';
import { Physics } from '../../../../web/sim/physics/physics.part.ts';
import { RAPIER } from '../../../../web/sim/physics/rapier.ts';
import { spawnEntity } from '../../../../web/sim/spawn/spawn-entity.ts';
import { step as tick } from '../../../../web/sim/step.ts';
import { type Json, startEngine, type TestEngine } from '../../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

const box = (h: number) => ({ shape: 'Aabb', hx: h, hy: h, hz: h });
const FLOOR = {
	physics_body: 'Static',
	collider: { shape: 'Aabb', hx: 20, hy: 0.5, hz: 20 },
	position: [0, -0.5, 0],
};

async function spawn(body: Json): Promise<number> {
	return (await engine.must('POST', '/spawn', body)).id as number;
}
const ball = (position: number[], extra: Json = {}) =>
	spawn({ position, physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 }, ...extra });
const step = (ticks: number) => engine.must('POST', '/step', { ticks });
const change = (id: number, body: Json) => engine.must('POST', `/entities/${id}/components`, body);

interface Body {
	readonly local_transform: { readonly position: [number, number, number]; readonly rotation: number[] };
	readonly velocity?: { readonly linear: [number, number, number]; readonly angular: number[] };
}
const entity = async (id: number) => (await engine.must('GET', `/entities/${id}`)) as unknown as Body;
const positionOf = async (id: number) => (await entity(id)).local_transform.position;
const heightOf = async (id: number) => (await positionOf(id))[1];

/** Returns true if the library still moves the entity. */
function isAwake(id: number): boolean {
	const { mirror } = partState(engine.engine.worlds.main.world, Physics);
	return (((mirror.awake[id >>> 5] ?? 0) >>> (id & 31)) & 1) === 1;
}

interface Collision {
	readonly type: string;
	readonly a: number;
	readonly b: number;
	readonly started: boolean;
}
async function collisions(): Promise<Collision[]> {
	const { events } = (await engine.must('GET', '/events')) as unknown as { events: Collision[] };
	return events.filter(({ type }) => type === 'CollisionEvent');
}

/** Steps until a condition holds. Returns the number of ticks that it took. */
async function stepUntil(condition: () => Promise<boolean> | boolean, maxTicks: number): Promise<number> {
	for (let ticks = 0; ticks <= maxTicks; ticks++) {
		if (await condition()) return ticks;
		await step(1);
	}
	throw new Error(`It did not happen within ${maxTicks} ticks.`);
}

describe('movement by kind of body', () => {
	test('a Dynamic body falls as g t^2 / 2, with or without a collider', async () => {
		const ids = [await ball([0, 100, 0]), await spawn({ position: [9, 100, 0], physics_body: 'Dynamic' })];
		await step(60);
		for (const id of ids) {
			expect(100 - (await heightOf(id))).toBeGreaterThan(4.8);
			expect(100 - (await heightOf(id))).toBeLessThan(5.1);
			expect((await entity(id)).velocity!.linear[1]).toBeCloseTo(-9.81, 3);
		}
	});

	test('a Static body never moves, even with a velocity or when hit', async () => {
		const id = await spawn({
			physics_body: 'Static',
			collider: box(0.5),
			position: [0, 1, 0],
			velocity: { linear: [5, 5, 5], angular: [1, 1, 1] },
		});
		await ball([0, 4, 0], { velocity: { linear: [0, -50, 0] } });
		await step(90);
		expect((await entity(id)).local_transform).toMatchObject({ position: [0, 1, 0], rotation: [0, 0, 0, 1] });
	});

	test('a velocity without a body does nothing', async () => {
		const id = await spawn({ velocity: { linear: [3, 0, 0] }, collider: box(0.5), position: [1, 2, 3] });
		await step(30);
		expect(await positionOf(id)).toEqual([1, 2, 3]);
		expect((await entity(id)).velocity!.linear).toEqual([3, 0, 0]);
	});

	test('a Kinematic body moves only by its velocity, through everything', async () => {
		await spawn(FLOOR);
		const id = await spawn({
			physics_body: 'Kinematic',
			collider: box(0.5),
			position: [0, 3, 0],
			velocity: { linear: [1, -6, 0] },
		});
		await step(60);
		const [x, y] = await positionOf(id);
		expect(x).toBeCloseTo(1, 4);
		expect(y).toBeCloseTo(-3, 4);
	});

	test('angular velocity turns a body', async () => {
		const id = await spawn({
			physics_body: 'Kinematic',
			velocity: { linear: [0, 0, 0], angular: [0, Math.PI, 0] },
		});
		await step(60);
		const [x, y, z, w] = (await entity(id)).local_transform.rotation;
		expect([x, z]).toEqual([0, 0]);
		expect(Math.abs(y!)).toBeCloseTo(1, 3);
		expect(w).toBeCloseTo(0, 2);
	});

	test('a change of the kind of a body, or its removal, applies immediately', async () => {
		const id = await ball([0, 50, 0]);
		await step(10);
		await change(id, { physics_body: 'Static' });
		const height = await heightOf(id);
		await step(30);
		expect(await heightOf(id)).toBe(height);
		await change(id, { physics_body: 'Dynamic', velocity: { linear: [0, 0, 0] } });
		await step(30);
		expect(await heightOf(id)).toBeLessThan(height - 1);
		await change(id, { remove: ['physics_body'] });
		const stopped = await heightOf(id);
		await step(30);
		expect(await heightOf(id)).toBe(stopped);
	});
});

describe('a pile on a floor', () => {
	async function pile(): Promise<number[]> {
		await spawn(FLOOR);
		const ids: number[] = [];
		// Boxes, because rolling balls hardly lose speed.
		for (let i = 0; i < 12; i++)
			ids.push(await ball([(i % 3) * 0.4, 1 + i * 1.1, (i % 2) * 0.4], { collider: box(0.5) }));
		return ids;
	}
	/** Lets the pile fall until all its bodies sleep. */
	async function sleepingPile(): Promise<number[]> {
		const ids = await pile();
		await step(1);
		expect(ids.every(isAwake)).toBe(true);
		await stepUntil(() => !ids.some(isAwake), 1500);
		return ids;
	}

	test('comes to rest above the floor, and then does not change', async () => {
		const ids = await sleepingPile();
		for (const id of ids) {
			expect(await heightOf(id)).toBeGreaterThan(0.4);
			expect((await entity(id)).velocity!.linear).toEqual([0, 0, 0]);
		}
		const before = JSON.stringify(observe(engine.engine.worlds.main.world));
		await step(60);
		expect(JSON.stringify(observe(engine.engine.worlds.main.world))).toBe(before);
	});

	test.each<[string, (floor: number) => Promise<unknown>]>([
		['removing the floor', (id) => engine.must('POST', '/despawn', { entity_id: id, entity_generation: 0 })],
		['removing its collider', (id) => change(id, { remove: ['collider'] })],
		['removing its body', (id) => change(id, { remove: ['physics_body'] })],
		['moving it away', (id) => change(id, { transform: { position: [0, -30, 0] } })],
		['turning it upright', (id) => change(id, { transform: { rotation: [0, 0, 1, 1] } })],
		['making it smaller', (id) => change(id, { collider: box(0.1) })],
	])('is woken by %s, and falls', async (_, disturb) => {
		const ids = await sleepingPile();
		await disturb(0);
		await step(120);
		// The smaller floor may still support one of them.
		for (const id of ids) expect(await heightOf(id)).toBeLessThan(0.2);
	});

	test('is also woken in a fork', async () => {
		const ids = await sleepingPile();
		await engine.must('POST', '/fork', { fork_id: 'plan' });
		const loaded = loadWorld(encodeWorld(engine.engine.worlds.main.world));
		await engine.must('POST', '/despawn?world=plan', { entity_id: 0, entity_generation: 0 });
		await engine.must('POST', '/despawn', { entity_id: 0, entity_generation: 0 });
		await engine.must('POST', '/fork/plan/step', { ticks: 60 });
		await step(60);
		expect(await heightOf(ids[0]!)).toBeLessThan(-3);
		const { worlds } = engine.engine;
		expect(digest(worlds.fork('plan').world)).toBe(digest(worlds.main.world));
		expect(loaded.entities.count).toBe(13);
	});

	test('teleporting a sleeper wakes it', async () => {
		const ids = await sleepingPile();
		await change(ids[3]!, { transform: { position: [6, 5, 6] } });
		await step(5);
		expect(isAwake(ids[3]!)).toBe(true);
		expect(await heightOf(ids[3]!)).toBeLessThan(5);
		await step(120);
		expect(await heightOf(ids[3]!)).toBeCloseTo(0.5, 1);
	});

	test('a push wakes a sleeper', async () => {
		const ids = await sleepingPile();
		await change(ids[0]!, { velocity: { linear: [0, 6, 0] } });
		await step(10);
		expect(isAwake(ids[0]!)).toBe(true);
	});
});

describe('collisions', () => {
	test('have one event at their start and one at their end, with the lower id first', async () => {
		await spawn(FLOOR);
		const id = await ball([0, 1, 0]);
		await stepUntil(async () => (await collisions()).length > 0, 60);
		expect(await collisions()).toMatchObject([{ type: 'CollisionEvent', a: 0, b: id, started: true }]);
		await change(id, { transform: { position: [0, 40, 0] } });
		await stepUntil(async () => (await collisions()).some(({ started }) => !started), 5);
		expect((await collisions()).filter(({ started }) => !started)).toMatchObject([
			{ type: 'CollisionEvent', a: 0, b: id, started: false },
		]);
	});

	test('need colliders', async () => {
		await spawn({ physics_body: 'Static', position: [0, 0, 0] });
		const id = await spawn({ physics_body: 'Dynamic', position: [0, 1, 0] });
		await step(60);
		expect(await heightOf(id)).toBeLessThan(-2);
		expect(await collisions()).toEqual([]);
	});

	test.each([
		['a sphere', { shape: 'Sphere', radius: 0.1 }],
		['a box', box(0.1)],
		['a capsule', { shape: 'Capsule', radius: 0.1, half_height: 0.1 }],
		['a cylinder', { shape: 'Cylinder', radius: 0.1, half_height: 0.1 }],
	])('stop %s at 300 m/s on a floor of 2 cm', async (_, collider) => {
		await spawn({ physics_body: 'Static', collider: { shape: 'Aabb', hx: 20, hy: 0.01, hz: 20 } });
		const id = await spawn({
			physics_body: 'Dynamic',
			collider,
			position: [0, 20, 0],
			velocity: { linear: [0, -300, 0] },
		});
		await step(240);
		expect(await heightOf(id)).toBeGreaterThan(0);
	});

	test('a bounce keeps about a third of the speed', async () => {
		await spawn(FLOOR);
		const id = await ball([0, 5.5, 0]);
		await stepUntil(async () => (await entity(id)).velocity!.linear[1] > 0, 120);
		const up = (await entity(id)).velocity!.linear[1];
		expect(up).toBeGreaterThan(0.2);
		expect(up).toBeLessThan(0.35 * Math.sqrt(2 * 9.81 * 5));
	});
});

describe('extreme cases for the library', () => {
	test('two bodies in the same place separate', async () => {
		await spawn(FLOOR);
		const ids = [await ball([0, 3, 0]), await ball([0, 3, 0])];
		await step(300);
		const [a, b] = [await positionOf(ids[0]!), await positionOf(ids[1]!)];
		for (const part of [...a, ...b]) expect(Number.isFinite(part)).toBe(true);
		expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(0.9);
	});

	test('spawning or moving too many bodies to one place is refused', async () => {
		for (let i = 0; i < MAX_CROWD; i++) await ball([0, 3, 0]);
		const there = { position: [0, 3, 0], physics_body: 'Dynamic', collider: box(0.5) };
		expect((await engine.call('POST', '/spawn', there)).body.code).toBe('too_crowded');
		const id = await ball([5, 3, 0]);
		const moved = await engine.call('POST', `/entities/${id}/components`, {
			transform: { position: [0, 3, 0] },
		});
		expect(moved.body.code).toBe('too_crowded');
		expect(await positionOf(id)).toEqual([5, 3, 0]);
	});

	test('a fork refuses the same bodies as main', async () => {
		const document = { position: [0.005, 3, 0], physics_body: 'Dynamic', collider: box(0.5) };
		for (let i = 0; i < MAX_CROWD; i++) await spawn(document);
		await engine.must('POST', '/fork', { fork_id: 'twin' });
		for (const world of ['main', 'twin'])
			expect((await engine.call('POST', `/spawn?world=${world}`, document)).body.code).toBe('too_crowded');
	});

	test('one body that teleports often does not crowd a place', async () => {
		const id = await ball([0, 3, 0]);
		const at = (x: number) => ({ action: 'teleport', target: { entity: id }, position: [x, 3, 0] });
		const actions = Array.from({ length: MAX_CROWD / 2 }, () => [at(5), at(0)]).flat();
		const when = { kind: 'tick', every: 1 };
		for (let i = 0; i < 2; i++) await engine.must('POST', '/rule/create', { when, actions });
		await step(1);
		expect((await positionOf(id))[0]).toBe(0);
	});

	test('the largest and smallest valid values keep all numbers finite', async () => {
		const FAR = 1e6;
		for (const s of [-1, 1])
			for (const size of [1e-3, 1e4])
				for (const shape of [
					box(size),
					{ shape: 'Sphere', radius: size },
					{ shape: 'Capsule', radius: size, half_height: size },
					{ shape: 'Cylinder', radius: size, half_height: size },
				])
					await spawn({
						position: [s * FAR, s * FAR, s * FAR],
						velocity: { linear: [s * 1e4, s * 1e4, s * 1e4], angular: [s * 1e3, s * 1e3, s * 1e3] },
						collider: shape,
						physics_body: size === 1e-3 ? 'Dynamic' : 'Kinematic',
					});
		await step(60);
		const { entities } = (await engine.must('POST', '/observe', {})) as unknown as { entities: Body[] };
		for (const { local_transform } of entities)
			for (const part of [...local_transform.position, ...local_transform.rotation])
				expect(Number.isFinite(part)).toBe(true);
	});
});

describe('saving', () => {
	test('after all bodies are removed, a loaded world reuses slots of the library in the same order', async () => {
		const stack = (x: number) => ({
			position: [x, 0.5, 0] as [number, number, number],
			physics_body: 'Dynamic' as const,
			collider: { shape: 'Sphere' as const, radius: 0.5 },
		});
		for (let i = 0; i < 6; i++) await spawn(stack(i * 0.6));
		await step(10);
		for (const id of [3, 1, 4, 0, 5, 2])
			await engine.must('POST', '/despawn', { entity_id: id, entity_generation: 0 });
		await step(1);
		const { world } = engine.engine.worlds.main;
		const loaded = loadWorld(encodeWorld(world));
		for (const each of [world, loaded]) {
			for (let i = 0; i < 6; i++) spawnEntity(each, stack(i * 0.3));
			for (let i = 0; i < 60; i++) tick(each);
		}
		expect(observe(loaded)).toEqual(observe(world));
		expect(digest(loaded)).toBe(digest(world));
	});
});

describe('a failed world of the library', () => {
	const currentDigest = () => digest(engine.engine.worlds.main.world);
	const futureDigest = async () => {
		await ball([0, 5, 0]);
		await step(3);
		await engine.must('POST', '/fork', { fork_id: 'twin' });
		await engine.must('POST', '/fork/twin/step', { ticks: 5 });
		return digest(engine.engine.worlds.fork('twin').world);
	};

	test('in its step is rebuilt, and the tick succeeds', async () => {
		const twin = await futureDigest();
		const { live } = partState(engine.engine.worlds.main.world, Physics);
		const failingStep = vi.spyOn(live!, 'step').mockImplementationOnce(() => {
			throw new WebAssembly.RuntimeError('unreachable');
		});
		await step(5);
		expect(failingStep).toHaveBeenCalledTimes(1);
		expect(currentDigest()).toBe(twin);
	});

	test('in its restoration from bytes is rebuilt', async () => {
		const twin = await futureDigest();
		await engine.must('POST', '/snapshot', { label: 'a' });
		await step(1);
		await engine.must('POST', '/snapshot/a/restore');
		const restored = vi.spyOn(RAPIER.World, 'restoreSnapshot').mockReturnValueOnce(null as never);
		await step(5);
		expect(restored).toHaveBeenCalled();
		expect(currentDigest()).toBe(twin);
	});
});

test('another binary may be instantiated while the library loads, as fetch of Node 22 does', async () => {
	// Loads a second copy of the library.
	const { loadPhysics } = await import(`${'../../../../web/sim/physics/rapier.ts'}?anew`);
	const loading = loadPhysics();
	const empty = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
	expect(await WebAssembly.instantiate(empty)).toBeInstanceOf(WebAssembly.Instance);
	await loading;
});
