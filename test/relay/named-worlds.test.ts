/**
 * Named worlds beside main: each has its own engine, journal and forks.
 * Owns: creating, calling and deleting them, names, limits, and the worlds affected by the end of a thread.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Relay, startRelay } from '../../relay/server.ts';
import { EngineWorkers } from '../../relay/thread/engine-workers.ts';
import { IDENTITY_HEADER, type WireRequest } from '../../shared/contract/wire.ts';
import { httpHandle } from '../../shared/transport/client.ts';
import type { RelayTab } from '../../web/host/relay-tab.ts';
import { answerDraw } from '../../web/host/remote-view.ts';
import type { ViewLink } from '../../web/host/view-link.ts';
import { clientOf, startEngine, type TestClient } from '../support/engine.ts';
import { type EventWatch, watchEvents } from '../support/event-source.ts';
import { PATIENCE } from '../support/patience.ts';
import { PIXEL } from '../support/pixel.ts';
import { type JournalTab, openJournalTab } from './journal-tab.ts';

/** A world that is never deleted, so that the threads keep running. */
const ANCHOR = 'anchor';
const PATIENT = { timeout: 10_000, interval: 20 };

let data: string;
let relay: Relay;
let tab: JournalTab;
let client: TestClient;
const lines: string[] = [];
/** A test's callback for when the engine of main has left. */
let onLeft = (): void => {};
/** View of main's engine; null unless a test sets one. */
let view: ViewLink | null = null;
const draw = (request: WireRequest, { link }: RelayTab) => answerDraw(view, link.relayServices, request);

beforeAll(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-worlds-'));
	relay = await startRelay({
		port: 0,
		data,
		page: { html: async () => '<!doctype html><html><head></head><body></body></html>', serve: () => false },
		workers: new EngineWorkers(2),
		worldLimits: { worlds: 4, worldBytes: 2 ** 28, worldsBytes: 3 * 2 ** 28, shortIdleWait: 1000 },
		say: (sentence) => lines.push(sentence),
		limits: { returnWait: 50, tabWait: PATIENCE },
		onTab: ({ kind }) => kind === 'left' && onLeft(),
	});
	tab = await openJournalTab(relay.url, { draw });
	await tab.engine;
	client = clientOf(httpHandle(relay.url));
	await client.must('POST', '/worlds', { name: ANCHOR });
});
afterEach(async () => {
	for (const { name } of (await client.get('/worlds')).worlds)
		if (name !== ANCHOR) await client.must('DELETE', `/worlds/${name}`);
	await client.must('POST', '/reset', { fresh: true });
});
afterAll(async () => {
	tab.kill();
	await relay.close();
	await rm(data, { recursive: true, force: true });
});

/** Plays a game with chance for some ticks. Returns its digest. */
async function play({ must }: TestClient, query = ''): Promise<unknown> {
	const body = { health: 50, gold: 0, physics_body: 'Dynamic', position: [0, 5, 0] };
	await must('POST', `/spawn${query}`, body);
	const pay = { action: 'add_field', target: { entity: 0 }, field: 'gold', value: 1 };
	const outcomes = [
		{ label: 'win', weight: 1, do: [pay] },
		{ label: 'lose', weight: 1 },
	];
	await must('POST', `/rule/create${query}`, { when: { kind: 'tick', every: 1 }, outcomes });
	return (await must('POST', `/step${query}`, { ticks: 30 })).state_digest;
}

