/** Memory of worlds: it is reported and limited, and a call beyond the limit is refused without loss. */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { plainSnapshots } from '../../../web/sim/core/lazy-snapshot.ts';
import { tickLimits } from '../../../web/sim/core/tick-budget.ts';
import { nextTickBytes } from '../../../web/sim/core/weigh-world.ts';
import { libraryWorlds, Physics } from '../../../web/sim/physics/physics.part.ts';
import { bytesOf, inMiB, resourceLimit } from '../../../web/store/memory.ts';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';
import { WRITERS } from '../../support/writers.ts';

const rooms = [libraryWorlds.maxBytes, plainSnapshots.maxBytes] as const;
const [resourceBytes, sentEvents] = [resourceLimit.bytes, tickLimits.sent];
const started: TestEngine[] = [];
afterEach(() => {
	[libraryWorlds.maxBytes, plainSnapshots.maxBytes] = rooms;
	[resourceLimit.bytes, tickLimits.sent] = [resourceBytes, sentEvents];
	for (const { engine } of started.splice(0)) engine.close();
});

/** Returns an engine with a heap of boxes in main. */
async function withHeap(boxes: number, memoryBudget?: number): Promise<TestEngine> {
	const test = await startEngine(memoryBudget === undefined ? {} : { memoryBudget });
	started.push(test);
	const box = { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 };
	const floor = { physics_body: 'Static', collider: { ...box, hx: 20, hz: 20 }, position: [0, -0.5, 0] };
	const heap = Array.from({ length: boxes }, (_, i) => ({
		physics_body: 'Dynamic',
		collider: box,
		position: [(i % 4) * 1.02, 0.5 + Math.floor(i / 16) * 1.01, (Math.floor(i / 4) % 4) * 1.02],
	}));
	for (const body of [floor, ...heap]) await test.must('POST', '/spawn', body);
	await test.must('POST', '/step', { ticks: 5 });
	return test;
}

interface Memory {
	readonly bytes: number;
	readonly budget: number;
}
const memory = async ({ must }: TestEngine) => (await must('GET', '/')).memory as Memory;
const details = async ({ must }: TestEngine) =>
	(await must('GET', '/fork/list')).details as { fork_id: string; bytes: number }[];
const future = async ({ must }: TestEngine, world = 'main') =>
	(await must('GET', `/digest?future=true&world=${world}`)).future_digest as string;

describe('weights of worlds', () => {
	test('a fork weighs nothing until it changes, and its weight is freed when it is dropped', async () => {
		const engine = await withHeap(32);
		const before = await memory(engine);
		await engine.must('POST', '/fork', { fork_id: 'still' });
		await engine.must('POST', '/fork', { fork_id: 'moved' });
		expect((await details(engine)).map(({ bytes }) => bytes)).toEqual([0, 0]);
		await engine.must('POST', '/fork/moved/step', { ticks: 1 });
		const after = await memory(engine);
		const [moved, still] = await details(engine);
		expect([moved!.fork_id, still!.bytes]).toEqual(['moved', 0]);
		expect(moved!.bytes).toBeGreaterThan(10_000);
		expect(after.bytes).toBeGreaterThanOrEqual(before.bytes + moved!.bytes);
		await engine.must('DELETE', '/fork/moved');
		expect(after.bytes - (await memory(engine)).bytes).toBe(moved!.bytes);
	});

	test('many forks of one tick share its snapshot', async () => {
		const engine = await withHeap(32);
		for (let i = 0; i < 20; i++) await engine.must('POST', '/fork', { fork_id: `f${i}` });
		const before = await memory(engine);
		await engine.must('POST', '/step', { ticks: 1 });
		const once = (await memory(engine)).bytes - before.bytes;
		for (let i = 20; i < 40; i++) await engine.must('POST', '/fork', { fork_id: `f${i}`, from: 'f0' });
		expect((await memory(engine)).bytes).toBe(before.bytes + once);
	});
});

