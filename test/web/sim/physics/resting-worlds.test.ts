/** Physics worlds that rest as bytes while others step. Their later ticks are not affected. */

import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { Velocity } from '../../../../shared/components/velocity.ts';
import { clone, dispose } from '../../../../web/sim/core/clone.ts';
import { digest, futureDigest } from '../../../../web/sim/core/digest.ts';
import { countPending } from '../../../../web/sim/core/events.ts';
import { plainSnapshots } from '../../../../web/sim/core/lazy-snapshot.ts';
import { tickLimits } from '../../../../web/sim/core/tick-budget.ts';
import { get, partState, type World, write } from '../../../../web/sim/core/world.ts';
import { libraryWorlds, Physics } from '../../../../web/sim/physics/physics.part.ts';
import { RAPIER } from '../../../../web/sim/physics/rapier.ts';
import { touchLimits } from '../../../../web/sim/physics/step-physics.system.ts';
import { spawnEntity } from '../../../../web/sim/spawn/spawn-entity.ts';
import { canOverrun, step } from '../../../../web/sim/step.ts';
import { tune } from '../../../../web/sim/tuning/tuning.ts';
import { bodyDocuments, perform } from '../../../support/arbitraries.ts';
import { freshWorld, startEngine } from '../../../support/engine.ts';
import { check, SEED } from '../../../support/property.ts';

const rooms = [libraryWorlds.maxBytes, plainSnapshots.maxBytes] as const;
const { sent } = tickLimits;
const { reported } = touchLimits;
afterEach(() => {
	[libraryWorlds.maxBytes, plainSnapshots.maxBytes] = rooms;
	tickLimits.sent = sent;
	touchLimits.reported = reported;
	vi.restoreAllMocks();
});

const isAwake = (world: World) => partState(world, Physics).live !== null;
const snapshotOf = (world: World) => partState(world, Physics).origin;

/** Returns a heap of boxes that has begun to collapse. */
async function createHeap(boxes = 12): Promise<World> {
	const world = await freshWorld();
	const box = { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 } as const;
	spawnEntity(world, { physics_body: 'Static', collider: { ...box, hx: 20, hz: 20 } });
	for (let i = 0; i < boxes; i++)
		spawnEntity(world, {
			physics_body: 'Dynamic',
			collider: box,
			position: [(i % 3) * 0.7, 1 + i * 1.01, 0],
		});
	for (let i = 0; i < 20; i++) step(world);
	return world;
}

type WorldStep = { readonly action: 'step' | 'fork' | 'ask' | 'drop'; readonly worldIndex: number };
const actionLists = fc.array(
	fc.record({
		action: fc.constantFrom('step', 'step', 'step', 'fork', 'ask', 'drop') as fc.Arbitrary<
			WorldStep['action']
		>,
		worldIndex: fc.nat(20),
	}),
	{ minLength: 5, maxLength: 40 },
);

/** Applies the steps to clones of a world. Returns every digest on the way. */
function digestsOfRun(world: World, worldSteps: readonly WorldStep[]): string[] {
	const worlds = [clone(world)];
	const digests: string[] = [];
	for (const { action, worldIndex } of worldSteps) {
		const index = worldIndex % worlds.length;
		const world = worlds[index]!;
		if (action === 'step') step(world);
		else if (action === 'fork') worlds.push(clone(world));
		else if (action === 'ask') digests.push(futureDigest(world));
		else if (worlds.length > 1) dispose(worlds.splice(index, 1)[0]!);
		digests.push(digest(world));
	}
	for (const world of worlds) {
		for (let i = 0; i < 3; i++) step(world);
		digests.push(futureDigest(world));
	}
	for (const world of worlds) dispose(world);
	return digests;
}

