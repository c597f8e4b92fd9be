/** One engine: the order of calls, reads during a long step, the log, and internal faults. */

import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../../shared/contract/errors.ts';
import { JournalMemory, MemoryJournal } from '../../../shared/transport/memory-journal.ts';
import { createEngine, type EngineSettings } from '../../../web/host/engine.ts';
import { TurnQueue } from '../../../web/host/turn-queue.ts';
import type { ViewLink } from '../../../web/host/view-link.ts';
import { spawnEntity } from '../../../web/sim/spawn/spawn-entity.ts';
import { FileError } from '../../../web/store/files.ts';
import { caller, startEngine, type TestEngine, withoutMemory } from '../../support/engine.ts';

/** Enough work for a step to yield to reads many times. */
const LONG = 10_000;

async function busy(bodies = 40, settings: EngineSettings = {}) {
	const engine = await startEngine(settings);
	await engine.must('POST', '/spawn', {
		physics_body: 'Static',
		collider: { shape: 'Aabb', hx: 9, hy: 0.5, hz: 9 },
	});
	for (let i = 0; i < bodies; i++)
		await engine.must('POST', '/spawn', {
			position: [(i % 5) - 2, 2 + i * 0.7, (i % 3) - 1],
			physics_body: 'Dynamic',
			collider: { shape: 'Sphere', radius: 0.4 },
		});
	return engine;
}

/** Returns an engine with 5,001 entities and a fork. Its reads pause after every slice. */
async function largeWorld(): Promise<TestEngine> {
	let now = 0;
	const started = await startEngine({ now: () => (now += 100) });
	for (let i = 0; i <= 5000; i++)
		spawnEntity(started.engine.worlds.main.world, { mesh: 'cube', position: [0, 0, 0], team: 1 });
	await started.must('POST', '/fork', { fork_id: 'copy' });
	return started;
}

describe('a read of a large world', () => {
	test.each([
		['POST', '/observe', {}],
		['POST', '/observe', { filter: 'any' }],
		['POST', '/observe', { fields: ['team'] }],
		['GET', '/fork/copy/observe', undefined],
		['GET', '/frame', undefined],
	])('lets writes run in between and shows the world at its start: %s %s %j', async (method, path, body) => {
		const { engine, call, must } = await largeWorld();
		// An engine caches the views of its entities, so another engine reads them first. Frames have a number.
		const other = path === '/frame' ? null : await largeWorld();
		const before = (await (other?.call ?? call)(method, path, body)).body;
		other?.engine.close();
		const done: string[] = [];
		// The engine caches its last frame.
		const again = path === '/frame' ? '/frame?known=none:1' : path;
		const after = call(method, again, body).then((answer) => {
			done.push('read');
			return answer.body;
		});
		const write = must('POST', '/tag', { entity_id: 0, add: ['x'] }).then(() => done.push('write'));
		const change = must('POST', '/despawn', { entity_id: 1 });
		expect(await after).toEqual(before);
		await Promise.all([write, change]);
		expect(done).toEqual(['write', 'read']);
		engine.close();
	});
});