describe('beyond the memory', () => {
	test('forks and steps are refused with names to drop, nothing is lost, and a drop makes room', async () => {
		const engine = await withHeap(32);
		const { must, call } = engine;
		engine.engine.worlds.room.memory.maxBytes = (await memory(engine)).bytes * 5;
		let refused: Json | null = null;
		let count = 0;
		while (refused === null && count < 100) {
			const fork = (await call('POST', '/fork', { fork_id: `f${count}` })).body;
			const answer = fork.ok ? (await call('POST', `/fork/f${count}/step`, { ticks: 1 })).body : fork;
			if (fork.ok) count++;
			if (!answer.ok) refused = answer;
		}
		expect(refused).toMatchObject({ code: 'out_of_room' });
		expect(refused!.message).toMatch(/Deleting all forks would free .* the largest are "f\d+"/);
		expect(count).toBeGreaterThan(2);
		const { bytes, budget } = await memory(engine);
		expect(bytes).toBeLessThanOrEqual(budget);
		// The worlds use the whole memory.
		engine.engine.worlds.room.memory.maxBytes = bytes;
		const before = [await future(engine), await future(engine, 'f1')];
		for (const [method, path, body] of [
			['POST', '/step', { ticks: 1 }],
			['POST', '/snapshot', {}],
			['POST', '/fork', { fork_id: 'more' }],
			['POST', '/fork/f1/step', {}],
		] as const)
			expect((await call(method, path, body)).body, path).toMatchObject({ ok: false, code: 'out_of_room' });
		expect([await future(engine), await future(engine, 'f1')]).toEqual(before);
		engine.engine.worlds.room.memory.maxBytes = budget;
		for (let i = 0; i < count; i++) if (i !== 1) await must('DELETE', `/fork/f${i}`);
		await must('POST', '/step', { ticks: 1 });
		await must('POST', '/fork/f1/step', {});
	});

	test('a world that uses more than half cannot step, and the error says that it must become smaller', async () => {
		const engine = await withHeap(32);
		await engine.must('POST', '/fork', { fork_id: 'other' });
		const { worlds } = engine.engine;
		const alone = bytesOf([worlds.main.world]);
		worlds.room.memory.maxBytes = 1.9 * alone;
		for (const path of ['/step', '/snapshot', '/fork']) {
			const body = path === '/fork' ? { fork_id: 'more' } : {};
			const refused = (await engine.call('POST', path, body)).body;
			expect(refused, path).toMatchObject({ ok: false, code: 'out_of_room' });
			expect(refused.message).toContain(`This world alone uses ${inMiB(alone)}.`);
			expect(refused.message).not.toMatch(/fork/);
			expect(refused.fix).toContain('despawn entities');
		}
		await engine.must('DELETE', '/fork/other');
		expect((await engine.call('POST', '/step', {})).body.code).toBe('out_of_room');
		for (let id = 0; id <= 32; id++) await engine.must('POST', '/despawn', { entity_id: id });
		worlds.room.memory.maxBytes = 2.5 * alone;
		await engine.must('POST', '/step', {});
	});

	test('a budget counts snapshots too', async () => {
		const engine = await withHeap(32);
		engine.engine.worlds.room.memory.maxBytes = (await memory(engine)).bytes * 3;
		let refused: Json | null = null;
		for (let i = 0; i < 40 && refused === null; i++) {
			const snapshot = (await engine.call('POST', '/snapshot', { label: `s${i}` })).body;
			const stepped = snapshot.ok ? (await engine.call('POST', '/step', {})).body : snapshot;
			if (!stepped.ok) refused = stepped;
		}
		expect(refused).toMatchObject({ code: 'out_of_room' });
		expect(refused!.message).toContain('There are no forks');
	});
});

