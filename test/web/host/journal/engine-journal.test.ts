/** An engine writes down what it applies, and another one continues from there. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { forkHistory, getHistory, getJournal } from '../../../../shared/routes/journal.ts';
import { type Journal, type JournalEntry, JournalError } from '../../../../shared/transport/journal.ts';
import { decodeEntry } from '../../../../shared/transport/journal-entry.ts';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { createEngine, type EngineSettings } from '../../../../web/host/engine.ts';
import { currentHalt } from '../../../../web/store/worlds.ts';
import { jsonOf, requestOf, startEngine, type TestEngine } from '../../../support/engine.ts';
import { readAll } from '../../../support/journal-suite.ts';
import { createMemoryFiles } from '../../../support/memory-files.ts';
import { WRITERS } from '../../../support/writers.ts';

const start = (memory: JournalMemory, more: EngineSettings = {}) =>
	startEngine({ journal: new MemoryJournal(memory), ...more });

/** Returns the worlds of an engine as far as any reader can tell. */
async function readableState({ engine, get, digest }: TestEngine) {
	const worlds = engine.worlds.all().map(({ id }) => id);
	return Promise.all(
		worlds.sort().map(async (id) => {
			const entry = engine.worlds.find(id)!;
			const { playing, speed, origin, snapshots } = entry;
			return {
				id,
				digest: await digest(id),
				future: (await get(`/digest?world=${id}&future=true`)).future_digest,
				playing,
				speed,
				halted: currentHalt(entry),
				origin,
				snapshots: snapshots.map(({ view }) => view),
			};
		}),
	);
}

const heads = async (memory: JournalMemory) =>
	(await readAll(new MemoryJournal(memory))).map((entry) => decodeEntry(entry).head);

/** Subjects of the entries, in a word each. */
const paths = async (memory: JournalMemory): Promise<string[]> =>
	(await heads(memory)).map((head) => (head.kind === 'call' ? head.path : head.kind));

/** Returns the same journal in another place. */
function copyOf({ entries, first, states, blobs, maxBytes }: JournalMemory): JournalMemory {
	const copy = new JournalMemory(maxBytes);
	Object.assign(copy, { entries: [...entries], first, states: [...states] });
	for (const [hash, bytes] of blobs) copy.blobs.set(hash, bytes);
	return copy;
}

/** Another engine from the same journal stands where this one does. */
async function expectSame(engine: TestEngine, memory: JournalMemory, more: EngineSettings = {}) {
	const other = await start(copyOf(memory), more);
	expect(await readableState(other)).toEqual(await readableState(engine));
	expect(other.engine.identity).toBe(engine.engine.identity);
	await other.engine.close();
}

const chest = {
	name: 'chest',
	when: { kind: 'tick', every: 1 },
	outcomes: [
		{
			label: 'gold',
			weight: 1,
			do: [{ action: 'add_field', target: { tag: 'hero' }, field: 'gold', value: 1 }],
		},
		{ label: 'none', weight: 3 },
	],
};

describe('entries', () => {
	test('are every write in order, without reads and refused calls', async () => {
		const memory = new JournalMemory();
		const { engine, call, post, get } = await start(memory);
		await post('/spawn', { position: [0, 1, 0] });
		await get('/entities/0');
		await post('/spawn', { position: 'nowhere' });
		await post('/entity/damage', { entity_id: 7, amount: 1 });
		await post('/fork', { fork_id: 'plan' });
		await post('/fork', { fork_id: 'plan' });
		await post('/step', { ticks: 2 });
		await post('/fork/plan/step', { ticks: 3 });
		await post('/probe', { ticks: 5, fork: true });
		await post('/batch', { dry_run: true, requests: [{ path: '/spawn', body: {} }] });
		await call('DELETE', '/fork/plan');
		expect(await paths(memory)).toEqual(['/spawn', '/fork', '/step', '/fork/plan/step', '/fork/plan']);
		const [spawned, forked, stepped, , gone] = await heads(memory);
		expect(spawned).toMatchObject({ worlds: [{ id: 'main', tick: 0 }], status: 201 });
		expect(forked).toMatchObject({ worlds: [{ id: 'plan', tick: 0 }] });
		expect(stepped).toMatchObject({ worlds: [{ id: 'main', tick: 2 }] });
		expect(gone).toMatchObject({ worlds: [], gone: ['plan'] });
		await engine.close();
	});

	test('name their sender and transport', async () => {
		const memory = new JournalMemory();
		const { engine } = await start(memory);
		const headers = { 'content-type': 'application/json', 'x-agent': 'ada', authorization: 'Bearer secret' };
		await engine.handleFrom('relay')(requestOf('POST', '/spawn', { health: 5 }, headers));
		const [head] = await heads(memory);
		expect(head).toMatchObject({ door: 'relay', sender: { name: 'ada', kind: 'agent' } });
		expect(JSON.stringify(head)).not.toContain('secret');
		await engine.close();
	});

	test('exist before their answer', async () => {
		const memory = new JournalMemory();
		const { engine, post } = await start(memory);
		for (let i = 1; i <= 3; i++) {
			await post('/spawn', {});
			expect(memory.entries.length).toBe(i);
		}
		const answers = await Promise.all(Array.from({ length: 20 }, () => post('/spawn', {})));
		expect(answers.every(({ ok }) => ok)).toBe(true);
		expect(memory.entries.length).toBe(23);
		await engine.close();
	});

	test('name the tick of a call, like the log of calls, for any delay of the journal', async () => {
		const memory = new JournalMemory();
		const held = Promise.withResolvers<void>();
		let holds = false;
		const journal = new (class extends MemoryJournal {
			override async append(epoch: number, next: number, entries: readonly JournalEntry[]): Promise<void> {
				if (holds) await held.promise;
				await super.append(epoch, next, entries);
			}
		})(memory);
		const { engine, post } = await startEngine({ journal });
		const tick = () => engine.worlds.main.world.tick;
		await post('/play');
		holds = true;
		const answered = post('/spawn', {});
		const sent = tick();
		await expect.poll(tick).toBeGreaterThan(sent + 3);
		held.resolve();
		await answered;
		const spawned = (await heads(memory)).find((head) => head.kind === 'call' && head.path === '/spawn');
		const logged = engine.takeStatus().calls.find(({ path }) => path === '/spawn')?.tick;
		expect(spawned?.worlds).toMatchObject([{ id: 'main', tick: logged }]);
		expect(tick()).toBeGreaterThan(logged!);
		await engine.close();
	});

	test('have the ticks of play between the calls', async () => {
		const memory = new JournalMemory();
		let now = 0;
		const { engine, post } = await start(memory, { now: () => now });
		await post('/spawn', { velocity: { linear: [1, 0, 0], angular: [0, 0, 0] } });
		await post('/play');
		await new Promise<void>((resolve) => {
			engine.onChange = () => {
				if (engine.worlds.main.world.tick >= 3) resolve();
				now += 20;
			};
			now += 40;
		});
		await post('/pause');
		const { tick } = engine.worlds.main.world;
		const all = await heads(memory);
		expect(all.map((head) => (head.kind === 'call' ? head.path : head.kind))).toEqual([
			'/spawn',
			'/play',
			'between',
			'/pause',
		]);
		expect(all[2]).toMatchObject({ worlds: [{ id: 'main', tick, ticks: tick }] });
		expect(all[2]).toMatchObject({ playing: [{ id: 'main', speed: 1 }] });
		await expectSame(await start(memory), memory);
		await engine.close();
	});
});

