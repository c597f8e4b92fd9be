/**
 * The lease of the world over sockets, with pages and engines in Node: visitors, engines in long computations,
 * hanging engines, and the answers of GET /.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { TabEvent } from '../../relay/ownership.ts';
import { type Relay, type RelayLimits, startRelay } from '../../relay/server.ts';
import type { PageSource } from '../../relay/static-page.ts';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { endEngine } from '../../shared/routes/operations.ts';
import { decodeFrames, encodeFrames, LINK_VERSION, type LinkFrame } from '../../shared/transport/link.ts';
import { MemoryJournal } from '../../shared/transport/memory-journal.ts';
import { startEngine } from '../support/engine.ts';
import { type FakePage, openPage, openTab, pageToken, socketUrl, startTab, text } from './fake-tab.ts';
import { type JournalTab, openJournalTab } from './journal-tab.ts';

const KEEPER = 'keeper-key';
const PAGE: PageSource = {
	html: async () => '<!doctype html><html><head><title>t</title></head><body></body></html>',
	serve: () => false,
};

let data: string;
let events: TabEvent[];
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-owner-'));
	events = [];
});

afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
});

async function startTestRelay(limits: Partial<RelayLimits> = {}, keeps = false): Promise<Relay> {
	const relay = await startRelay({
		port: 0,
		data,
		page: PAGE,
		limits,
		keeperKey: KEEPER,
		onTab: (event) => events.push(event),
	});
	relay.setHasOwnEngine(keeps);
	cleanups.push(() => relay.close());
	return relay;
}

async function openTestPage(relay: Relay, search = ''): Promise<FakePage> {
	const fakePage = await openPage(relay.url, false, search);
	cleanups.push(() => fakePage.close(true));
	return fakePage;
}

function post(relay: Relay, path: string, body: object = {}, headers: Record<string, string> = {}) {
	return fetch(relay.url + path, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { 'content-type': 'application/json', ...headers },
	});
}

/** Returns an engine that loads the relay's journal, with the key of its page. */
async function engineTab(relay: Relay, token?: string): Promise<JournalTab> {
	const tab = await openJournalTab(relay.url, token === undefined ? {} : { token });
	cleanups.push(() => tab.kill());
	await tab.engine;
	return tab;
}

/** Polls a condition. The test's own timeout ends it. */
async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('the first page owns the world, others visit, and an engine without the lease is dismissed', async () => {
	const relay = await startTestRelay();
	const first = await openTestPage(relay);
	const { key } = await first.until('hold');
	await engineTab(relay, key);
	const second = await openTestPage(relay);
	expect(await second.until('visit')).toMatchObject({ holder: 'tab' });
	const pushing = await startTab(relay.url, async () => text('empty'), { token: second.role()!.key });
	await pushing.until('lost');
	expect((await fetch(relay.url)).status).toBe(200);
	expect(events.map(({ kind }) => kind)).toEqual(['ready']);
});

test("the relay's own browser owns the world, although another page comes first", async () => {
	const relay = await startTestRelay({}, true);
	const visitor = await openTestPage(relay);
	expect(await visitor.until('visit')).toMatchObject({ holder: 'nobody' });
	const keeper = await openTestPage(relay, `?keeper=${KEEPER}`);
	const { key } = await keeper.until('hold');
	expect(await visitor.until('visit')).toMatchObject({ role: 'visit' });
	await engineTab(relay, key);
	visitor.close();
	expect((await post(relay, '/spawn')).status).toBe(201);
});