describe('a long step', () => {
	test('lets reads see the last whole tick, while writes wait in the queue', async () => {
		const { engine, call, must } = await busy();
		const done: string[] = [];
		const step = must('POST', '/step', { ticks: 1500 }).then((answer) => {
			done.push('step');
			return answer;
		});
		const write = must('POST', '/spawn', { team: 3 }).then(() => done.push('spawn'));
		const ticks: number[] = [];
		while (done.length === 0) {
			const { body } = await call('GET', '/digest');
			ticks.push(body.tick as number);
			await new Promise((resolve) => setImmediate(resolve));
		}
		await write;
		expect(done).toEqual(['step', 'spawn']);
		expect(new Set(ticks).size).toBeGreaterThan(2);
		expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
		const { new_tick, entity_count } = await step;
		expect([new_tick, entity_count]).toEqual([1500, 41]);
		engine.close();
	});

	test('ends in the same state as many short ones', async () => {
		const [one, many] = [await busy(12), await busy(12)];
		await one.must('POST', '/step', { ticks: 400 });
		for (let i = 0; i < 100; i++) await many.must('POST', '/step', { ticks: 4 });
		expect(await many.must('GET', '/digest')).toEqual(await one.must('GET', '/digest'));
		one.engine.close();
		many.engine.close();
	});

	test(`of ${LONG} ticks is the longest, and none changes nothing`, async () => {
		const { engine, call, must } = await startEngine();
		const before = await must('GET', '/digest');
		expect(await must('POST', '/step', { ticks: 0 })).toMatchObject({ ticks_advanced: 0, new_tick: 0 });
		expect(await must('GET', '/digest')).toEqual(before);
		expect(await must('POST', '/step', { ticks: LONG })).toMatchObject({ new_tick: LONG });
		expect((await call('POST', '/step', { ticks: LONG + 1 })).status).toBe(422);
		engine.close();
	});
});

describe('the queue', () => {
	test('runs one call after the other, in order, and continues after a failure', async () => {
		const queue = new TurnQueue();
		const log: string[] = [];
		const slow = queue.post(async () => {
			log.push('slow begins');
			await new Promise((resolve) => setImmediate(resolve));
			log.push('slow ends');
			return 1;
		});
		const bad = queue.post(() => {
			log.push('bad');
			throw new Error('no');
		});
		const last = queue.post(() => {
			log.push('last');
			return 3;
		});
		expect(queue.isBusy).toBe(true);
		expect(await slow).toBe(1);
		await expect(bad).rejects.toThrow('no');
		expect(await last).toBe(3);
		expect(log).toEqual(['slow begins', 'slow ends', 'bad', 'last']);
		await Promise.resolve();
		expect(queue.isBusy).toBe(false);
	});

	test('starts independent calls together', () => {
		let started = false;
		void new TurnQueue().post(() => {
			started = true;
		});
		expect(started).toBe(true);
	});

	test('a hundred concurrent calls all finish, in order of arrival', async () => {
		const { engine, must } = await startEngine();
		const answers = await Promise.all(
			Array.from({ length: 100 }, (_, i) => must('POST', i % 10 === 9 ? '/step' : '/spawn', {})),
		);
		const ids = answers.flatMap(({ id }) => (id === undefined ? [] : [id]));
		expect(ids).toEqual(Array.from({ length: 90 }, (_, i) => i));
		const ticks = answers.flatMap(({ new_tick }) => (new_tick === undefined ? [] : [new_tick]));
		expect(ticks).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
		engine.close();
	});
});

describe('the log of calls', () => {
	test('has each call once, with its transport, sender, world, status and fix', async () => {
		const { engine, must } = await startEngine();
		await must('POST', '/fork', { fork_id: 'plan' });
		engine.takeStatus();
		const relay = caller(engine.handleFrom('relay'));
		await relay('POST', '/spawn?world=plan', {}, { 'content-type': 'application/json', 'x-agent': 'ada' });
		await relay('POST', '/spwan', {});
		const { calls, forks } = engine.takeStatus();
		expect(calls).toMatchObject([
			{ door: 'relay', sender: 'ada', method: 'POST', path: '/spawn', world: 'plan', status: 201 },
			{ door: 'relay', sender: '', path: '/spwan', world: 'main', status: 404, fix: 'Did you mean /spawn?' },
		]);
		expect(calls[1]!.number).toBe(calls[0]!.number + 1);
		expect(forks).toEqual(['plan']);
		expect(engine.takeStatus().calls).toEqual([]);
		engine.close();
	});

	test('keeps the newest 200 calls that were not reported', async () => {
		const { engine, must } = await startEngine();
		for (let i = 0; i < 250; i++) await must('GET', '/digest');
		const { calls } = engine.takeStatus();
		expect([calls.length, calls[0]!.number, calls.at(-1)!.number]).toEqual([200, 51, 250]);
		engine.close();
	});
});