describe('another engine resumes', () => {
	test('with the same worlds, forks and snapshots, and the same future', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory, { seed: 7 });
		const { post, spawn } = engine;
		await spawn({ position: [0, 4, 0], physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } });
		await spawn({ tags: ['hero'], gold: 0 });
		await post('/rule/create', chest);
		await post('/step', { ticks: 20 });
		await post('/fork', { fork_id: 'a', seed: 3 });
		await post('/fork/a/step', { ticks: 7 });
		await post('/snapshot?world=a', { label: 'here' });
		await post('/fork/a/step', { ticks: 5 });
		await post('/fork', { fork_id: 'b', from: 'a' });
		await post('/fork/a/promote', { keep_as: 'old' });
		await post('/snapshot/here/restore');
		await post('/batch', {
			atomic: true,
			requests: [
				{ path: '/spawn', body: { gold: 1 } },
				{ path: '/step', body: { ticks: 2 } },
			],
		});
		await post('/batch', {
			atomic: true,
			requests: [{ path: '/spawn' }, { path: '/step', body: { ticks: -1 } }],
		});
		await post('/batch', { requests: [{ path: '/spawn' }, { path: '/step', body: { ticks: -1 } }] });
		await expectSame(engine, memory, { seed: 99 });
		const other = await start(copyOf(memory));
		expect(await other.future(5)).toEqual(await engine.future(5));
		await other.engine.close();
		await engine.engine.close();
	});

	test('with many forks that one call stepped, replaced and refused', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory, { seed: 7, verify: 3 });
		await engine.spawn({ tags: ['hero'], gold: 0, player: true });
		await engine.post('/rule/create', chest);
		const spawn = { path: '/spawn', body: { gold: 1 } };
		const wrong = { path: '/despawn', body: { entity_id: 9 } };
		const first = ['a', 'b', 'c', 'd'].map((fork_id, seed) => ({ fork_id, from: 'main', seed }));
		await engine.post('/fork/step', { steps: first, ticks: 5 });
		await engine.post('/snapshot?world=b', { label: 'kept' });
		const second = [
			{ fork_id: 'a', requests: [spawn, wrong] },
			{ fork_id: 'b', from: 'a', requests: [spawn, { path: '/play', body: {} }] },
			{ fork_id: 'c', inputs: [{ key: 'ArrowRight' }], requests: [spawn], ticks: 2 },
			{ fork_id: 'd', from: 'd', seed: 9 },
			{ fork_id: 'e', from: 'b', requests: [wrong] },
			{ fork_id: 'f', from: 'none' },
		];
		const { failed } = await engine.post('/fork/step', { steps: second, ticks: 3, until: 'field:gold>=3' });
		expect(failed).toBe(3);
		await engine.post('/pause?world=b');
		await expectSame(engine, memory, { seed: 99 });
		await engine.engine.close();
	});

	test('with many forks whose step was cancelled', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory);
		const steps = ['a', 'b', 'c'].map((fork_id) => ({
			fork_id,
			from: 'main',
			requests: [{ path: '/spawn' }],
		}));
		const abort = new AbortController();
		engine.engine.onChange = () => {
			if ((engine.engine.worlds.find('b')?.world.tick ?? 0) > 0) abort.abort();
		};
		const request = requestOf('POST', '/fork/step', { steps, ticks: 10_000 });
		const answer = jsonOf(await engine.engine.handle(request, abort.signal));
		expect(answer).toMatchObject({ code: 'cancelled', rows: [{ fork_id: 'a', tick: 10_000 }] });
		await expectSame(engine, memory);
		await engine.engine.close();
	});

	test('from any state, and from the states and what follows them after a cut', async () => {
		const memory = new JournalMemory(1000);
		const engine = await start(memory, { stateEvery: { entries: 10 }, now: () => 0 });
		for (let i = 0; i < 60; i++) {
			await engine.spawn({
				position: [i, 2, 0],
				physics_body: 'Dynamic',
				collider: { shape: 'Aabb', hx: 1, hy: 1, hz: 1 },
			});
			await engine.step(2);
		}
		expect(memory.states.length).toBeGreaterThan(0);
		await engine.engine.close();
		expect(memory.first).toBeGreaterThan(0);
		await expectSame(engine, memory);
	});

	test('from a state kept after many entries, in the entries or beside them', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory, { stateEvery: { bytes: 1_000_000 } });
		const startedAt = memory.states.length;
		const bytes = new Uint8Array(600_000);
		for (let i = 0; i < 3; i++) {
			bytes[0] = i;
			const headers = { 'content-type': 'application/octet-stream' };
			await engine.call('POST', `/asset/upload?name=${i}.bin`, bytes.slice(), headers);
		}
		await expect.poll(() => memory.states.length).toBeGreaterThan(startedAt);
		await engine.engine.close();
		await expectSame(engine, memory);
	});

	test('from a state kept after much work, in calls and in play', async () => {
		const memory = new JournalMemory();
		let now = 0;
		// Every look at the clock takes a while, so that calls and ticks do.
		const engine = await start(memory, { now: () => (now += 1), stateEvery: { work: 100 } });
		const states = () => memory.states.length;
		const startedAt = states();
		for (let i = 0; i < 100; i++) await engine.spawn({});
		await expect.poll(states).toBeGreaterThan(startedAt);
		const { tick } = engine.engine.worlds.main.world;
		await engine.post('/play', { speed: 8 });
		await expect.poll(() => engine.engine.worlds.main.world.tick).toBeGreaterThan(tick);
		const called = states();
		await expect.poll(states).toBeGreaterThan(called);
		await engine.post('/pause');
		await expectSame(engine, memory);
		await engine.engine.close();
	});

	test('with the reason that a world stopped, until it has moved on', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory);
		const { main } = engine.engine.worlds;
		const spawn = { action: 'spawn', at: { all: 'any' }, count: 1000, mesh: 'cube', position: [0, 0, 0] };
		for (let i = 0; i < 30; i++) await engine.spawn({});
		await engine.must('POST', '/rule/create', { when: 'tick:3', do: [spawn] });
		await engine.post('/play');
		await expect.poll(() => currentHalt(main)?.tick).toBeGreaterThan(0);
		const { tick } = main.world;
		await engine.must('DELETE', '/rule/30');
		await expectSame(engine, memory);
		await engine.post('/reset', { fresh: true });
		expect(currentHalt(main)).toBeUndefined();
		await engine.post('/play');
		await expect.poll(() => main.world.tick).toBeGreaterThan(tick);
		await engine.post('/pause');
		await expectSame(engine, memory);
		await engine.engine.close();
	});

	test('with the files of their first read, against later changes', async () => {
		const memory = new JournalMemory();
		const folder = createMemoryFiles();
		const engine = await start(memory, { files: folder.files });
		await engine.spawn({ position: [1, 2, 3], health: 40 });
		await engine.must('POST', '/level/save', { path: 'level.json' });
		await engine.post('/reset');
		await engine.must('POST', '/level/load', { path: 'level.json' });
		await engine.spawn({ mesh: 'models/none.glb' });
		folder.bytesByPath.clear();
		await expectSame(engine, memory, { files: folder.files });
		expect(folder.bytesByPath.size).toBe(0);
		await engine.engine.close();
	});

	test('with uploaded assets', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory, { stateEvery: { entries: 3 }, now: () => 0 });
		const bytes = new Uint8Array(40_000).fill(65);
		await engine.call('POST', '/asset/upload?name=a.txt', bytes, {
			'content-type': 'application/octet-stream',
		});
		await engine.spawn({});
		const list = await engine.get('/asset/list');
		expect(list.assets.length).toBe(1);
		for (let i = 0; i < 5; i++) {
			const other = await start(copyOf(memory));
			expect(await other.get('/asset/list')).toEqual(list);
			await other.engine.close();
			await engine.spawn({});
		}
		await engine.engine.close();
	});

	test('with the models found at paths, also for worlds without a viewer, against later changes', async () => {
		const memory = new JournalMemory();
		const folder = createMemoryFiles();
		const { files } = folder;
		folder.bytesByPath.set('my/k.glb', await readFile(join('test', 'support', 'models', 'box-meshopt.glb')));
		const engine = await start(memory, { files, stateEvery: { entries: 3 }, now: () => 0 });
		await engine.spawn({ mesh: 'my/k.glb' });
		await engine.must('POST', '/fork', { fork_id: 'f' });
		await engine.must('POST', '/reset', { fresh: true });
		await expect.poll(() => memory.states.at(-1)?.at).toBe(3);
		folder.bytesByPath.clear();
		const assets = async ({ get }: TestEngine) => (await get('/scenario?exact=true&world=f')).exact.assets;
		expect(await assets(engine)).toHaveLength(1);
		const other = await start(memory, { files });
		expect(await assets(other)).toEqual(await assets(engine));
		for (const item of [engine, other]) await item.engine.close();
	});

	test('with snapshots, which are written to the journal once and stay after a cut', async () => {
		class Counting extends MemoryJournal {
			readonly given: string[] = [];
			override keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
				this.given.push(hash);
				return super.keepBlob(hash, bytes);
			}
		}
		const memory = new JournalMemory(1000);
		const journal = new Counting(memory);
		// By a clock that stands still no state takes long enough to be put off.
		const engine = await startEngine({ journal, stateEvery: { entries: 4 }, now: () => 0 });
		const { post, spawn, step } = engine;
		await spawn({ position: [0, 4, 0], physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } });
		await step(3);
		await post('/snapshot', { label: 'high' });
		await post('/fork', { fork_id: 'low' });
		await post('/fork/low/step', { ticks: 9 });
		await post('/snapshot?world=low', { label: 'low' });
		for (let i = 0; i < 40; i++) {
			await step(1);
			// A state is stored beside the calls, which could be done before the first is.
			await engine.engine.rest();
		}
		expect(memory.first).toBeGreaterThan(20);
		expect(journal.given.toSorted()).toEqual([...new Set(journal.given)].sort());
		expect(memory.states.at(-1)!.blobs.toSorted()).toEqual(journal.given.toSorted());
		expect(journal.given.length).toBe(2);
		await expectSame(engine, memory);
		const other = await start(copyOf(memory));
		for (const item of [engine, other]) {
			await item.must('POST', '/snapshot/high/restore');
			await item.step(30);
		}
		expect(await other.future(5)).toEqual(await engine.future(5));
		await other.engine.close();
		await engine.engine.close();
	});

	test('after a cancelled step', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory);
		await engine.spawn({ position: [0, 3, 0], velocity: { linear: [0, 0, 1], angular: [0, 0, 0] } });
		await engine.post('/rule/create', chest);
		for (const path of ['/step', '/batch']) {
			const abort = new AbortController();
			const seen = engine.engine.worlds.main.world.tick;
			const body =
				path === '/step'
					? { ticks: 10_000 }
					: {
							requests: [{ path: '/spawn' }, { path: '/step', body: { ticks: 10_000 } }, { path: '/spawn' }],
						};
			engine.engine.onChange = () => {
				if (engine.engine.worlds.main.world.tick > seen + 10) abort.abort();
			};
			const answer = await engine.engine.handle(requestOf('POST', path, body), abort.signal);
			expect(answer.status).toBe(409);
			expect((await heads(memory)).at(-1)).toMatchObject({ path, stop: { why: 'cancelled' } });
			await expectSame(engine, memory);
		}
		await engine.engine.close();
	});

	test('after a pause during a step', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory);
		await engine.spawn({ position: [0, 3, 0] });
		await engine.post('/play', { speed: 0.5 });
		const seen = engine.engine.worlds.main.world.tick;
		let paused: Promise<unknown> | undefined;
		engine.engine.onChange = () => {
			if (engine.engine.worlds.main.world.tick > seen + 10) paused ??= engine.post('/pause');
		};
		const answer = await engine.post('/step', { ticks: 10_000 });
		expect(answer.stopped).toBe('paused');
		expect(await paused).toMatchObject({ playing: false });
		await expectSame(engine, memory);
		await engine.engine.close();
	});

	test('and refuses a journal with another result, with a clear error', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory);
		await engine.spawn({ gold: 2 });
		await engine.step(1);
		await engine.spawn({ gold: 1 });
		await engine.step(3);
		const changed: JournalEntry[] = memory.entries.map(({ bytes, blobs }) => {
			const text = new TextDecoder('latin1').decode(bytes).replace('"gold":1', '"gold":2');
			return { bytes: Uint8Array.from(text, (char) => char.charCodeAt(0)), blobs };
		});
		memory.entries = changed;
		await expect(start(memory)).rejects.toThrow(
			/entry 3 of the journal \(POST \/step\).*the digest of the world "main".*The digest last matched after entry 1\./,
		);
		expect(memory.entries).toEqual(changed);
		await engine.engine.close();
	});

	test('and refuses an entry that was changed', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory);
		await engine.spawn();
		memory.entries[0]!.bytes[0] = 200;
		await expect(start(memory)).rejects.toThrow(/An entry is damaged/);
		await engine.engine.close();
	});
});