describe('a program that speaks like an engine and is not the owner', () => {
	const JOURNAL = 'journal-of-a-test';
	/** First entry of each read of the journal. */
	let reads: number[];

	async function relayWithJournal(auth: boolean): Promise<Relay> {
		reads = [];
		class WatchedJournal extends MemoryJournal {
			override read(from: number, mostBytes: number): ReturnType<MemoryJournal['read']> {
				reads.push(from);
				return super.read(from, mostBytes);
			}
		}
		const relay = await startRelay({
			port: 0,
			data,
			page: PAGE,
			auth,
			keeperKey: KEEPER,
			onTab: (event) => events.push(event),
			journal: async () => ({ journal: new WatchedJournal(), id: JOURNAL }),
		});
		cleanups.push(() => relay.close());
		relay.setHasOwnEngine(auth);
		return relay;
	}

	/** Opens a socket with the token that any program gets. Returns the frames from the relay, and `say` for own frames. */
	async function intruder(relay: Relay, lease: { journal: string; epoch: number } | null) {
		const socket = new WebSocket(socketUrl(relay.url), { origin: relay.url });
		const frames: LinkFrame[] = [];
		socket.on('message', (data: Buffer) => frames.push(...decodeFrames(data)));
		const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
		await new Promise((resolve) => socket.once('open', resolve));
		cleanups.push(() => socket.terminate());
		const say = (...frames: LinkFrame[]) => socket.send(encodeFrames(frames));
		say({ kind: 'engine', version: LINK_VERSION, token: await pageToken(relay.url), lease });
		return { frames, closed, say };
	}

	test('does not take the world from the browser of a server with sign-in by naming its lease', async () => {
		const relay = await relayWithJournal(true);
		const keeper = await openTestPage(relay, `?keeper=${KEEPER}`);
		await engineTab(relay, (await keeper.until('hold')).key);
		const { frames, closed } = await intruder(relay, { journal: JOURNAL, epoch: 1 });
		const session = { authorization: 'Bearer a-secret-session' };
		expect((await fetch(`${relay.url}/digest`, { headers: session })).status).toBe(200);
		await closed;
		expect(frames).toEqual([{ kind: 'replaced' }]);
	});

	test('gets nothing of the journal after it lost the lease', async () => {
		const relay = await relayWithJournal(false);
		const { frames, say } = await intruder(relay, null);
		await until(() => frames.some(({ kind }) => kind === 'welcome'));
		const bytes = new Uint8Array(0);
		const ask = (from: number) => ({ ask: 'read', from, mostBytes: 1 }) as const;
		say({ kind: 'journal', id: 1, ask: ask(0), bytes });
		await until(() => reads.length === 1);
		say({ kind: 'unreadable', why: 'No reason.' }, { kind: 'journal', id: 2, ask: ask(7), bytes });
		await until(() => events.some(({ kind }) => kind === 'unreadable'));
		expect(reads).toEqual([0]);
	});
});

test('after the owning tab closes, the next one loads the world without waiting', async () => {
	const relay = await startTestRelay();
	const first = await openTestPage(relay);
	const tab = await engineTab(relay, (await first.until('hold')).key);
	const { identity } = await tab.engine;
	expect((await post(relay, '/spawn')).status).toBe(201);
	const second = await openTestPage(relay);
	await second.until('visit');
	tab.kill();
	first.close();
	await engineTab(relay, (await second.until('hold')).key);
	const answer = await fetch(relay.url);
	expect(answer.headers.get('x-orrery-world')).toBe(identity);
	// Without a folder, the journal is in the relay's memory, so the closed tab does not end it.
	expect(await answer.json()).toMatchObject({
		entity_count: 1,
		last_world: null,
		journal: { stored: false, works: true },
	});
	const named = await post(relay, '/spawn', {}, { 'x-orrery-world': 'another' });
	expect(named.status).toBe(409);
	expect(await named.json()).toMatchObject({ ok: false, code: 'other_world', world: identity });
});

test('an engine in a long computation keeps its world: its page answers for it, and GET / reports its work', async () => {
	const relay = await startTestRelay({ pingEvery: 50, pingsMissed: 2 });
	const first = await openTestPage(relay);
	const { key } = await first.until('hold');
	// A Worker that computes answers no ping. This engine stops reading, which has the same effect.
	const socket = await openTab(relay.url, () => new Promise(() => {}), { token: key });
	cleanups.push(() => socket.close());
	socket.freeze();
	const long = post(relay, '/step', { ticks: 10_000 });
	// The relay answers after the engine has been silent for longer than a tab without a page may be.
	const status = await fetch(relay.url);
	expect(events.map(({ kind }) => kind)).toEqual(['ready']);
	expect(status.status).toBe(503);
	expect(await status.json()).toMatchObject({
		ok: false,
		code: 'busy',
		busy: { method: 'POST', path: '/step' },
	});
	// The engine is dead only if its page is silent too.
	first.mute();
	await until(() => events.some(({ kind }) => kind === 'hung'));
	const next = await openTab(relay.url, async () => text('next'));
	cleanups.push(() => next.close());
	expect(await (await long).text()).toBe('next');
});