describe(`worlds that rest (seed ${SEED})`, () => {
	test('obstacles become bodies of the library only when something moves, and then support it', async () => {
		const world = await freshWorld();
		const box = { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 } as const;
		spawnEntity(world, { physics_body: 'Static', collider: { ...box, hx: 20, hz: 20 } });
		for (let i = 0; i < 3; i++) step(world);
		expect([isAwake(world), partState(world, Physics).mirror.count]).toEqual([false, 0]);
		spawnEntity(world, { physics_body: 'Dynamic', collider: box, position: [0, 2, 0] });
		for (let i = 0; i < 120; i++) step(world);
		expect(partState(world, Physics).mirror.count).toBe(2);
		expect(get(world, 1, LocalTransform)!.position[1]).toBeCloseTo(1, 1);
		dispose(world);
	});

	test('have the same future as worlds that never rested', () =>
		check(
			4,
			[fc.array(bodyDocuments, { minLength: 4, maxLength: 9 }), actionLists],
			async (bodies, worldSteps) => {
				const { engine, ...test } = await startEngine();
				for (const body of bodies) await perform({ engine, ...test }, { path: '/spawn', body });
				const { world } = engine.worlds.main;
				step(world);
				[libraryWorlds.maxBytes, plainSnapshots.maxBytes] = rooms;
				const awake = digestsOfRun(world, worldSteps);
				// Room for nothing: every step puts all other worlds to rest, and their bytes are deflated immediately.
				[libraryWorlds.maxBytes, plainSnapshots.maxBytes] = [0, 0];
				expect(digestsOfRun(world, worldSteps)).toEqual(awake);
				// Room for one or two.
				[libraryWorlds.maxBytes, plainSnapshots.maxBytes] = [100_000, 50_000];
				expect(digestsOfRun(world, worldSteps)).toEqual(awake);
				dispose(world);
				engine.close();
			},
		));

	test('the library holds a limited number; the least recently used rest', async () => {
		const world = await createHeap();
		const forks = Array.from({ length: 6 }, () => clone(world));
		libraryWorlds.maxBytes = libraryWorlds.weightOf(partState(world, Physics)) * 3.5;
		for (const fork of forks) step(fork);
		expect([world, ...forks].map(isAwake)).toEqual([false, false, false, false, true, true, true]);
		step(forks[0]!);
		expect(forks.map(isAwake)).toEqual([true, false, false, false, true, true]);
		for (const each of [world, ...forks]) dispose(each);
	});

	test('a fork of a resting world shares its bytes', async () => {
		const world = await createHeap();
		const other = clone(world);
		libraryWorlds.maxBytes = 0;
		step(other);
		expect(isAwake(world)).toBe(false);
		const forks = [clone(world), clone(clone(world))];
		for (const fork of forks) expect(snapshotOf(fork)).toBe(snapshotOf(world));
		const weight = plainSnapshots.weight;
		forks.push(clone(forks[0]!));
		expect(plainSnapshots.weight).toBe(weight);
	});

	test('reading a resting world neither wakes nor changes it', async () => {
		const [world, neverRested] = [await createHeap(), await createHeap()];
		libraryWorlds.maxBytes = 0;
		step(clone(neverRested));
		const other = clone(world);
		step(other);
		expect(isAwake(world)).toBe(false);
		expect(futureDigest(world)).toBe(futureDigest(neverRested));
		expect(futureDigest(clone(world))).toBe(futureDigest(neverRested));
		expect(isAwake(world)).toBe(false);
		step(world);
		step(neverRested);
		expect(futureDigest(world)).toBe(futureDigest(neverRested));
	});

	test('a disposed world is not kept', async () => {
		const before = [libraryWorlds.size, plainSnapshots.size];
		const world = await createHeap();
		const forks = Array.from({ length: 4 }, () => clone(world));
		for (const fork of forks) step(fork);
		futureDigest(world);
		for (const each of [...forks, world]) dispose(each);
		expect([libraryWorlds.size, plainSnapshots.size]).toEqual(before);
	});
});