test('an internal fault is answered with an id, and the next call works', async () => {
	const reports: string[] = [];
	const engine = await createEngine({ report: (message) => void reports.push(message) });
	const call = caller(engine.handle);
	engine.setView({
		gpu: null,
		capture: () => Promise.reject(new TypeError('the view broke')),
	} as unknown as ViewLink);
	const { status, body } = await call('GET', '/screenshot');
	expect({ status, ...body }).toMatchObject({ status: 500, ok: false, code: 'internal' });
	expect(body.error).toContain('fault-1');
	expect(reports).toEqual(['fault-1: GET /screenshot failed.']);
	expect((await call('GET', '/')).status).toBe(200);
	engine.close();
});

test('a picture that cannot be saved is refused with a clear error, and works without a file', async () => {
	for (const [reason, code] of [
		['failed', 'file_failed'],
		['refused', 'file_refused'],
	] as const) {
		const files = {
			storage: 'a folder',
			read: () => Promise.reject(new FileError('missing', 'There is nothing.')),
			write: () => Promise.reject(new FileError(reason, 'EACCES: permission denied')),
		};
		const engine = await createEngine({ files });
		const png = new Uint8Array([137, 80, 78, 71]);
		engine.setView({
			gpu: null,
			capture: () => Promise.resolve({ bytes: png, tick: 0, digest: '0'.repeat(16) }),
		} as unknown as ViewLink);
		const { status, body } = await caller(engine.handle)('GET', '/screenshot');
		expect({ status, ...body }).toMatchObject({ status: ERRORS[code][0], ok: false, code });
		expect(body.error).toContain('EACCES');
		expect(body.fix).toContain('Accept: image/png');
		const wireResponse = await engine.handle({
			method: 'GET',
			path: '/screenshot',
			query: '',
			headers: { accept: 'image/png' },
			body: new Uint8Array(0),
		});
		expect([wireResponse.status, wireResponse.headers['content-type']]).toEqual([200, 'image/png']);
		expect(wireResponse.body).toEqual(png);
		engine.close();
	}
});

describe('all or nothing', () => {
	test('a level with one bad entity leaves no trace', async () => {
		const { engine, call, must } = await startEngine();
		await must('POST', '/spawn', { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 1 } });
		await must('POST', '/step', { ticks: 3 });
		await must('POST', '/fork', { fork_id: 'twin' });
		const before = await must('GET', '/digest');
		const level = { entities: [{ team: 1 }, { parent: 99 }], camera: { eye: [1, 1, 1] }, game: {} };
		expect((await call('POST', '/level/load', { level })).body.code).toBe('invalid_level');
		expect(await must('GET', '/digest')).toEqual(before);
		expect((await must('GET', '/camera')).eye).toEqual([8, 6, 8]);
		const after = await must('POST', '/step', { ticks: 5 });
		expect((await must('POST', '/fork/twin/step', { ticks: 5 })).state_digest).toBe(after.state_digest);
		engine.close();
	});

	test('a level replaces no entity, and its world continues as one', async () => {
		const { engine, must } = await startEngine();
		await must('POST', '/spawn', { team: 1 });
		const level = { entities: [{ team: 2 }, { parent: 0, team: 3 }], camera: { eye: [1, 2, 3] } };
		expect(await must('POST', '/level/load', { level })).toMatchObject({
			ok: true,
			entities_created: 2,
			rules_created: 0,
			entity_ids: [1, 2],
		});
		expect((await must('GET', '/')).entity_count).toBe(3);
		expect((await must('GET', '/camera')).eye).toEqual([1, 2, 3]);
		expect((await must('GET', '/entities/2')).parent).toEqual({ id: 0, generation: 0 });
		engine.close();
	});
});