/** A journal whose appends can be made to fail. */
class FailingJournal extends MemoryJournal {
	fault: JournalError | null = null;
	/** True if a failed append was kept all the same. */
	keeps = false;

	override async append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void> {
		if (this.fault === null || this.keeps) await super.append(epoch, at, entries);
		if (this.fault !== null) throw this.fault;
	}
}

test('other work runs while a journal is read, for any number of entries', async () => {
	const memory = new JournalMemory();
	const engine = await start(memory);
	for (let i = 0; i < 20; i++) await engine.spawn();
	await engine.engine.close();
	let clock = 0;
	let turns = 0;
	let again = (): NodeJS.Immediate =>
		setImmediate(() => {
			turns++;
			again();
		});
	again();
	const seen: number[] = [];
	await createEngine({
		journal: new MemoryJournal(memory),
		now: () => (clock += 100),
		replaying: () => seen.push(turns),
	});
	again = () => setImmediate(() => {});
	expect(seen.length).toBeGreaterThanOrEqual(20);
	expect(new Set(seen).size).toBe(seen.length);
});

describe('if the journal fails', () => {
	const full = new JournalError('full', 'The disk is full.');

	/** Waits until the journal works again. */
	const works = ({ engine }: TestEngine): Promise<void> =>
		new Promise((resolve) => {
			engine.onChange = () => {
				if (engine.journalTrouble === null) resolve();
			};
		});

	test.each([false, true])(
		'the call reports it, no more is applied, and the engine resumes later (kept: %s)',
		async (keeps) => {
			const memory = new JournalMemory();
			const journal = new FailingJournal(memory);
			const engine = await startEngine({ journal: journal as Journal });
			await engine.spawn();
			journal.fault = full;
			journal.keeps = keeps;
			const refused = await engine.call('POST', '/spawn', { gold: 1 });
			expect(refused).toMatchObject({ status: 503, body: { code: 'not_kept' } });
			expect(refused.body.message).toContain('The disk is full.');
			expect(engine.engine.journalTrouble).toMatchObject({ message: 'The disk is full.', taken: false });
			const next = await engine.call('POST', '/spawn', { gold: 2 });
			expect(next).toMatchObject({ status: 503, body: { code: 'not_kept', applied: false } });
			expect((await engine.get('/')).entity_count).toBe(2);
			journal.fault = null;
			const worksAgain = works(engine);
			// One of the two waits until the engine tries it again.
			if (keeps) engine.engine.tryJournal();
			await worksAgain;
			await engine.spawn({ gold: 3 });
			expect((await paths(memory)).filter((path) => path !== 'between')).toEqual([
				'/spawn',
				'/spawn',
				'/spawn',
			]);
			await expectSame(engine, memory);
			await engine.engine.close();
		},
	);

	test('a call during reconnection waits for the result, and is applied', async () => {
		const memory = new JournalMemory();
		const journal = new FailingJournal(memory);
		const engine = await startEngine({ journal: journal as Journal });
		journal.fault = full;
		await engine.call('POST', '/spawn', {});
		journal.fault = null;
		engine.engine.tryJournal();
		expect((await engine.call('POST', '/spawn', {})).status).toBe(201);
		expect(engine.engine.journalTrouble).toBeNull();
		await expectSame(engine, memory);
		await engine.engine.close();
	});

	test('an applied call with a key is not applied again, at any time', async () => {
		const memory = new JournalMemory();
		const journal = new FailingJournal(memory);
		const engine = await startEngine({ journal: journal as Journal });
		const headers = { 'content-type': 'application/json', 'idempotency-key': 'k1' };
		const send = () => engine.call('POST', '/spawn', {}, headers);
		journal.fault = full;
		for (let times = 0; times < 2; times++)
			expect(await send()).toMatchObject({ status: 503, body: { code: 'not_kept', applied: true } });
		expect((await engine.get('/journal?key=k1')).call).toEqual({ state: 'running' });
		const another = await engine.call('POST', '/spawn', { gold: 1 }, headers);
		expect(another.body).toMatchObject({ code: 'not_kept', applied: false });
		journal.fault = null;
		engine.engine.tryJournal();
		// The way to the journal is there again, and what it says is not.
		const reply = await send();
		expect(reply).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
		expect((await send()).body).toEqual(reply.body);
		expect((await engine.get('/')).entity_count).toBe(1);
		await expectSame(engine, memory);
		await engine.engine.close();
	});

	test('a journal that becomes unreadable is reported, and the world still answers', async () => {
		class Damaged extends MemoryJournal {
			damaged = false;
			override read(from: number, most: number): Promise<readonly JournalEntry[]> {
				if (this.damaged)
					return Promise.reject(new JournalError('damaged', 'The file is damaged at byte 48.'));
				return super.read(from, most);
			}
		}
		const journal = new Damaged(new JournalMemory());
		const engine = await startEngine({ journal: journal as Journal });
		await engine.spawn();
		await engine.post('/step', { ticks: 3 });
		journal.damaged = true;
		const refusal = {
			status: 503,
			body: { code: 'journal_unreadable', error: 'The file is damaged at byte 48.' },
		};
		expect(await engine.call('GET', '/history')).toMatchObject(refusal);
		expect(await engine.call('POST', '/history/fork', { fork_id: 'then', tick: 1 })).toMatchObject(refusal);
		expect(await engine.call('POST', '/history/fork', { fork_id: 'then', entry: 0 })).toMatchObject(refusal);
		expect((await engine.call('POST', '/step', { ticks: 1 })).body).toMatchObject({ ok: true, new_tick: 4 });
		await engine.engine.close();
	});

	test('another engine that acquires it has the world', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory);
		await engine.spawn();
		await new MemoryJournal(memory).acquire();
		expect((await engine.call('POST', '/spawn', {})).body).toMatchObject({ code: 'not_kept', applied: true });
		expect((await engine.call('POST', '/spawn', {})).body).toMatchObject({
			code: 'not_kept',
			applied: false,
		});
		expect(engine.engine.journalTrouble?.taken).toBe(true);
		expect(memory.entries.length).toBe(1);
		await engine.engine.close();
	});
});

