/** Ticks are atomic: the limits of a tick, and the world after a failed tick. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../shared/contract/errors.ts';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { digest, futureDigest } from '../../../web/sim/core/digest.ts';
import { tickLimits } from '../../../web/sim/core/tick-budget.ts';
import { partState, type World } from '../../../web/sim/core/world.ts';
import { loadWorld } from '../../../web/sim/create-world.ts';

import { observe } from '../../../web/sim/observe/read-out.ts';
import { Physics } from '../../../web/sim/physics/physics.part.ts';
import { schedule } from '../../../web/sim/schedule.ts';
import { canOverrun, step } from '../../../web/sim/step.ts';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';

const USUAL = { ...tickLimits };
/** Limits that small worlds reach. */
const LOW = { spawned: 2000, actions: 2500, searched: 500_000 };

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
	Object.assign(tickLimits, LOW);
});
afterEach(() => {
	Object.assign(tickLimits, USUAL);
	vi.restoreAllMocks();
	engine.engine.close();
});

const main = () => engine.engine.worlds.main.world;
const call = (path: string, body: Json = {}) => engine.call('POST', path, body).then((reply) => reply.body);
const must = (path: string, body: Json = {}) => engine.must('POST', path, body);
const steps = (ticks: number) => must('/step', { ticks });

/** A rule with exponential growth: a hundred cubes at every entity. */
const explosion = {
	when: 'tick:1',
	do: [{ action: 'spawn', mesh: 'cube', at: { all: 'any' }, count: 100 }],
};

async function pile(bodies: number): Promise<void> {
	const floor = { shape: 'Aabb', hx: 20, hy: 0.5, hz: 20 };
	await must('/spawn', { position: [0, -0.5, 0], physics_body: 'Static', collider: floor });
	for (let i = 0; i < bodies; i++)
		await must('/spawn', {
			position: [(i % 3) * 0.4, 1 + i, (i % 2) * 0.3],
			physics_body: 'Dynamic',
			collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
		});
}

function digestsOfTicks(world: World, ticks: number): string[] {
	return Array.from({ length: ticks }, () => {
		step(world);
		return digest(world);
	});
}