test('another engine that takes over has the same worlds, forks and snapshots', async () => {
	const memory = new JournalMemory();
	const first = await busy(12, {
		journal: new MemoryJournal(memory),
		stateEvery: { entries: 5 },
		now: () => 0,
	});
	await first.must('POST', '/step', { ticks: 30 });
	await first.must('POST', '/snapshot', { label: 'start' });
	await first.must('POST', '/step', { ticks: 10 });
	await first.must('POST', '/fork', { fork_id: 'plan', seed: 9 });
	await first.must('POST', '/snapshot?world=plan', { label: 'own' });
	await first.must('POST', '/step?world=plan', { ticks: 5 });
	await first.engine.rest();
	const copy = new JournalMemory();
	copy.entries.push(...memory.entries);
	copy.states.push(...memory.states);
	for (const [hash, bytes] of memory.blobs) copy.blobs.set(hash, bytes);
	const second = await startEngine({ journal: new MemoryJournal(copy) });
	for (const path of ['/', '/?world=plan', '/fork/list', '/snapshot/list', '/snapshot/list?world=plan'])
		expect(withoutMemory(await second.must('GET', path))).toEqual(
			withoutMemory(await first.must('GET', path)),
		);
	for (const world of ['main', 'plan'])
		for (const path of [
			`/step?world=${world}`,
			`/snapshot/start/restore?world=${world}`,
			`/step?world=${world}`,
		]) {
			const body = path.startsWith('/step') ? { ticks: 40 } : {};
			expect(await second.must('POST', path, body)).toEqual(await first.must('POST', path, body));
		}
	first.engine.close();
	second.engine.close();
});

describe('forks', () => {
	test('are created, used with ?world=, and dropped in any order', async () => {
		const { engine, call, must } = await startEngine();
		await must('POST', '/spawn', { position: [0, 9, 0], physics_body: 'Dynamic' });
		await must('POST', '/fork', { fork_id: 'a' });
		await must('POST', '/fork?world=a', { fork_id: 'b' });
		await must('POST', '/fork', { fork_id: 'c', from: 'b' });
		await must('POST', '/fork/b/step', { ticks: 10 });
		await must('DELETE', '/fork/a');
		await must('DELETE', '/fork/b');
		const ahead = await must('POST', '/fork/c/step', { ticks: 10 });
		expect((await must('POST', '/step', { ticks: 10 })).state_digest).toBe(ahead.state_digest);
		expect((await must('GET', '/fork/list')).forks).toEqual(['c']);
		expect((await call('GET', '/digest?world=a')).status).toBe(404);
		engine.close();
	});

	test('with another seed have the same state and digest, and another future', async () => {
		const { engine, must } = await startEngine({ seed: 1 });
		await must('POST', '/spawn', { team: 4 });
		const same = await must('POST', '/fork', { fork_id: 'same', seed: 1 });
		const other = await must('POST', '/fork', { fork_id: 'other', seed: 2 });
		const { state_digest, future_digest } = await must('GET', '/digest?future=true');
		expect([same.state_digest, other.state_digest]).toEqual([state_digest, state_digest]);
		const future = async (world: string) =>
			(await must('GET', `/digest?future=true&world=${world}`)).future_digest;
		expect(await future('same')).toBe(future_digest);
		expect(await future('other')).not.toBe(future_digest);
		expect((await must('GET', '/?world=other')).seed).toBe(2);
		expect((await must('GET', '/')).seed).toBe(1);
		engine.close();
	});

	test('are at most ten thousand', async () => {
		const { engine, call, must } = await startEngine();
		const steps = Array.from({ length: 10_000 }, (_, i) => ({ fork_id: `f${i}`, from: 'main' }));
		expect(await must('POST', '/fork/step', { steps })).toMatchObject({ failed: 0 });
		expect((await call('POST', '/fork', { fork_id: 'more' })).body.code).toBe('too_many_forks');
		await must('DELETE', '/fork/f500');
		await must('POST', '/fork', { fork_id: 'more' });
		engine.close();
	});
});
