/**
 * `npm start -- --engine node` and `--bare`: the engine in a thread of the server, without a browser.
 * Owns: that it is the same engine as in the tab, but for pictures, and that it survives the end of its thread.
 */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IDENTITY_HEADER } from '../../shared/contract/wire.ts';
import { httpHandle } from '../../shared/transport/client.ts';
import { JournalMemory, MemoryJournal } from '../../shared/transport/memory-journal.ts';
import { createEngine } from '../../web/host/engine.ts';
import { apartFromMemory, clientOf, type Json, type TestClient, testEngine } from '../support/engine.ts';
import { goldenGame } from '../support/scenes.ts';
import { times } from '../support/seed.ts';
import { describeBareHost } from './bare-host.ts';
import { type Started, type StartSettings, startOrrery } from './browser/start.ts';

/** Scripts, templates, input, chance, forks, paths and the journal. */
const CALLS: readonly (readonly [path: string, body: object])[] = [
	['/reset', { fresh: true, seed: 3 }],
	['/spawn', { player: true, health: 10, position: [0, 0, 0], physics_body: 'Kinematic' }],
	['/script/load', { entity_id: 0, source: 'function on_update(me) engine.set_velocity(me, 0, 3, 0) end' }],
	[
		'/template/create',
		{ name: 'orc', health: 9, physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } },
	],
	['/template/spawn', { name: 'orc', position: [5, 3, 5] }],
	['/input/press', { entity_id: 0, key: 'ArrowRight', hold: true }],
	[
		'/rule/create',
		{
			name: 'coin',
			when: { kind: 'tick', every: 1 },
			outcomes: [
				{
					label: 'heads',
					weight: 1,
					do: [{ action: 'add_field', target: { entity: 1 }, field: 'gold', value: 1 }],
				},
				{ label: 'tails', weight: 1 },
			],
		},
	],
	['/peek', {}],
	['/fork', { fork_id: 'plan' }],
	['/step', { ticks: 20 }],
	['/fork/plan/step', { ticks: 20 }],
	['/history/fork', { fork_id: 'then', tick: 5 }],
	['/entity/damage', { entity_id: 0, amount: 1 }],
	['/undo', {}],
	['/step', { ticks: 20 }],
];

/** Returns an answer without what depends on the journal and on memory. */
const comparable = (answer: Json) => apartFromMemory({ ...answer, entry: undefined });

/** Starts a server that fails if it looks for this browser. */
const startWithoutBrowser = (flags: readonly string[], settings: StartSettings = {}) =>
	startOrrery(flags, { program: '/no/browser', ...settings });

describe('npm start -- --engine node', () => {
	let data: string;
	let orrery: Started;
	let client: TestClient;

	beforeAll(async () => {
		data = await mkdtemp(join(tmpdir(), 'orrery-node-'));
		orrery = await startWithoutBrowser(['--engine', 'node', '--seed', '1'], { data });
		client = clientOf(httpHandle(orrery.url));
	});
	const startAgain = () =>
		startWithoutBrowser(['--engine', 'node'], { data, port: Number(new URL(orrery.url).port) });
	afterAll(async () => {
		await orrery?.stop();
		await rm(data, { recursive: true, force: true });
	});

	test('plays a game as its golden trace says', async () => {
		const { must, post } = client;
		await must('POST', '/scenario', goldenGame('arena').document);
		const trace = readFileSync(join(import.meta.dirname, 'golden/arena.golden.txt'), 'utf8');
		const lines = [...trace.matchAll(/^ *(\d+) ([0-9a-f]{16})$/gm)].slice(0, times(1));
		let tick = 0;
		for (const [, at, digest] of lines) {
			const { state_digest } = await post('/step', { ticks: Number(at) - tick });
			expect([at, state_digest]).toEqual([at, digest]);
			tick = Number(at);
		}
	});

	test('resumes in another thread after a caller ends its engine, and after a restart', async () => {
		const { call, get, must, digest } = client;
		const before = await digest();
		// The client of the other calls would send it again.
		const busy = fetch(`${orrery.url}/step`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"ticks":10000}',
		});
		while ((await get('/calls')).calls.length === 0);
		const { headers } = await call('GET', '/health');
		await must('DELETE', `/engine/worker/${headers[IDENTITY_HEADER]}`);
		expect(await (await busy).json()).toMatchObject({ code: 'engine_lost' });
		expect(await digest()).toBe(before);
		await orrery.stop();
		orrery = await startAgain();
		expect(await digest()).toBe(before);
	});

	test('named worlds and their forks resume after the server is killed, each like an undisturbed one', async () => {
		const own = testEngine(await createEngine({ seed: 5 }));
		const { must, get } = client;
		const names = ['one', 'two'];
		for (const name of names) await must('POST', '/worlds', { name, seed: 5 });
		const both = async (path: string, body: object) => {
			await own.must('POST', path, body);
			for (const name of names) await must('POST', `${path}?world=${name}`, body);
		};
		for (const [path, body] of CALLS.slice(1, 9)) await both(path, body);
		await both('/step', { ticks: 20 });
		await orrery.kill();
		orrery = await startAgain();
		expect(await get('/worlds')).toMatchObject({ worlds: names.map((name) => ({ name, awake: false })) });
		const future = await own.future(5, 'plan');
		for (const name of names) {
			expect(await client.digest(name)).toBe(await own.digest());
			expect(await client.future(5, `${name}/plan`)).toEqual(future);
			await must('DELETE', `/worlds/${name}`);
		}
		await own.engine.close();
	});

	test('answers as an engine in the same process does', async () => {
		await client.must('POST', '/reset', { fresh: true });
		const own = testEngine(await createEngine({ journal: new MemoryJournal(new JournalMemory()) }));
		for (const [path, body] of CALLS) {
			const [there, here] = await Promise.all([
				client.must('POST', path, body),
				own.must('POST', path, body),
			]);
			expect(comparable(there), path).toEqual(comparable(here));
		}
		expect((await client.position(0))[1]).toBeGreaterThan(1.9);
		await own.engine.close();
	});

	test('reports where it runs, and gives pages their frames', async () => {
		expect(await client.get('/')).toMatchObject({
			runs_in: 'node',
			profile: 'full',
			journal: { works: true },
		});
		expect((await client.call('GET', '/frame?world=main')).status).toBe(200);
	});

	test('refuses pictures and names the fix', async () => {
		const refused = { ok: false, fix: expect.stringContaining('npx orrery start --headless') };
		expect(await client.call('GET', '/screenshot')).toMatchObject({ status: 503, body: refused });
		expect(await client.get('/engine/gpu')).toMatchObject({ ...refused, code: 'no_gpu' });
	});
});

describe('npm start -- --bare', () => {
	let orrery: Started;
	beforeAll(async () => {
		orrery = await startWithoutBrowser(['--bare']);
	});
	afterAll(() => orrery?.stop());

	describeBareHost('is a bare host, in Node', async () => {
		const client = clientOf(httpHandle(orrery.url));
		expect(await client.get('/')).toMatchObject({ runs_in: 'node', profile: 'bare' });
		for (const { label } of (await client.get('/snapshot/list')).snapshots)
			await client.remove(`/snapshot/${label}`);
		await client.post('/reset', { fresh: true, seed: 0 });
		return client;
	});
});