describe('a call with a key', () => {
	const keyed = (key: string) => ({ 'content-type': 'application/json', 'idempotency-key': key });

	test('is applied once and answered every time, by another engine too', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory);
		const send = (to: TestEngine, gold: number, key = 'k1') =>
			to.call('POST', '/spawn', { gold }, keyed(key));
		const all = await Promise.all([send(engine, 1), send(engine, 1), send(engine, 1)]);
		expect(all.map(({ body }) => body)).toEqual([all[0]!.body, all[0]!.body, all[0]!.body]);
		expect(all.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true', 'true']);
		expect((await engine.get('/')).entity_count).toBe(1);
		expect(await send(engine, 2)).toMatchObject({ status: 422, body: { code: 'bad_key' } });
		expect(await send(engine, 2, 'not one')).toMatchObject({ status: 422, body: { code: 'bad_key' } });
		expect((await send(engine, 2, 'k2')).body.id).toBe(1);
		const other = await start(memory);
		const reply = await send(other, 1);
		expect(reply.body).toEqual(all[0]!.body);
		expect(reply.headers['idempotency-replayed']).toBe('true');
		expect(await send(other, 2)).toMatchObject({ status: 422 });
		await other.engine.close();
		await engine.engine.close();
	});

	test('that was refused may be sent again', async () => {
		const engine = await start(new JournalMemory());
		const send = () => engine.call('POST', '/fork/plan/step', { ticks: 1 }, keyed('k'));
		expect((await send()).body.code).toBe('unknown_fork');
		await engine.post('/fork', { fork_id: 'plan' });
		expect((await send()).body.ok).toBe(true);
		await engine.engine.close();
	});

	test('is known for a day, also in a state', async () => {
		const memory = new JournalMemory();
		let clock = 1_000_000;
		const more = { clock: () => clock, stateEvery: { entries: 2 }, now: () => 0 };
		const engine = await start(memory, more);
		await engine.call('POST', '/spawn', { gold: 1 }, keyed('k'));
		for (let i = 0; i < 4; i++) await engine.spawn();
		clock += 86_400_000;
		const other = await start(memory, more);
		expect((await other.call('POST', '/spawn', { gold: 1 }, keyed('k'))).body.id).toBe(0);
		clock += 1;
		expect((await other.call('POST', '/spawn', { gold: 1 }, keyed('k'))).body.id).toBe(5);
		await other.engine.close();
		await engine.engine.close();
	});
});

