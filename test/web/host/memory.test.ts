/** What worlds take in memory: it is told, it has an end, and the end is a refusal that loses nothing. */

import { afterEach, describe, expect, test } from 'vitest';
import { plainSnapshots } from '../../../web/sim/core/lazy-snapshot.ts';
import { libraryWorlds } from '../../../web/sim/physics/physics.part.ts';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';

const rooms = [libraryWorlds.room, plainSnapshots.room] as const;
const started: TestEngine[] = [];
afterEach(() => {
	[libraryWorlds.room, plainSnapshots.room] = rooms;
	for (const { engine } of started.splice(0)) engine.close();
});

/** An engine whose main has some boxes in a heap. */
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

describe('what worlds weigh', () => {
	test('a fork weighs nothing until it moves on, and what it weighs comes back when it is dropped', async () => {
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

	test('many forks of one moment share its snapshot', async () => {
		const engine = await withHeap(32);
		for (let i = 0; i < 20; i++) await engine.must('POST', '/fork', { fork_id: `f${i}` });
		const before = await memory(engine);
		await engine.must('POST', '/step', { ticks: 1 });
		const once = (await memory(engine)).bytes - before.bytes;
		for (let i = 20; i < 40; i++) await engine.must('POST', '/fork', { fork_id: `f${i}`, from: 'f0' });
		expect((await memory(engine)).bytes).toBe(before.bytes + once);
	});
});

describe('beyond the memory there is', () => {
	test('forks and steps are refused with what to drop, nothing is lost, and dropping makes room', async () => {
		const engine = await withHeap(32);
		const { must, call } = engine;
		engine.engine.worlds.budget = (await memory(engine)).bytes * 5;
		let refused: Json | null = null;
		let made = 0;
		while (refused === null && made < 100) {
			const fork = (await call('POST', '/fork', { fork_id: `f${made}` })).body;
			const answer = fork.ok ? (await call('POST', `/fork/f${made}/step`, { ticks: 1 })).body : fork;
			if (fork.ok) made++;
			if (!answer.ok) refused = answer;
		}
		expect(refused).toMatchObject({ code: 'out_of_room' });
		expect(refused!.message).toMatch(/Deleting all forks would free .* the largest are "f\d+"/);
		expect(made).toBeGreaterThan(2);
		const { bytes, budget } = await memory(engine);
		expect(bytes).toBeLessThanOrEqual(budget);
		// Not a byte is left.
		engine.engine.worlds.budget = bytes;
		const before = [await future(engine), await future(engine, 'f1')];
		for (const [method, path, body] of [
			['POST', '/step', { ticks: 1 }],
			['POST', '/snapshot', {}],
			['POST', '/fork', { fork_id: 'more' }],
			['POST', '/fork/f1/step', {}],
		] as const)
			expect((await call(method, path, body)).body, path).toMatchObject({ ok: false, code: 'out_of_room' });
		expect([await future(engine), await future(engine, 'f1')]).toEqual(before);
		engine.engine.worlds.budget = budget;
		for (let i = 0; i < made; i++) if (i !== 1) await must('DELETE', `/fork/f${i}`);
		await must('POST', '/step', { ticks: 1 });
		await must('POST', '/fork/f1/step', {});
	});

	test('a budget counts snapshots too', async () => {
		const engine = await withHeap(32);
		engine.engine.worlds.budget = (await memory(engine)).bytes * 3;
		let refused: Json | null = null;
		for (let i = 0; i < 40 && refused === null; i++) {
			const kept = (await engine.call('POST', '/snapshot', { label: `s${i}` })).body;
			const stepped = kept.ok ? (await engine.call('POST', '/step', {})).body : kept;
			if (!stepped.ok) refused = stepped;
		}
		expect(refused).toMatchObject({ code: 'out_of_room' });
		expect(refused!.message).toContain('There are no forks');
	});
});

describe('the physics library', () => {
	test('more forks than it has room for step as if each were alone, and main is as it was', async () => {
		const alone = await withHeap(16);
		const engine = await withHeap(16);
		const main = await future(engine);
		// Room for two worlds, and all bytes of those that rest deflated.
		libraryWorlds.room = 2.5 * 17 * 8192;
		plainSnapshots.room = 0;
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