/** Starts a page whose engine hangs in a call. Returns the page, and the answer to the call. */
async function startHanging(relay: Relay, search = '') {
	const first = await openTestPage(relay, search);
	const { key } = await first.until('hold');
	let onCall = (): void => {};
	const hangs = new Promise<void>((resolve) => {
		onCall = resolve;
	});
	const socket = await openTab(
		relay.url,
		() => {
			onCall();
			return new Promise(() => {});
		},
		{ token: key, world: () => 'stuck' },
	);
	cleanups.push(() => socket.close());
	const call = post(relay, '/step', { ticks: 1 });
	await hangs;
	socket.freeze();
	return { first, call };
}

const endWorld = (relay: Relay, world: string, headers: Record<string, string> = {}) =>
	fetch(`${relay.url}/engine/worker/${world}`, { method: 'DELETE', headers });

test('a hanging engine is ended by a caller that names its world, and its page restarts', async () => {
	const relay = await startTestRelay();
	const { first, call } = await startHanging(relay);
	const other = await endWorld(relay, 'another');
	expect(other.status).toBe(409);
	expect(await other.json()).toMatchObject({ ok: false, code: 'other_world', world: 'stuck' });
	const torn = await endWorld(relay, 'stuck', { 'x-orrery-world': 'another' });
	expect(torn.status).toBe(409);
	expect(await torn.json()).toMatchObject({ ok: false, code: 'other_world', world: 'stuck' });
	expect(events.map(({ kind }) => kind)).toEqual(['ready']);

	const ended = await endWorld(relay, 'stuck');
	expect(ended.status).toBe(200);
	expect(endEngine.answer.parse(await ended.json())).toEqual({ ok: true, last_world: null });
	expect((await call).status).toBe(502);
	await first.closed;
	const fakePage = await openTestPage(relay);
	const { engine } = await engineTab(relay, (await fakePage.until('hold')).key);
	const status = await fetch(relay.url);
	expect(status.headers.get('x-orrery-world')).toBe((await engine).identity);
	expect(await status.json()).toMatchObject({ entity_count: 0 });
	expect(events.map(({ kind }) => kind)).toEqual(['ready', 'left', 'ready']);
});

test('if the page of an ended engine is gone too, the relay asks for another browser', async () => {
	const relay = await startTestRelay({}, true);
	const { first } = await startHanging(relay, `?keeper=${KEEPER}`);
	first.close(true);
	await first.closed;
	expect((await endWorld(relay, 'stuck')).status).toBe(200);
	expect(events.at(-1)).toEqual({ kind: 'hung', keeper: true });
});

test('if the page of an ended engine does nothing, GET / reports that and the relay asks for another browser', async () => {
	const relay = await startTestRelay({ statusWait: 5, endWait: 300 }, true);
	const { first } = await startHanging(relay, `?keeper=${KEEPER}`);
	first.mute();
	expect((await endWorld(relay, 'stuck')).status).toBe(200);
	const status = await fetch(relay.url);
	expect(status.status).toBe(503);
	expect(status.headers.get('retry-after')).toBe('1');
	expect(await status.json()).toMatchObject({
		code: 'no_engine',
		fix: expect.stringContaining('Retry-After'),
		error: expect.stringContaining('keeps the world stuck'),
	});
	await first.closed;
	expect(events.at(-1)).toEqual({ kind: 'hung', keeper: true });
	const fakePage = await openTestPage(relay, `?keeper=${KEEPER}`);
	await fakePage.until('hold');
});

test('if the page of an ended engine leaves and does not return, the relay asks for another browser', async () => {
	const relay = await startTestRelay({ returnWait: 100 }, true);
	const { first } = await startHanging(relay, `?keeper=${KEEPER}`);
	expect((await endWorld(relay, 'stuck')).status).toBe(200);
	await first.closed;
	await until(() => events.some(({ kind }) => kind === 'hung'));
	expect(events.at(-1)).toEqual({ kind: 'hung', keeper: true });
});

test('an ended idle page keeps no other page from the world', async () => {
	const relay = await startTestRelay();
	const { first } = await startHanging(relay);
	first.mute();
	const other = await openTestPage(relay);
	await other.until('visit');
	expect((await endWorld(relay, 'stuck')).status).toBe(200);
	await other.until('hold');
});

test('GET / reports that no tab owns a world, and that the server stores one', async () => {
	const relay = await startTestRelay({ statusWait: 5 });
	const ask = async () => (await fetch(relay.url)).json();
	expect(await ask()).toMatchObject({ code: 'no_engine', last_world: null });
	const first = await openTestPage(relay);
	const tab = await engineTab(relay, (await first.until('hold')).key);
	tab.kill();
	first.close();
	await until(() => events.at(-1)?.kind === 'left');
	const { identity } = await tab.engine;
	expect(await ask()).toMatchObject({ code: 'no_engine', error: expect.stringContaining(identity) });
});