describe('a tick with too much work', () => {
	test('is refused with a clear error, and the earlier ticks stay', async () => {
		await must('/spawn', { position: [0, 0, 0] });
		await must('/rule/create', explosion);
		const twin = clone(main());
		step(twin);
		const refused = await call('/step', { ticks: 5 });
		expect(refused).toMatchObject({
			ok: false,
			code: 'too_many_spawned',
			ticks_advanced: 1,
			new_tick: 1,
			state_digest: digest(twin),
		});
		expect(refused.message).toContain(String(LOW.spawned));
		expect(futureDigest(main())).toBe(futureDigest(twin));
		expect(observe(main())).toEqual(observe(twin));
		dispose(twin);
		// The refusal repeats, because the first attempt changed nothing.
		expect(await call('/step', { ticks: 1 })).toMatchObject({ code: 'too_many_spawned', ticks_advanced: 0 });
		expect(main().entities.count).toBe(102);
	});

	test('is refused for its number of actions', async () => {
		for (let i = 0; i < 16; i++) await must('/spawn', { position: [i, 0, 0], team: 1 });
		for (let i = 0; i < 10; i++)
			await must('/rule/create', {
				when: 'field:team.team>=1 level',
				do: [{ action: 'damage', target: { all: 'team:1' }, amount: 1 }],
			});
		const { state_digest } = await steps(0);
		expect(10 * 16 * 16).toBeGreaterThan(LOW.actions);
		expect(await call('/step', { ticks: 1 })).toMatchObject({ code: 'too_many_actions', state_digest });
	});

	test('is refused for its searches of targets, which count for each condition', async () => {
		await engine.must('POST', '/batch', {
			requests: Array.from({ length: 100 }, (_, i) => ({
				path: '/spawn',
				body: { position: [i, 0, 0], health: 5, team: 1 },
			})),
		});
		const rule = (target: string) => ({
			when: 'field:health.current>0 level',
			do: Array.from({ length: 40 }, () => `heal ${target} 1`),
		});
		const { id } = (await must('/rule/create', rule('nearest:team:9&alive'))) as { id: number };
		expect(100 * 40 * 100 * 2).toBeGreaterThan(LOW.searched);
		expect(canOverrun(main())).toBe(true);
		expect(await call('/step')).toMatchObject({ code: 'too_many_actions', ticks_advanced: 0 });
		await engine.must('DELETE', `/rule/${id}`);
		await must('/rule/create', rule('nearest:team:9'));
		tickLimits.actions = USUAL.actions;
		expect(canOverrun(main())).toBe(false);
	});

	test('is refused for the events that it searches for targets', async () => {
		const { id } = (await must('/spawn', { position: [0, 0, 0], health: 1e6 })) as { id: number };
		await engine.must('POST', '/batch', {
			requests: Array.from({ length: 100 }, () => ({
				path: '/entity/damage',
				body: { entity_id: id, amount: 1 },
			})),
		});
		const hit = { kind: 'event', event: 'damage' };
		await must('/rule/create', {
			when: hit,
			do: Array.from({ length: 60 }, () => ({ action: 'heal', target: { nearest: hit }, amount: 0 })),
		});
		expect(100 * 60 * 100).toBeGreaterThan(LOW.searched);
		expect(await call('/step')).toMatchObject({ code: 'too_many_actions', ticks_advanced: 0 });
	});

	test('is refused by peek and in forks', async () => {
		await must('/spawn', { position: [0, 0, 0] });
		await must('/rule/create', { ...explosion, when: 'tick:2' });
		await steps(1);
		for (let i = 0; i < 20; i++) await must('/spawn', { position: [i, 0, 0] });
		await must('/fork', { fork_id: 'f' });
		const before = digest(main());
		expect(await call('/peek')).toMatchObject({ ok: false, code: 'too_many_spawned' });
		expect(await call('/step?world=f', { ticks: 1 })).toMatchObject({ code: 'too_many_spawned' });
		expect(digest(main())).toBe(before);
		expect(digest(engine.engine.worlds.fork('f').world)).toBe(before);
	});

	test('pauses a playing world, and the status has the reason until it plays again', async () => {
		await must('/spawn', { position: [0, 0, 0] });
		await must('/rule/create', explosion);
		await must('/play');
		await vi.waitFor(async () => {
			expect(await engine.must('GET', '/')).toMatchObject({ playing: false });
		}, 60_000);
		const status = await engine.must('GET', '/');
		expect(status).toMatchObject({
			halted: { tick: status.tick, message: expect.stringContaining('spawns more') },
		});
		await engine.must('DELETE', '/rule/1');
		await must('/play');
		await must('/pause');
		expect(await engine.must('GET', '/')).not.toHaveProperty('halted');
	});

	describe('is in the status of the paused world', () => {
		const halted = async () => 'halted' in (await engine.must('GET', '/'));
		/** Plays main until the explosion pauses it, and then removes the rule. */
		async function halt(): Promise<void> {
			await must('/spawn', { position: [0, 0, 0] });
			const { id } = (await must('/rule/create', explosion)) as { id: number };
			await must('/play');
			await vi.waitFor(async () => {
				expect(await engine.must('GET', '/')).toMatchObject({ playing: false });
			}, 60_000);
			await engine.must('DELETE', `/rule/${id}`);
			expect(await halted()).toBe(true);
		}

		test('until a tick succeeds, after any other call', async () => {
			await halt();
			await must('/pause');
			await must('/spawn', { position: [9, 0, 0] });
			await must('/batch', { atomic: true, requests: [{ path: '/spawn', body: {} }] });
			await must('/peek');
			await must('/snapshot', { label: 'held' });
			expect(await halted()).toBe(true);
			await steps(1);
			expect(await halted()).toBe(false);
			await must('/snapshot/held/restore');
			expect(await halted()).toBe(false);
		});

		const atomic = (path: string, body: Json = {}) =>
			must('/batch', { atomic: true, requests: [{ path, body }] });
		test.each<readonly [string, () => Promise<unknown>]>([
			['its entities are removed', () => must('/reset')],
			['it is reset fresh', () => must('/reset', { fresh: true })],
			['a scenario is loaded', () => must('/scenario', { entities: [{}] })],
			['a snapshot is restored', () => must('/snapshot/before/restore')],
			['a fork is promoted', () => must('/fork/twin/promote')],
			['a fork is promoted and it is kept', () => must('/fork/twin/promote', { keep_as: 'old' })],
			['an atomic batch replaces it', () => atomic('/snapshot/before/restore')],
			['an atomic batch steps it', () => atomic('/step')],
			['an atomic batch plays it', () => atomic('/play').then(() => must('/pause'))],
		])('until %s', async (_, change) => {
			await must('/snapshot', { label: 'before' });
			await halt();
			await must('/fork', { fork_id: 'twin' });
			await change();
			expect(await halted()).toBe(false);
		});

		test('also after a refused replacement', async () => {
			await must('/snapshot', { label: 'before' });
			await halt();
			const requests = [
				{ path: '/snapshot/before/restore' },
				{ path: '/entity/damage', body: { entity_id: 9, amount: 1 } },
			];
			expect(await call('/batch', { atomic: true, requests })).toMatchObject({ ok: false });
			vi.spyOn(engine.engine.worlds.room, 'checkGrowth').mockImplementation(() => {
				throw new ApiError('out_of_room', 'There is none.');
			});
			expect(await call('/reset')).toMatchObject({ ok: false });
			expect(await halted()).toBe(true);
		});
	});

	test('keeps the contacts of bodies, so the future does not change', async () => {
		await pile(25);
		await steps(90);
		await must('/rule/create', { ...explosion, name: 'boom' });
		expect(canOverrun(main())).toBe(true);
		const twin = clone(main());
		expect(await call('/step', { ticks: 1 })).toMatchObject({ code: 'too_many_spawned' });
		expect(futureDigest(main())).toBe(futureDigest(twin));
		for (const world of [main(), twin]) expect(world.entities.count).toBe(27);
		dispose(twin);
		await engine.must('DELETE', '/rule/26');
		await steps(60);
	});

	test('is one that exceeds waves of thousands of entities', async () => {
		Object.assign(tickLimits, USUAL);
		await must('/rule/create', {
			when: 'tick:1',
			do: [{ action: 'spawn', mesh: 'cube', position: [0, 0, 0], count: 1000 }],
		});
		await must('/rule/create', {
			when: 'tick:1',
			filter: 'any',
			do: [{ action: 'tag', target: { all: 'any' }, add: ['x'], remove: [] }],
		});
		await steps(3);
		expect(main().entities.count).toBe(3002);
	});
});