describe('content of a world beside its entities', () => {
	test('fits into one text when saved, and more is refused without an effect', async () => {
		// A character that takes six characters in JSON.
		expect(6 * resourceLimit.bytes).toBeLessThan(2 ** 29);
		expect(inMiB(resourceLimit.bytes)).toBe('80.0 MiB');
		resourceLimit.bytes = 8 * 2 ** 20;
		const engine = await startEngine();
		started.push(engine);
		const properties = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}`.padEnd(80, 'x'), i]));
		const define = (from: number, count: number) =>
			engine.call('POST', '/batch', {
				requests: Array.from({ length: count }, (_, i) => ({
					path: '/item/define',
					body: { id: from + i, name: 'item', properties },
				})),
			});
		let refused: Json | null = null;
		let made = 0;
		for (; refused === null && made < 2000; made += 100) {
			const { body } = await define(made, 100);
			const last = body.results.at(-1).body;
			if (!last.ok) refused = last;
		}
		expect(refused).toMatchObject({ code: 'out_of_room' });
		expect(refused!.message).toMatch(/most of it for items \(\d+\.\d MiB\); the limit is 8\.0 MiB/);
		await engine.must('POST', '/spawn', {});
		await engine.must('POST', '/step', {});
		expect(encodeWorld(engine.engine.worlds.main.world).length).toBeGreaterThan(5 * 2 ** 20);
	});
});

describe('a world that grows slowly', () => {
	const minion = (i: number) => ({ mesh: 'cube', position: [i, 0, 0], health: 10, tags: ['minion', `${i}`] });

	test('is not weighed by each call that adds to it', async () => {
		const engine = await startEngine();
		started.push(engine);
		const weighings = vi.spyOn(Physics, 'weigh');
		const calls = 600;
		for (let i = 0; i < calls; i++) await engine.must('POST', '/spawn', minion(i));
		expect(weighings.mock.calls.length).toBeGreaterThan(0);
		expect(weighings.mock.calls.length).toBeLessThan(calls / 10);
		weighings.mockRestore();
	});

	test('reaches its limit all the same', async () => {
		const engine = await startEngine();
		started.push(engine);
		const { maxBytes } = engine.engine.worlds.room.memory;
		engine.engine.worlds.room.memory.maxBytes = (await memory(engine)).bytes + 400_000;
		let refused: Json | null = null;
		for (let i = 0; refused === null && i < 5000; i++) {
			const { body } = await engine.call('POST', '/spawn', minion(i));
			if (!body.ok) refused = body;
		}
		expect(refused).toMatchObject({ code: 'out_of_room' });
		const { bytes, budget } = await memory(engine);
		// A world may also grow by the amount that is not checked.
		expect(bytes).toBeLessThan(budget + 64 * 1024);
		engine.engine.worlds.room.memory.maxBytes = maxBytes;
		await engine.must('POST', '/spawn', minion(0));
	});
});

describe('an emptied world', () => {
	test('keeps nothing of the library, is saved small, and continues like its copies', async () => {
		const engine = await withHeap(64);
		const { must } = engine;
		const full = JSON.stringify(await must('GET', '/scenario')).length;
		const before = await memory(engine);
		await must('POST', '/reset', {});
		expect((await memory(engine)).bytes).toBeLessThan(before.bytes / 4);
		const saved = await must('GET', '/scenario');
		expect(JSON.stringify(saved).length).toBeLessThan(full / 4);
		await must('POST', '/fork', { fork_id: 'clone' });
		await must('POST', '/fork', { fork_id: 'read' });
		await must('POST', '/scenario?world=read', saved);
		const ball = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 }, position: [0, 3, 0] };
		for (const world of ['main', 'clone', 'read']) {
			for (const x of [0, 0.3, 0.6])
				await must('POST', `/spawn?world=${world}`, { ...ball, position: [x, 3 + 2 * x, 0] });
			await must('POST', `/step?world=${world}`, { ticks: 60 });
		}
		const main = await future(engine);
		expect([await future(engine, 'clone'), await future(engine, 'read')]).toEqual([main, main]);
	});

	test('has its bodies and the library again when the emptying call is undone', async () => {
		const engine = await withHeap(32);
		await engine.must('POST', '/fork', { fork_id: 'never' });
		const requests = [
			{ path: '/reset', body: {} },
			{ path: '/despawn', body: { entity_id: 1 } },
		];
		const answer = (await engine.call('POST', '/batch', { atomic: true, requests })).body;
		expect(answer).toMatchObject({ code: 'batch_failed' });
		for (const world of ['main', 'never']) await engine.must('POST', `/step?world=${world}`, { ticks: 30 });
		expect(await future(engine)).toBe(await future(engine, 'never'));
	});
});

describe('large parts of a value', () => {
	test('the ground of terrains and the points of shapes count once for all worlds that share them', async () => {
		const engine = await startEngine();
		started.push(engine);
		const { must } = engine;
		await must('POST', '/terrain/create', { width: 129, height: 129, noise: { amount: 5 } });
		const ground = (await memory(engine)).bytes;
		// At least the heights, and their text.
		expect(ground).toBeGreaterThan(129 * 129 * 9);
		await must('POST', '/fork', { fork_id: 'same' });
		expect((await memory(engine)).bytes).toBe(ground);
		await must('POST', '/terrain/edit?world=same', { op: 'raise', x: 16, z: 16, radius: 8, amount: 1 });
		const edited = (await memory(engine)).bytes - ground;
		expect(edited).toBeGreaterThan(32 * 32 * 9);
		expect(edited).toBeLessThan(ground / 8);
		await must('POST', '/fork', { fork_id: 'mesh' });
		const before = (await details(engine)).find(({ fork_id }) => fork_id === 'mesh')!.bytes;
		const heights = Array.from({ length: 64 }, (_, row) => Array.from({ length: 64 }, (__, at) => row + at));
		await must('POST', '/spawn?world=mesh', {
			physics_body: 'Static',
			collider: { shape: 'HeightField', heights, size: [64, 64] },
		});
		const after = (await details(engine)).find(({ fork_id }) => fork_id === 'mesh')!.bytes;
		expect(after - before).toBeGreaterThan(64 * 64 * 8);
	});

	test('a call that makes worlds larger than the memory is refused without a trace, and one that makes them smaller works', async () => {
		const engine = await startEngine();
		started.push(engine);
		const { must, call } = engine;
		for (let i = 0; i < 12; i++) {
			await must('POST', '/fork', { fork_id: `f${i}` });
			await must('POST', `/terrain/create?world=f${i}`, { width: 129, height: 129 });
		}
		engine.engine.worlds.room.memory.maxBytes = (await memory(engine)).bytes + 1_500_000;
		const hills = { op: 'noise', x: 0, z: 0, all: true, amount: 3 };
		const answers = [];
		for (let i = 0; i < 12; i++) {
			const before = await future(engine, `f${i}`);
			const answer = (await call('POST', `/terrain/edit?world=f${i}`, hills)).body;
			answers.push(answer.ok);
			if (answer.ok) continue;
			expect(answer).toMatchObject({ ok: false, code: 'out_of_room' });
			expect(await future(engine, `f${i}`)).toBe(before);
		}
		const first = answers.indexOf(false);
		expect(first).toBeGreaterThan(2);
		expect(answers.slice(first)).not.toContain(true);
		const { bytes, budget } = await memory(engine);
		expect(bytes).toBeLessThanOrEqual(budget);
		const batch = { atomic: true, requests: [{ path: '/terrain/edit', body: hills }] };
		expect((await call('POST', '/batch?world=f11', batch)).body).toMatchObject({
			code: 'batch_failed',
			failed_request: { code: 'out_of_room' },
		});
		await must('POST', '/reset?world=f0', {});
		await must('POST', '/reset?world=f1', { fresh: true });
		await must('DELETE', '/fork/f2');
		await must('POST', '/terrain/edit?world=f11', hills);
	});
});

describe('content added by calls and ticks', () => {
	const words = (length: number) => 'x'.repeat(length);
	const template = {
		name: 'heavy',
		effects: Array.from({ length: 20 }, (_, i) => ({ tag: `${i}${words(90)}` })),
	};

	test('counts shared data of entities once, so a rule with one large template always fits', async () => {
		const result = await startEngine();
		started.push(result);
		const { engine, must } = result;
		const way = Array.from({ length: 1000 }, (_, i) => [i, 1, 0]);
		const loot = Array.from({ length: 32 }, (_, i) => ({
			label: `${i}`,
			weight: 1,
			spawn: { ai_patrol: way },
		}));
		await must('POST', '/template/create', { name: 'big', mesh: 'cube', loot, ai_patrol: way });
		const spawning = { action: 'spawn', template: 'big', position: [0, 0, 0], count: 200 };
		await must('POST', '/rule/create', { when: 'tick:1', actions: [spawning] });
		for (let i = 0; i < 4; i++) await must('POST', '/step', { ticks: 1 });
		// Size of the points if each entity had its own.
		expect(200 * 33 * 1000 * 12).toBeGreaterThan(2 ** 26);
		expect(nextTickBytes(engine.worlds.main.world)).toBeLessThan(2 ** 26);
	});

	test('is weighed by its content: rules, templates, texts, waiting signals', async () => {
		const engine = await startEngine();
		started.push(engine);
		const grownBy = async (path: string, body: Json) => {
			const before = (await memory(engine)).bytes;
			await engine.must('POST', path, body);
			return (await memory(engine)).bytes - before;
		};
		const actions = Array.from({ length: 100 }, () => ({ action: 'emit', name: 'a', data: words(1000) }));
		expect(await grownBy('/rule/create', { when: 'tick:9', do: actions })).toBeGreaterThan(100_000);
		expect(await grownBy('/template/create', template)).toBeGreaterThan(20 * 90);
		expect(
			await grownBy('/spawn', { tags: Array.from({ length: 100 }, (_, i) => `${i}${words(90)}`) }),
		).toBeGreaterThan(9000);
		expect(await grownBy('/events', { type: 'SignalEvent', name: 'a', data: words(1e6) })).toBeGreaterThan(
			1e6,
		);
		await engine.must('POST', '/fork', { fork_id: 'same' });
		expect((await details(engine))[0]!.bytes, 'a fork shares all of it').toBe(0);
	});

	test('waiting signals are refused beyond the number for a tick', async () => {
		const engine = await startEngine();
		started.push(engine);
		tickLimits.sent = 50_000;
		const signal = { type: 'SignalEvent', name: 'a', data: words(1.5e5) };
		let sent = 0;
		while (
			sent < 100 &&
			(await engine.call('POST', '/events', { ...signal, data: [sent, signal.data] })).body.ok
		)
			sent++;
		expect(sent).toBeGreaterThan(20);
		expect(sent).toBeLessThan(60);
		expect((await engine.call('POST', '/events', signal)).body).toMatchObject({ code: 'out_of_room' });
		await engine.must('POST', '/step', {});
		await engine.must('POST', '/events', signal);
	});

	test('a step that makes its world too large ends there, and so does play', async () => {
		const engine = await startEngine();
		started.push(engine);
		await engine.must('POST', '/template/create', template);
		await engine.must('POST', '/rule/create', {
			when: 'tick:1',
			do: [{ action: 'spawn', template: 'heavy', position: [0, 0, 0], count: 20 }],
		});
		const room = engine.engine.worlds.room.memory.maxBytes;
		engine.engine.worlds.room.memory.maxBytes = (await memory(engine)).bytes + 4_000_000;
		const refused = (await engine.call('POST', '/step', { ticks: 1000 })).body;
		expect(refused).toMatchObject({ ok: false, code: 'out_of_room' });
		expect(refused.ticks_advanced).toBeLessThan(200);
		expect(refused.ticks_advanced % 8).toBe(0);
		const { tick } = await engine.must('GET', '/');
		expect(tick).toBe(refused.new_tick);
		engine.engine.worlds.room.memory.maxBytes = room;
		await engine.must('POST', '/step', { ticks: 9 });
		engine.engine.worlds.room.memory.maxBytes = 1_000_000;
		await engine.must('POST', '/play');
		await vi.waitFor(async () => {
			expect(await engine.must('GET', '/')).toMatchObject({ playing: false });
		}, 60_000);
		expect(await engine.must('GET', '/')).toMatchObject({
			halted: { message: expect.stringContaining('memory') },
		});
	});

	test('an agent that fills the memory with forks leaves a part to the others', async () => {
		const engine = await startEngine({ gated: true });
		started.push(engine);
		engine.engine.setRelayServices(WRITERS);
		const as = async (agent: string, path: string, body: object = {}) => {
			const headers = { authorization: `Bearer ${agent}`, 'content-type': 'application/json' };
			return (await engine.call('POST', path, body, headers)).body;
		};
		const grow = {
			when: 'tick:1',
			do: [{ action: 'spawn', template: 'heavy', position: [0, 0, 0], count: 20 }],
		};
		await as('ada', '/fork', { fork_id: 'a' });
		await as('ada', '/template/create?world=a', template);
		await as('ada', '/rule/create?world=a', grow);
		await as('bob', '/fork', { fork_id: 'b' });
		const { bytes } = await memory(engine);
		engine.engine.worlds.room.memory.maxBytes = bytes + 12_000_000;
		const refused = await as('ada', '/fork/a/step', { ticks: 10_000 });
		expect(refused).toMatchObject({ ok: false, code: 'out_of_room' });
		expect(refused.message).toContain('of the agent');
		expect((await as('ada', '/fork/a/step', { ticks: 1 })).code).toBe('out_of_room');
		for (const path of ['/step', '/fork/b/step']) expect((await as('bob', path)).ok, path).toBe(true);
		expect((await as('bob', '/fork', { fork_id: 'b2' })).ok).toBe(true);
	});
});

describe('the physics library', () => {
	test('more forks than it has room for step as if each were alone, and main is unchanged', async () => {
		const alone = await withHeap(16);
		const engine = await withHeap(16);
		const main = await future(engine);
		// Room for two worlds, and for the deflated bytes of all others.
		libraryWorlds.maxBytes = 2.5 * 17 * 8192;
		plainSnapshots.maxBytes = 0;
		const forks = Array.from({ length: 30 }, (_, i) => `f${i}`);
		for (const fork of forks) {
			await engine.must('POST', '/fork', { fork_id: fork });
			await engine.must('POST', `/fork/${fork}/step`, { ticks: 2 });
		}
		expect(libraryWorlds.size).toBeLessThanOrEqual(3);
		expect(await future(engine)).toBe(main);
		for (const fork of forks) await engine.must('POST', `/fork/${fork}/step`, { ticks: 2 });
		await alone.must('POST', '/step', { ticks: 4 });
		const expected = await future(alone);
		for (const fork of forks) expect(await future(engine, fork)).toBe(expected);
		await engine.must('POST', '/step', { ticks: 4 });
		expect(await future(engine)).toBe(expected);
	});
});