test('a named world plays like a separate engine, beside main and other worlds, and has its own forks', async () => {
	const { must, get, call, digest } = client;
	const expected = await play(await startEngine({ seed: 7 }));
	const empty = await digest();
	for (const [name, seed] of [
		['arena', 7],
		['other', 8],
	])
		expect(await must('POST', '/worlds', { name, seed })).toMatchObject({ name, seed, owner: null });
	expect(await play(client, '?world=arena')).toBe(expected);
	expect(await play(client, '?world=other')).not.toBe(expected);
	expect(await digest()).toBe(empty);
	await must('POST', '/fork?world=arena', { fork_id: 'plan' });
	await must('POST', '/step?world=arena/plan', { ticks: 3 });
	await must('POST', '/fork/plan/step?world=arena', { ticks: 2 });
	expect((await get('/digest?world=arena/plan')).tick).toBe(35);
	expect((await get('/fork/list?world=arena')).forks).toEqual(['plan']);
	expect((await get('/fork/list')).forks).toEqual([]);
	expect(await digest('arena')).toBe(expected);
	expect(await get('/?world=arena')).toMatchObject({ tick: 30, journal: { works: true } });
	const identities = await Promise.all(
		['?world=arena', '?world=other', ''].map(
			async (query) => (await call('GET', `/${query}`)).headers[IDENTITY_HEADER],
		),
	);
	expect(new Set(identities).size).toBe(3);
	expect(await get('/worlds')).toMatchObject({
		count: 3,
		worlds: [{ name: ANCHOR }, { name: 'arena', awake: true }, { name: 'other' }],
	});
	const events = await watchEvents(`${relay.url}/events/stream?world=arena`);
	await must('DELETE', '/worlds/arena');
	events.close();
	const gone = { status: 404, body: { code: 'unknown_world' } };
	expect(await call('GET', '/digest?world=arena/plan')).toMatchObject(gone);
	// A new world with the name is another world.
	await must('POST', '/worlds', { name: 'arena' });
	expect(await get('/?world=arena')).toMatchObject({ tick: 0, entity_count: 0 });
});

test('worlds and forks of main share one namespace, and impossible names are refused with a fix', async () => {
	const { must, post, remove, call, get } = client;
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/worlds', { name: 'arena' });
	expect(await post('/worlds', { name: 'plan' })).toMatchObject({ code: 'world_exists' });
	expect(await post('/worlds', { name: 'arena' })).toMatchObject({ code: 'world_exists' });
	const forkExists = { code: 'fork_exists', fix: expect.stringContaining('fork_id') };
	expect(await post('/fork', { fork_id: 'arena' })).toMatchObject(forkExists);
	const steps = await post('/fork/step', {
		steps: [{ fork_id: 'arena', from: 'main' }, { fork_id: 'plan' }],
	});
	expect(steps.rows).toMatchObject([{ ok: false, error: forkExists }, { ok: true }]);
	const inner = { requests: [{ path: '/step?world=arena', body: {} }] };
	expect(JSON.stringify(await post('/batch', inner))).toContain('?world=arena');
	expect(await post('/worlds', { name: 'Two Words' })).toMatchObject({ code: 'invalid_body', path: 'name' });
	expect(await remove('/worlds/main')).toMatchObject({ code: 'main_stays' });
	expect(await remove('/worlds/arenna')).toMatchObject({ code: 'unknown_world' });
	const noFork = { code: 'unknown_fork', fix: expect.stringContaining('?world=arena') };
	expect(await post('/fork', { fork_id: 'copy', from: 'arena' })).toMatchObject(noFork);
	expect(await get('/fork/arena/observe')).toMatchObject(noFork);
	const unknown = async (world: string) => (await get(`/digest?world=${world}`)).fix;
	expect(await unknown('arenna')).toBe('Did you mean "arena"?');
	expect(await unknown('main/plan')).toBe('Did you mean "plan"?');
	expect(await unknown('zebra')).toBe(`Use one of: main, plan, ${ANCHOR}, arena.`);
	expect(await call('GET', '/digest?world=arena&world=plan')).toMatchObject({ status: 400 });
	await must('POST', '/worlds', { name: 'second' });
	await must('POST', '/worlds', { name: 'third' });
	expect(await post('/worlds', { name: 'fourth' })).toMatchObject({ code: 'too_many_worlds' });
	// The refusal of a fork is in main's journal, and is the same after a replay.
	const digest = await client.digest('plan');
	const gone = new Promise<void>((resolve) => {
		onLeft = resolve;
	});
	tab.kill();
	await gone;
	tab = await openJournalTab(relay.url, { draw });
	expect(await client.digest('plan')).toBe(digest);
	expect((await get('/fork/list')).forks).toEqual(['plan']);
	expect(await post('/fork', { fork_id: 'second' })).toMatchObject(forkExists);
});