describe('the routes of the journal', () => {
	test.each([getJournal, getHistory, forkHistory])(
		'$path answers as in its examples and its schema',
		async (route) => {
			const { engine, must } = await start(new JournalMemory());
			await must('POST', '/step', { ticks: 2 });
			await must('POST', '/batch', { requests: [{ path: '/fork', body: { fork_id: 'a' } }] });
			await must('DELETE', '/fork/a');
			for (const { path, body } of route.examples) {
				const answer = await must(route.method, path ?? route.path, body);
				expect(route.answer.safeParse(answer).error).toBeUndefined();
			}
			await engine.close();
		},
	);

	test('GET /journal reports stored entries and the result of a call', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory, { clock: () => 1_700_000_000_000 });
		const headers = { 'content-type': 'application/json', 'idempotency-key': 'move-1' };
		await engine.call('POST', '/step', { ticks: 4 }, headers);
		const status = await engine.get('/journal?key=move-1');
		expect(status).toMatchObject({ works: true, message: null, first: 0, next: 1, states: [0] });
		expect(status.call).toEqual({
			state: 'applied',
			entry: 0,
			applied_at: '2023-11-14T22:13:20.000Z',
			status: 200,
			world: 'main',
			tick: 4,
			state_digest: await engine.digest(),
		});
		expect((await engine.get('/journal?key=move-2')).call).toEqual({ state: 'unknown' });
		await engine.engine.close();
	});

	test("GET /journal?key= of a call on a fork has that fork's position after it, also after a restart", async () => {
		const memory = new JournalMemory();
		const engine = await start(memory);
		await engine.spawn();
		await engine.post('/fork', { fork_id: 'plan' });
		const headers = (key: string) => ({ 'content-type': 'application/json', 'idempotency-key': key });
		const { body } = await engine.call('POST', '/fork/plan/step', { ticks: 3 }, headers('step'));
		const of = async (one: TestEngine, key: string) => (await one.get(`/journal?key=${key}`)).call;
		const stepped = { state: 'applied', world: 'plan', tick: 3, state_digest: body.state_digest };
		expect(await of(engine, 'step')).toMatchObject(stepped);
		await engine.call('POST', '/fork/plan/promote', {}, headers('promote'));
		const promoted = { state: 'applied', world: 'main', tick: 3, state_digest: body.state_digest };
		expect(await of(engine, 'promote')).toMatchObject(promoted);
		await engine.engine.close();
		const again = await start(memory);
		expect(await of(again, 'step')).toMatchObject(stepped);
		expect(await of(again, 'promote')).toMatchObject(promoted);
		await again.engine.close();
	});

	test('GET /history lists applied calls, filtered and in pages', async () => {
		const engine = await start(new JournalMemory());
		const headers = { 'content-type': 'application/json', 'x-agent': 'ada' };
		await engine.spawn({});
		await engine.call('POST', '/step', { ticks: 3 }, headers);
		await engine.post('/fork', { fork_id: 'plan' });
		await engine.call('POST', '/fork/plan/step', { ticks: 5 }, headers);
		await engine.remove('/fork/plan');
		const entries = async (query = '') =>
			((await engine.get(`/history${query}`)) as { lines: { entry: number }[] }).lines.map(
				({ entry }) => entry,
			);
		expect(await entries()).toEqual([0, 1, 2, 3, 4]);
		expect(await entries('?of=plan')).toEqual([2, 3, 4]);
		expect(await entries('?sender=ada')).toEqual([1, 3]);
		expect(await entries('?path=/fork')).toEqual([2, 3, 4]);
		expect(await entries('?from_tick=4')).toEqual([3]);
		expect(await entries('?of=main&to_tick=2')).toEqual([0]);
		const page = await engine.get('/history?limit=2');
		expect(page).toMatchObject({ count: 2, next: 2 });
		expect(page.lines[1]).toMatchObject({
			kind: 'call',
			sender: 'ada',
			path: '/step',
			worlds: [{ world: 'main', tick: 3, state_digest: await engine.digest() }],
		});
		expect(await engine.get('/history?limit=3&from=2')).toMatchObject({ count: 3, next: null });
		await engine.engine.close();
	});

	test('POST /history/fork makes a fork of any tick, within a call too', async () => {
		const memory = new JournalMemory();
		const engine = await start(memory, { stateEvery: { entries: 4 }, now: () => 0 });
		await engine.post('/rule/create', chest);
		await engine.spawn({ tags: ['hero'], gold: 0, position: [0, 9, 0], physics_body: 'Dynamic' });
		const digests = [await engine.digest()];
		for (let i = 0; i < 3; i++) digests.push(...(await engine.future(2)));
		await engine.spawn({ gold: 5 });
		const atSix = await engine.digest();
		await engine.post('/fork', { fork_id: 'twin' });
		await engine.post('/step', { ticks: 4 });
		const more = await engine.future(4, 'twin');
		for (const [tick, digest] of digests.entries()) {
			const answer = await engine.must('POST', '/history/fork', { fork_id: `at${tick}`, tick });
			expect(answer).toMatchObject({ tick, state_digest: tick === 6 ? atSix : digest });
		}
		for (const [at, digest] of more.entries()) {
			const answer = await engine.must('POST', '/history/fork', { fork_id: `in${at}`, tick: 7 + at });
			expect(answer.state_digest).toBe(digest);
		}
		expect(await engine.future(1, 'in0')).toEqual([more[1]]);
		expect(await engine.must('POST', '/history/fork', { fork_id: 'first', entry: 0 })).toMatchObject({
			entry: 0,
			entity_count: 1,
		});
		expect((await engine.post('/history/fork', { fork_id: 'never', tick: 99 })).code).toBe('no_moment');
		expect((await engine.post('/history/fork', { fork_id: 'never', entry: 999 })).code).toBe('no_moment');
		expect((await engine.post('/history/fork', { fork_id: 'never' })).code).toBe('invalid_body');
		await engine.engine.close();
		await expectSame(engine, memory);
	});

	test('others write while a fork of the past is made, and it has only earlier calls', async () => {
		const memory = new JournalMemory();
		const held = Promise.withResolvers<void>();
		let asked = 0;
		const journal = new (class extends MemoryJournal {
			override async state(before?: number) {
				asked++;
				await held.promise;
				return super.state(before);
			}
		})(memory);
		const engine = await startEngine({ journal });
		await engine.post('/spawn', { gold: 1 });
		const stepping = engine.post('/step', { ticks: 3 });
		const forking = engine.post('/history/fork', { fork_id: 'then', tick: 3 });
		const second = engine.post('/history/fork', { fork_id: 'second', tick: 1 });
		const left = new AbortController();
		const third = engine.engine.handle(
			requestOf('POST', '/history/fork', { fork_id: 'third', tick: 1 }),
			left.signal,
		);
		const { state_digest } = await stepping;
		expect((await engine.post('/spawn', { gold: 2 })).ok).toBe(true);
		expect((await engine.post('/step', { ticks: 2 })).new_tick).toBe(5);
		await expect.poll(() => asked).toBe(1);
		expect((await engine.get('/calls')).calls).toMatchObject([
			{ path: '/history/fork', state: 'running' },
			{ path: '/history/fork', state: 'waiting' },
			{ path: '/history/fork', state: 'waiting' },
		]);
		left.abort();
		expect(JSON.parse(new TextDecoder().decode((await third).body)).code).toBe('cancelled');
		held.resolve();
		expect(await forking).toMatchObject({ ok: true, tick: 3, state_digest });
		expect(await second).toMatchObject({ ok: true, tick: 1 });
		expect(asked).toBe(2);
		await engine.engine.close();
		await expectSame(engine, memory);
	});

	test.each(['state', 'read', 'blob'] as const)(
		'a cancelled fork of the past reports it (%s)',
		async (what) => {
			const memory = new JournalMemory();
			const held = Promise.withResolvers<void>();
			const asked = Promise.withResolvers<void>();
			let holds = false;
			const hold = async (now: string): Promise<void> => {
				if (!holds || now !== what) return;
				asked.resolve();
				await held.promise;
			};
			const journal = new (class extends MemoryJournal {
				override async state(at?: number) {
					await hold('state');
					return super.state(at);
				}
				override async read(from: number, most: number) {
					await hold('read');
					return super.read(from, most);
				}
				override async blob(hash: string) {
					await hold('blob');
					return super.blob(hash);
				}
			})(memory);
			const engine = await startEngine({ journal, stateEvery: { entries: 4 }, now: () => 0 });
			await engine.must('POST', '/snapshot', { label: 'x' });
			for (let i = 0; i < 3; i++) await engine.must('POST', '/spawn');
			await engine.engine.rest();
			await engine.must('POST', '/snapshot/x/restore');
			for (let i = 0; i < 4; i++) await engine.must('POST', '/spawn');
			await engine.engine.rest();
			expect((await engine.get('/journal')).states).toEqual([0, 4, 8]);
			holds = true;
			const forking = engine.post('/history/fork', { fork_id: 'then', entry: 5 });
			await asked.promise;
			// As what is written meanwhile makes a full journal do.
			Object.assign(memory, {
				first: 8,
				states: memory.states.filter(({ at }) => at === 8),
				entries: memory.entries.slice(8),
			});
			memory.blobs.clear();
			held.resolve();
			expect(await forking).toMatchObject({ ok: false, code: 'journal_cut' });
			await engine.engine.close();
		},
	);

	test('a fork of a tick that redo or a snapshot skipped is of its first visit', async () => {
		const engine = await start(new JournalMemory());
		await engine.spawn({ position: [0, 9, 0], physics_body: 'Dynamic' });
		await engine.must('POST', '/fork', { fork_id: 'twin' });
		await engine.step(20);
		await engine.must('POST', '/snapshot', { label: 'late' });
		await engine.must('POST', '/undo');
		await engine.must('POST', '/redo');
		const digests = await engine.future(10, 'twin');
		const forkOf = (fork_id: string) => engine.must('POST', '/history/fork', { fork_id, tick: 10 });
		expect((await forkOf('redone')).state_digest).toBe(digests.at(-1));
		await engine.must('POST', '/reset');
		await engine.must('POST', '/snapshot/late/restore');
		expect((await forkOf('restored')).state_digest).toBe(digests.at(-1));
		await engine.engine.close();
	});
});