describe('snapshots of the library', () => {
	const ball = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } } as const;
	const spyOnSnapshots = () => vi.spyOn(RAPIER.World.prototype, 'takeSnapshot');

	/** Returns balls above an obstacle, too far from it and from each other to meet. */
	async function createScattered(balls: number): Promise<World> {
		const world = await freshWorld();
		spawnEntity(world, { physics_body: 'Static', collider: ball.collider, position: [0, -900, 0] });
		for (let i = 0; i < balls; i++)
			spawnEntity(world, { ...ball, position: [(i % 100) * 3, 0, Math.floor(i / 100) * 3] });
		return world;
	}

	test('are not taken by the ticks of ten thousand bodies', async () => {
		const takeSnapshot = spyOnSnapshots();
		const world = await createScattered(10_000);
		for (let i = 0; i < 3; i++) step(world);
		expect(takeSnapshot).not.toHaveBeenCalled();
		dispose(world);
	});

	test('are taken only for bodies that move: sleepers begin no contacts', async () => {
		const world = await createScattered(600);
		tune(world, { physics: { gravity: [0, 0, 0] } });
		tickLimits.sent = 45_000;
		step(world);
		expect(canOverrun(world)).toBe(true);
		for (let i = 0; i < 150; i++) step(world);
		expect(canOverrun(world)).toBe(false);
		const raise = (slot: number) => {
			const position = write(world, LocalTransform, 'position');
			position[slot * 3 + 1] = position[slot * 3 + 1]! + 0.5;
		};
		raise(5);
		expect(canOverrun(world)).toBe(false);
		raise(0);
		expect(canOverrun(world)).toBe(true);
		dispose(world);
	});

	/** Returns balls that have just met at one point. On the next tick each touches all others. */
	async function createImplosion(side: number): Promise<World> {
		const world = await freshWorld();
		tune(world, { physics: { gravity: [0, 0, 0] } });
		const small = { ...ball, collider: { shape: 'Sphere', radius: 0.05 } } as const;
		const positions = Array.from({ length: side ** 3 }, (_, i): [number, number, number] => [
			(i % side) / 4,
			(Math.floor(i / side) % side) / 4,
			Math.floor(i / side / side) / 4,
		]);
		for (const position of positions) spawnEntity(world, { ...small, position });
		for (let i = 0; i < 2; i++) step(world);
		const velocity = write(world, Velocity, 'linear');
		positions.flat().forEach((coordinate, i) => {
			velocity[i] = ((side - 1) / 8 - coordinate) * 60;
		});
		step(world);
		return world;
	}

	test('are taken if touches of many bodies may exceed the limit: a refused tick changes nothing', async () => {
		const world = await createImplosion(6);
		tickLimits.sent = 10_000;
		const before = futureDigest(world);
		for (let i = 0; i < 2; i++) {
			expect(() => step(world)).toThrow('sends more than 10000 events');
			expect(futureDigest(world)).toBe(before);
		}
		dispose(world);
	});

	test('are not taken for more touches than a tick reports', async () => {
		const world = await createImplosion(5);
		touchLimits.reported = 2000;
		const takeSnapshot = spyOnSnapshots();
		step(world);
		expect(takeSnapshot).not.toHaveBeenCalled();
		expect(countPending(world, 'collision')).toBe(2000);
		dispose(world);
	});

	test('are not taken for forks that are only read, and once for all that step', async () => {
		const takeSnapshot = spyOnSnapshots();
		const { engine, ...api } = await startEngine();
		await api.spawn({ ...ball, position: [0, 1, 0] });
		await api.must('POST', '/step', { ticks: 3 });
		for (const fork_id of ['a', 'b', 'c']) {
			await api.must('POST', '/fork', { fork_id });
			await api.must('POST', `/observe?world=${fork_id}`, {});
			await api.digest(fork_id);
		}
		await api.must('DELETE', '/fork/a');
		expect(takeSnapshot).not.toHaveBeenCalled();
		await api.must('POST', '/step?world=b', { ticks: 2 });
		await api.must('POST', '/step?world=c', { ticks: 2 });
		await api.must('POST', '/step', { ticks: 2 });
		expect(takeSnapshot).toHaveBeenCalledTimes(1);
		engine.close();
	});
});