test('an engine without a server refuses the call that ends an engine', async () => {
	const { engine, call } = await startEngine();
	const { status, body } = await call('DELETE', `/engine/worker/${engine.identity}`);
	expect(status).toBe(403);
	expect(body).toMatchObject({ ok: false, code: 'not_allowed' });
	engine.close();
});

test('a working engine that yields is asked for its status, also after a long silence', async () => {
	// No ping comes meanwhile, so the engine is silent. With these limits, any silence would be too long.
	const relay = await startTestRelay({ pingEvery: 60_000, silence: 0 });
	const first = await openTestPage(relay);
	const { key } = await first.until('hold');
	const requests: string[] = [];
	let finish = (): void => {};
	const work = new Promise<void>((resolve) => {
		finish = resolve;
	});
	const handle = async ({ path }: WireRequest): Promise<WireResponse> => {
		requests.push(path);
		if (path !== '/') await work;
		return text(path);
	};
	const tab = await openTab(relay.url, handle, { token: key });
	cleanups.push(() => tab.close());
	const long = post(relay, '/step', { ticks: 10_000 });
	await until(() => requests.length === 1);
	expect((await fetch(relay.url)).status).toBe(200);
	finish();
	expect((await long).status).toBe(200);
});

test('a queued status is answered by the engine, however long the queue is', async () => {
	const relay = await startTestRelay({ statusWait: 5 });
	const first = await openTestPage(relay);
	const { key } = await first.until('hold');
	// The engine answers other calls for longer than the relay waits before it reports a busy engine.
	let answerCount = 0;
	let answerStatus = (): void => {};
	const handle = async (request: WireRequest): Promise<WireResponse> => {
		if (request.path === '/')
			await new Promise<void>((resolve) => {
				answerStatus = resolve;
			});
		answerCount++;
		return text(request.path);
	};
	const tab = await openTab(relay.url, handle, { token: key });
	cleanups.push(() => tab.close());
	const status = fetch(relay.url);
	for (let i = 0; i < 50; i++) await post(relay, '/spawn');
	answerStatus();
	expect((await status).status).toBe(200);
	expect(answerCount).toBe(51);
});

test('while the relay waits for a tab that lost its connection, GET / reports that', async () => {
	const relay = await startTestRelay({ statusWait: 5 });
	const first = await openTestPage(relay);
	const { key } = await first.until('hold');
	const tab = await openTab(relay.url, async ({ path }) => text(path), { token: key });
	cleanups.push(() => tab.close());
	expect((await fetch(relay.url)).status).toBe(200);
	tab.cut();
	const status = await fetch(relay.url);
	expect(status.status).toBe(503);
	expect(await status.json()).toMatchObject({ code: 'busy', busy: { reconnecting: true } });
	await tab.until('ready');
	expect((await fetch(relay.url)).status).toBe(200);
});

test('a tick that fails in a long step keeps the ticks before it and reports their number, also over HTTP', async () => {
	const relay = await startTestRelay();
	await engineTab(relay);
	const other = await startTestRelay();
	await engineTab(other);
	const rule = { when: 'tick:3', do: [{ action: 'spawn', mesh: 'cube', at: { all: 'any' }, count: 1000 }] };
	for (const server of [relay, other]) {
		for (let i = 0; i < 25; i++) await post(server, '/spawn', { position: [i, 0, 0] });
		await post(server, '/rule/create', rule);
	}
	const answer = await post(relay, '/step', { ticks: 10 });
	const failed = (await answer.json()) as { ticks_advanced: number; new_tick: number; state_digest: string };
	expect(failed).toMatchObject({ ok: false, code: 'too_many_spawned' });
	expect(failed.ticks_advanced).toBeGreaterThan(0);
	expect(failed.new_tick).toBe(failed.ticks_advanced);
	let lastAnswer: unknown;
	for (let i = 0; i < failed.ticks_advanced; i++)
		lastAnswer = await (await post(other, '/step', { ticks: 1 })).json();
	expect(lastAnswer).toMatchObject({ new_tick: failed.new_tick, state_digest: failed.state_digest });
	const digest = (await (await fetch(`${relay.url}/digest?future=true`)).json()) as object;
	expect(await (await fetch(`${other.url}/digest?future=true`)).json()).toEqual(digest);
});