describe('agents that have signed in', () => {
	const startGated = async (memory: JournalMemory, more: EngineSettings = {}) => {
		const engine = await start(memory, { gated: true, ...more });
		engine.engine.setRelayServices(WRITERS);
		const as = (agent: string, method: string, path: string, body?: object) =>
			engine.call(method, path, body, {
				authorization: `Bearer ${agent}`,
				...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
			});
		return { engine, as };
	};

	test('alternate: long calls of one end while another waits, and a replay ends them at the same place', async () => {
		const memory = new JournalMemory();
		const { engine, as } = await startGated(memory, { turnMs: 1 });
		await as('ada', 'POST', '/fork', { fork_id: 'a' });
		const done: string[] = [];
		const steps = Array.from({ length: 9 }, () =>
			as('ada', 'POST', '/fork/a/step', { ticks: 10_000 }).finally(() => done.push('ada')),
		);
		const spawned = as('bob', 'POST', '/spawn', { gold: 1 }).finally(() => done.push('bob'));
		const [first] = await Promise.all([...steps, spawned]);
		expect(done.indexOf('bob')).toBeLessThan(2);
		expect(first!.body).toMatchObject({ ok: false, code: 'cancelled' });
		expect(first!.body.message).toContain('calls of others wait');
		expect(first!.body.ticks_advanced).toBeGreaterThan(0);
		await expectSame(engine, memory);
		await engine.engine.close();
	});

	test('leave places for each other', async () => {
		const { engine, as } = await startGated(new JournalMemory());
		const flood = Array.from({ length: 200 }, () => as('ada', 'POST', '/step', { ticks: 100 }));
		expect((await as('bob', 'POST', '/spawn', {})).status).toBe(201);
		const codes = (await Promise.all(flood)).map(({ body }) => body.code);
		expect(codes.filter((code) => code === 'too_many_calls').length).toBeGreaterThan(50);
		await engine.engine.close();
	});

	/** SHA-256 of the bytes that are uploaded. */
	const HERS = createHash('sha256').update('hers').digest('hex');

	test('own after a replay, and after a state, what they owned before', async () => {
		const memory = new JournalMemory();
		for (const entries of [1000, 1]) {
			const { engine, as } = await startGated(memory, { stateEvery: { entries }, now: () => 0 });
			const { id } = (await as('ada', 'POST', '/spawn', { gold: 1 })).body;
			const fork_id = `of-ada-${entries}`;
			expect((await as('ada', 'POST', '/fork', { fork_id })).body.ok).toBe(true);
			await as('ada', 'POST', '/tag', { entity_id: id, add: ['mine'] });
			const label = `hers-${entries}`;
			for (const [path, body] of [
				['/template/create', { name: label }],
				['/snapshot', { label }],
				['/asset/upload?name=hers.bin', { data: 'aGVycw==' }],
			] as const)
				expect((await as('ada', 'POST', path, body)).body.ok, path).toBe(true);
			await engine.engine.close();

			const other = await start(copyOf(memory), { gated: true });
			other.engine.setRelayServices(WRITERS);
			const headers = { authorization: 'Bearer bob' };
			for (const path of [`/fork/${fork_id}`, `/template/${label}`, `/snapshot/${label}`, `/asset/${HERS}`])
				expect((await other.call('DELETE', path, undefined, headers)).body.code, path).toBe('not_owner');
			const tag = { entity_id: id, add: ['stolen'] };
			const json = { ...headers, 'content-type': 'application/json' };
			expect((await other.call('POST', '/tag', tag, json)).body.code).toBe('not_owner');
			await other.engine.close();
		}
	});
});
