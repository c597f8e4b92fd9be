/** Heavy mode: it finds and reports ticks whose result differs on a fork, or after saving and loading. */

import { describe, expect, test, vi } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../shared/transport/memory-journal.ts';
import { replayJournal } from '../../../web/host/journal/verify.ts';
import { Events } from '../../../web/sim/core/events.ts';
import type { World } from '../../../web/sim/core/world.ts';
import type { Diverged } from '../../../web/store/verifier.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { faulty } from '../../support/faulty-system.ts';

/** Returns the number that the system below counts. */
let secret: (world: World) => number = () => 1;
faulty((world) => secret(world));

const remembered = 'remembered by the test';
/** Counts in data that forks copy and saves omit. */
const inForks = (world: World): number => {
	const count = (world.processedVersions.get(remembered) ?? 0) + 1;
	world.processedVersions.set(remembered, count);
	return count;
};
/** Counts in data that neither forks nor saves have. */
const counts = new WeakMap<World, number>();
const inTheWorld = (world: World): number => {
	const count = (counts.get(world) ?? 0) + 1;
	counts.set(world, count);
	return count;
};
/** Counts outside all worlds. */
let calls = 0;
const everywhere = (): number => ++calls;

async function heavy(every: number, next: typeof secret, more: object = {}) {
	secret = next;
	const found: Diverged[] = [];
	const engine = await startEngine({
		verify: every,
		report: (_, error) => void found.push(error as Diverged),
		...more,
	});
	await engine.spawn({ gold: 0 });
	await engine.spawn({ mesh: 'sphere', position: [0, 3, 0], physics_body: 'Dynamic' });
	return { engine, found };
}

test('a world with equal ticks continues, and reports the number of checked ticks', async () => {
	const { engine, found } = await heavy(3, () => 1);
	const plain = await startEngine();
	await plain.spawn({ gold: 0 });
	await plain.spawn({ mesh: 'sphere', position: [0, 3, 0], physics_body: 'Dynamic' });
	await engine.post('/fork', { fork_id: 'other' });
	await engine.post('/fork/other/step', { ticks: 7 });
	expect(await engine.future(10)).toEqual(await plain.future(10));
	expect(await engine.get('/digest?future=true')).toEqual(await plain.get('/digest?future=true'));
	expect((await engine.get('/')).verify).toEqual({ every: 3, ticks: 5, diverged: null });
	expect((await plain.get('/')).verify).toBe(null);
	expect(found).toEqual([]);
});