describe('a failed tick', () => {
	const failing = (system: string) => {
		const found = schedule.find(({ name }) => name === system)!;
		return vi.spyOn(found, 'run').mockImplementationOnce(() => {
			throw new Error('a fault');
		});
	};

	test.each(['step-physics', 'apply-damage', 'run-rules', 'expire-effects'])(
		'in %s leaves the world unchanged, with bodies awake and asleep',
		async (system) => {
			await pile(3);
			await steps(400);
			await must('/spawn', {
				position: [10, 9, 0],
				health: 9,
				physics_body: 'Dynamic',
				collider: { shape: 'Sphere', radius: 0.5 },
				effects: [{ tag: 'lasting', permanent: true }],
			});
			// Systems without matching entities do not run.
			await must('/effect/apply', { entity_id: 4, tag: 'slow', duration: 99 });
			await must('/events', { type: 'SignalEvent', name: 'x', data: {} });
			await steps(2);
			// Systems without their awaited event do not run.
			await must('/events', { type: 'DamageEvent', target: 4, amount: 1 });
			const world = main();
			expect(canOverrun(world)).toBe(false);
			const { awake } = partState(world, Physics).mirror;
			expect(awake[0]).toBe(1 << 4);
			const before = digest(world);
			const entityViews = observe(world);
			failing(system);
			expect(() => step(world)).toThrow('a fault');
			expect(digest(world)).toBe(before);
			world.digest = null;
			expect(digest(world)).toBe(before);
			expect(observe(world)).toEqual(entityViews);
			// Loaded and cloned worlds continue equally, and sleeping bodies still sleep.
			const loaded = loadWorld(encodeWorld(world));
			const copy = clone(world);
			expect(digest(loaded)).toBe(before);
			const expected = digestsOfTicks(world, 30);
			expect(digestsOfTicks(loaded, 30)).toEqual(expected);
			expect(digestsOfTicks(copy, 30)).toEqual(expected);
			expect(partState(world, Physics).mirror.awake[0]).toBe(1 << 4);
			dispose(loaded);
			dispose(copy);
		},
	);

	test('a new body in a reused slot does not sleep in mid-air', async () => {
		await pile(1);
		await steps(300);
		failing('run-rules');
		expect(() => step(main())).toThrow('a fault');
		await must('/despawn', { entity_id: 1, entity_generation: 0 });
		const { id } = await must('/spawn', {
			position: [0, 9, 0],
			physics_body: 'Dynamic',
			collider: { shape: 'Sphere', radius: 0.5 },
		});
		expect(id).toBe(1);
		await steps(10);
		const { local_transform } = (await engine.must('GET', '/entities/1')) as never as {
			local_transform: { position: number[] };
		};
		expect(local_transform.position[1]).toBeLessThan(9);
	});
});