test('a repeated call with a key creates one world and steps it once', async () => {
	const twice = async (path: string, body: object) => {
		const headers = { 'content-type': 'application/json', 'idempotency-key': path };
		return Promise.all([1, 2].map(async () => (await client.call('POST', path, body, headers)).body));
	};
	const [firstAnswer, repeatedAnswer] = await twice('/worlds', { name: 'arena' });
	expect(repeatedAnswer).toEqual(firstAnswer);
	await twice('/step?world=arena', { ticks: 2 });
	expect((await client.get('/digest?world=arena')).tick).toBe(2);
});

test("the browser of main's engine takes pictures of any world with its assets, and without a browser they are refused", async () => {
	const { must, call, post, digest } = client;
	await must('POST', '/worlds', { name: 'arena' });
	const { hash } = await must('POST', '/asset/upload?name=textures/pixel.png&world=arena', { data: PIXEL });
	await must('POST', '/spawn?world=arena', { mesh: 'cube', position: [0, 0, 0] });
	const refused = { status: 503, body: { code: 'no_picture' } };
	expect(await call('GET', '/screenshot?world=arena')).toMatchObject(refused);
	const step = { ticks: 3, capture: [{ at: 3, picture: { width: 16, height: 16 } }] };
	expect(await post('/step?world=arena', step)).toMatchObject({ code: 'no_picture' });
	expect((await client.get('/digest?world=arena')).tick).toBe(0);
	const draws: unknown[] = [];
	view = {
		draw: async (...[{ rows }, { width }, find]: Parameters<ViewLink['draw']>) => {
			draws.push([rows.ids.length, width, (await find!(String(hash)))?.length, await find!('0')]);
			return { bytes: new Uint8Array([1, 2, 3]) };
		},
	} as unknown as ViewLink;
	const { headers, body } = await httpHandle(relay.url)({
		method: 'GET',
		path: '/screenshot',
		query: 'world=arena&width=32&height=16',
		headers: { accept: 'image/png' },
		body: new Uint8Array(),
	});
	view = null;
	expect([...body]).toEqual([1, 2, 3]);
	expect(headers).toMatchObject({ 'content-type': 'image/png', 'x-orrery-digest': await digest('arena') });
	expect(draws).toEqual([[1, 32, Buffer.from(PIXEL, 'base64').length, null]]);
});

test('after the engine of a world ends, the worlds of its thread resume, and no others are affected', async () => {
	const { must, call, digest } = client;
	const names = ['one', 'two', 'three'];
	for (const name of names) await must('POST', '/worlds', { name });
	const digests: unknown[] = [];
	// The third shares the thread of the first.
	for (const name of names) digests.push(await play(client, `?world=${name}`));
	lines.length = 0;
	const { headers } = await call('GET', '/health?world=one');
	await must('DELETE', `/engine/worker/${headers[IDENTITY_HEADER]}?world=one`);
	expect(await Promise.all(names.map((name) => digest(name)))).toEqual(digests);
	expect(lines).toEqual(['The thread of the world "three" was ended by a caller; a new one is starting.']);
});

test('a world without an engine takes the engine of an idle world, and a busy world keeps its engine', async () => {
	const { must, digest, call, get } = client;
	const streams: EventWatch[] = [];
	for (const name of ['one', 'two', 'three']) {
		await must('POST', '/worlds', { name });
		await must('POST', `/spawn?world=${name}`, {});
		streams.push(await watchEvents(`${relay.url}/events/stream?world=${name}`));
	}
	const wake = () => call('GET', `/digest?world=${ANCHOR}`);
	const busyRefusal = { code: 'busy', fix: expect.stringContaining('--worlds-memory') };
	expect(await wake()).toMatchObject({ status: 503, body: busyRefusal });
	const digestBefore = await digest('one');
	streams[0]!.close();
	await expect.poll(async () => (await wake()).status, PATIENT).toBe(200);
	expect((await get('/worlds')).worlds).toMatchObject([
		{ awake: true },
		{ name: 'one', awake: false },
		{},
		{},
	]);
	streams[1]!.close();
	await expect.poll(() => digest('one'), PATIENT).toBe(digestBefore);
	streams[2]!.close();
});