describe('a tick that depends on unsaved data', () => {
	test('ends the call, and names the tick, the system, the entity and the field', async () => {
		const { engine, found } = await heavy(4, inForks);
		const { status, body } = await engine.call('POST', '/step', { ticks: 10 });
		expect(status).toBe(500);
		expect(body).toMatchObject({
			code: 'diverged',
			ticks_advanced: 4,
			new_tick: 4,
			diverged: {
				world: 'main',
				tick: 3,
				way: 'save',
				system: 'count-in-secret',
				entity: 0,
				field: 'gold.amount',
			},
		});
		expect(body.error).toBe(
			'Tick 3 of the world "main" gives a different result in the world after saving and loading. The first difference after the system count-in-secret: entity 0, gold.amount: 4 in the world, 1 in the other. 4 of 10 ticks were completed before that.',
		);
		expect(body.diverged.written_by['gold.amount']).toContain('count-in-secret');
		expect(found).toHaveLength(1);
		expect(await engine.gold(0)).toBe(4);
		expect((await engine.get('/')).verify).toMatchObject({
			ticks: 1,
			diverged: { world: 'main', tick: 3, message: found[0]!.message },
		});
	});

	test('stops that world and no other, until it is replaced', async () => {
		const { engine } = await heavy(4, inForks);
		await engine.post('/snapshot', { label: 'begin' });
		expect((await engine.step(10)).code).toBe('diverged');
		const before = await engine.digest();
		for (const path of ['/step', '/probe'])
			expect(await engine.post(path, { ticks: 2 })).toMatchObject({ code: 'diverged', ticks_advanced: 0 });
		expect(await engine.digest()).toBe(before);
		await engine.must('POST', '/fork', { fork_id: 'look' });
		expect(await engine.post('/fork/look/step', { ticks: 3 })).toMatchObject({ ok: true });
		await engine.must('POST', '/snapshot/begin/restore');
		expect(await engine.step(3)).toMatchObject({ ok: true, new_tick: 3 });
	});

	test.each([
		[
			'whose call ended',
			async (engine: TestEngine) => void (await engine.call('POST', '/step', { ticks: 10 })),
		],
		[
			'that played',
			async (engine: TestEngine) => {
				await engine.post('/play');
				await vi.waitFor(async () => expect((await engine.get('/')).playing).toBe(false), 60_000);
			},
		],
	])(
		'a world %s stays stopped for the next engine, with or without a later state in the journal',
		async (_, run) => {
			for (const stateEvery of [{ entries: 1000 }, { entries: 1 }]) {
				const memory = new JournalMemory();
				const more = { journal: new MemoryJournal(memory), stateEvery };
				const { engine } = await heavy(4, inForks, more);
				await engine.post('/fork', { fork_id: 'other' });
				await run(engine);
				await engine.post('/spawn', { gold: 1 });
				await engine.engine.rest();
				const before = await engine.get('/digest');
				await engine.engine.close();

				const next = await startEngine({ ...more, journal: new MemoryJournal(memory), verify: 4 });
				expect(await next.get('/digest')).toEqual(before);
				expect((await next.get('/')).verify).toMatchObject({ diverged: { world: 'main', tick: 3 } });
				const { body } = await next.call('POST', '/step');
				expect(body).toMatchObject({ code: 'diverged', diverged: { world: 'main', tick: 3 } });
				expect(body.error).toMatch(/gives a different result|gave two different results/);
				expect((await next.post('/fork/other/step', { ticks: 3 })).ok).toBe(true);
				expect(await next.get('/digest')).toEqual(before);
				const { body: light } = await (
					await startEngine({ journal: new MemoryJournal(memory), moment: { entry: 2 } })
				).call('GET', '/');
				expect(light.verify).toBe(null);
				await next.engine.close();
			}
		},
	);

	test('stops a playing world, whose status has the reason', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
		try {
			const { engine } = await heavy(4, inForks, { now: () => performance.now() });
			await engine.must('POST', '/play');
			await vi.advanceTimersByTimeAsync(200);
			const status = await engine.get('/');
			expect(status).toMatchObject({ tick: 4, playing: false, halted: { tick: 4 } });
			expect(status.halted.message).toContain('after the system count-in-secret');
			await engine.must('POST', '/play');
			await vi.advanceTimersByTimeAsync(200);
			expect(await engine.get('/')).toMatchObject({ tick: 4, playing: false, halted: { tick: 4 } });
		} finally {
			vi.useRealTimers();
		}
	});

	test('ends a batch: earlier requests keep their effect, unless the batch is atomic', async () => {
		const requests = [
			{ path: '/spawn', body: {} },
			{ path: '/step', body: { ticks: 9 } },
			{ path: '/spawn', body: {} },
		];
		for (const [atomic, entities, tick] of [
			[false, 3, 4],
			[true, 2, 0],
		] as const) {
			const { engine } = await heavy(4, inForks);
			const { status, body } = await engine.call('POST', '/batch', { atomic, requests });
			expect([status, body.code, body.committed]).toEqual([500, 'diverged', !atomic]);
			expect(body.error).toContain('Tick 3 of the world "main"');
			expect(await engine.get('/')).toMatchObject({ entity_count: entities, tick });
		}
	});

	test('leaves a journal that replays without heavy mode', async () => {
		const memory = new JournalMemory();
		const { engine } = await heavy(4, inForks, { journal: new MemoryJournal(memory) });
		await engine.step(2);
		await engine.step(10);
		await engine.step();
		await engine.post('/batch', {
			requests: [
				{ path: '/spawn', body: {} },
				{ path: '/step', body: {} },
			],
		});
		await engine.engine.rest();
		const digest = await engine.digest();
		expect((await engine.get('/history')).lines.at(-2)).toMatchObject({ path: '/step', stopped: 'diverged' });
		await engine.engine.close();
		expect(await replayJournal(new MemoryJournal(memory))).toMatchObject({
			difference: null,
			worlds: [{ world: 'main', tick: 4, state_digest: digest }],
		});
		const again = await startEngine({ journal: new MemoryJournal(memory), verify: 1 });
		expect(await again.digest()).toBe(digest);
		expect((await again.get('/')).verify).toMatchObject({
			every: 1,
			ticks: 0,
			diverged: { world: 'main', tick: 3 },
		});
		const without = await startEngine({ journal: new MemoryJournal(memory) });
		expect(await without.step(3)).toMatchObject({ ok: true, new_tick: 7 });
	});
});

test('a tick that depends on data missing in forks names the systems that write the difference', async () => {
	const { engine } = await heavy(2, inTheWorld);
	const { diverged, error } = await engine.step(2);
	expect(diverged).toMatchObject({ tick: 1, way: 'fork', system: null, entity: 0, field: 'gold.amount' });
	expect(error).toContain('gives a different result in a fork of the world');
	expect(error).toMatch(/These systems write it: .*count-in-secret/);
});

test('an incomplete save is reported as a difference before the tick', async () => {
	const { engine } = await heavy(1, () => 1);
	const encode = Events.encode.bind(Events);
	const empty = Events.create(engine.engine.worlds.main.world);
	const save = vi.spyOn(Events, 'encode').mockImplementation(() => encode(empty));
	try {
		await engine.change(1, { health: 5 });
		await engine.post('/entity/damage', { entity_id: 1, amount: 1 });
		const { diverged, error } = await engine.step();
		expect(diverged).toMatchObject({ tick: 0, way: 'save', system: null, entity: null, field: 'events' });
		expect(error).toContain('The first difference before the tick: events.');
	} finally {
		save.mockRestore();
	}
});

test('a tick that differs on every run names the system', async () => {
	const { engine } = await heavy(1, everywhere);
	expect((await engine.step()).diverged).toMatchObject({
		tick: 0,
		way: 'fork',
		system: 'count-in-secret',
		field: 'gold.amount',
	});
});

test('re-runs of a tick with chosen draws choose them again', async () => {
	const { engine } = await heavy(1, () => 1);
	await engine.rule({
		when: 'tick:1',
		outcomes: [
			{
				label: 'a',
				weight: 1,
				do: [{ action: 'add_field', target: { entity: 1 }, field: 'gold', value: 5 }],
			},
			{ label: 'b', weight: 1000 },
		],
	});
	await engine.post('/fork', { fork_id: 'f' });
	const { distribution } = await engine.post('/peek?world=f');
	for (const { choices } of distribution) {
		await engine.post('/fork', { fork_id: 'g', from: 'f' });
		expect(await engine.post('/fork/g/step', { choices })).toMatchObject({ ok: true });
		await engine.remove('/fork/g');
	}
	expect((await engine.get('/')).verify).toMatchObject({ ticks: distribution.length, diverged: null });
});
