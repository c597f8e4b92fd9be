/**
 * Who holds the world, with pages and engines in Node at the relay's other end: visitors, handovers that end well or in the
 * middle, engines that compute for long, and what is said of a world that was lost.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TabEvent } from '../../relay/ownership.ts';
import { type Relay, type RelayLimits, startRelay } from '../../relay/server.ts';
import type { PageSource } from '../../relay/static-page.ts';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { endEngine } from '../../shared/routes/operations.ts';
import type { Engine } from '../../web/host/engine.ts';
import { createEngine } from '../../web/host/engine.ts';
import type { RelayLinkOptions } from '../../web/host/relay-link.ts';
import { apartFromMemory, startEngine } from '../support/engine.ts';
import { openEngineTab, openTakingTab, type Taking } from './engine-tab.ts';
import { type FakePage, openPage, openTab, startTab, text } from './fake-tab.ts';

const KEEPER = 'keeper-key';
const PAGE: PageSource = {
	html: async () => '<!doctype html><html><head><title>t</title></head><body></body></html>',
	serve: () => false,
};

let data: string;
let events: TabEvent[];
const ends: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-owner-'));
	events = [];
});

afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
});

async function relayWith(limits: Partial<RelayLimits> = {}, keeps = false, worldBefore = ''): Promise<Relay> {
	const relay = await startRelay({
		port: 0,
		data,
		page: PAGE,
		limits,
		keeperKey: KEEPER,
		worldBefore,
		onTab: (event) => events.push(event),
	});
	relay.keep(keeps);
	ends.push(() => relay.close());
	return relay;
}

async function page(relay: Relay, world = '', search = ''): Promise<FakePage> {
	const opened = await openPage(relay.url, world, search);
	ends.push(() => opened.close(true));
	return opened;
}

function post(relay: Relay, path: string, body: object = {}, headers: Record<string, string> = {}) {
	return fetch(relay.url + path, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { 'content-type': 'application/json', ...headers },
	});
}

async function engineTab(relay: Relay, engine: Engine, more: Partial<RelayLinkOptions> = {}) {
	const tab = await openEngineTab(relay.url, engine, more);
	ends.push(() => tab.close());
	return tab;
}

async function take(relay: Relay, more: Partial<RelayLinkOptions> = {}): Promise<Taking> {
	const taking = await openTakingTab(relay.url, more);
	ends.push(() => taking.tab.close());
	return taking;
}

/** Polls a condition. The test's own timeout ends it. */
async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('the first page holds the world, others visit, and one that would begin an empty world is sent away', async () => {
	const relay = await relayWith();
	const first = await page(relay);
	const { key } = await first.until('hold');
	await engineTab(relay, await createEngine(), { token: key });
	const second = await page(relay);
	expect(await second.until('visit')).toMatchObject({ holder: 'tab' });
	const pushing = await startTab(relay.url, async () => text('empty'), { token: second.role()!.key });
	await pushing.until('lost');
	expect((await fetch(relay.url)).status).toBe(200);
	expect(events.map(({ kind }) => kind)).toEqual(['ready']);
});

test("the relay's own browser holds the world, whoever comes first", async () => {
	const relay = await relayWith({}, true);
	const visitor = await page(relay);
	expect(await visitor.until('visit')).toMatchObject({ holder: 'nobody' });
	const keeper = await page(relay, '', `?keeper=${KEEPER}`);
	const { key } = await keeper.until('hold');
	expect(await visitor.until('visit')).toMatchObject({ role: 'visit' });
	await engineTab(relay, await createEngine(), { token: key });
	visitor.close();
	expect((await post(relay, '/spawn')).status).toBe(201);
});

test('when the tab that holds the world is closed, the next one begins at once and says how the last ended', async () => {
	const relay = await relayWith();
	const first = await page(relay);
	const engine = await createEngine();
	const tab = await engineTab(relay, engine, { token: (await first.until('hold')).key });
	const second = await page(relay);
	await second.until('visit');
	tab.close();
	first.close();
	const { key } = await second.until('hold');
	await engineTab(relay, await createEngine(), { token: key });
	const answer = await fetch(relay.url);
	const status = (await answer.json()) as { last_world: { world: string; why: string; ended_at: string } };
	expect(answer.headers.get('x-orrery-world')).not.toBe(engine.identity);
	expect(status.last_world).toMatchObject({
		world: engine.identity,
		why: 'Its tab was closed, reloaded or killed.',
	});
	expect(Number.isNaN(Date.parse(status.last_world.ended_at))).toBe(false);
	// A client that knew the old world is told so instead of playing on in the new one.
	const named = await post(relay, '/spawn', {}, { 'x-orrery-world': engine.identity });
	expect(named.status).toBe(409);
	expect(await named.json()).toMatchObject({ ok: false, code: 'other_world' });
	expect(await (await fetch(relay.url)).json()).toMatchObject({ entity_count: 0 });
});

test('a relay that was started after another was killed says that its world is lost, unless a tab comes with it', async () => {
	const relay = await relayWith({ statusWait: 5 }, false, 'before');
	// It may still come.
	expect(await (await fetch(relay.url)).json()).toMatchObject({ code: 'no_engine', last_world: null });
	const engine = await createEngine();
	await engineTab(relay, engine);
	expect(await (await fetch(relay.url)).json()).toMatchObject({
		last_world: { world: 'before', why: expect.stringContaining('The relay was killed') },
	});
	const refused = await post(relay, '/step', {}, { 'x-orrery-world': 'before' });
	expect(refused.status).toBe(409);
	expect(await refused.json()).toMatchObject({ code: 'other_world', world: engine.identity });
	expect(events.map(({ kind }) => kind)).toEqual(['gone', 'ready']);

	const same = await createEngine();
	const next = await relayWith({}, false, same.identity);
	await engineTab(next, same, { mode: 'rejoin' });
	expect(await (await fetch(next.url)).json()).toMatchObject({ last_world: null });
});

test('a handover brings everything over, calls in line go on there, and the identity stays', async () => {
	const relay = await relayWith();
	const old = await createEngine();
	let replaced = false;
	await engineTab(relay, old, {
		onReplaced: () => {
			replaced = true;
		},
	});
	await post(relay, '/spawn', { position: [0, 5, 0], physics_body: 'Dynamic', health: 50 });
	await post(relay, '/step', { ticks: 10 });
	await post(relay, '/snapshot', { label: 'kept' });
	await post(relay, '/fork', { fork_id: 'plan' });
	await post(relay, '/fork/plan/step', { ticks: 5 });
	const read = async (path: string) => apartFromMemory(await (await fetch(relay.url + path)).json());
	const paths = ['/digest', '/fork/list', '/snapshot/list', '/snapshot/list?world=plan'];
	const before = await Promise.all(paths.map(read));
	const steps = Array.from({ length: 20 }, () => post(relay, '/step', { ticks: 1 }));
	const { tab, engine } = await take(relay);
	await tab.until('ready');
	const answers = await Promise.all(
		steps.map(async (step) => (await (await step).json()) as { new_tick: number }),
	);
	expect(answers.map(({ new_tick }) => new_tick).sort((a, b) => a - b)).toEqual(
		Array.from({ length: 20 }, (_, i) => 11 + i),
	);
	await until(() => replaced);
	expect(engine().identity).toBe(old.identity);
	expect((await fetch(relay.url)).headers.get('x-orrery-world')).toBe(old.identity);
	expect(await Promise.all(paths.slice(1).map(read))).toEqual(before.slice(1));
	expect(events.some(({ kind }) => kind === 'gone')).toBe(false);
});

test('nothing is lost when the new tab dies in the middle, or gets other bytes than were sent', async () => {
	const relay = await relayWith();
	const old = await createEngine();
	await engineTab(relay, old);
	await post(relay, '/spawn', { mesh: 'cube' });
	const before = await (await fetch(`${relay.url}/digest`)).json();
	const dying: Taking = await take(relay, {
		take: () => {
			dying.tab.cut();
			return new Promise<string>(() => {});
		},
	});
	await dying.off;
	expect(await (await fetch(`${relay.url}/digest`)).json()).toEqual(before);
	expect((await post(relay, '/step', { ticks: 1 })).status).toBe(200);
	const wrong = await take(relay, { take: async () => 'main 0000000000000000' });
	expect(await wrong.off).toContain('not equal');
	expect(await (await post(relay, '/step', { ticks: 1 })).json()).toMatchObject({ new_tick: 2 });
	expect((await fetch(relay.url)).headers.get('x-orrery-world')).toBe(old.identity);
});

test('a handover ends in words when the tab that gives comes back over another socket, and the world stays there', async () => {
	const relay = await relayWith();
	const engine = await createEngine();
	const asked = Promise.withResolvers<void>();
	const holder = await engineTab(relay, engine, {
		give() {
			asked.resolve();
			return new Promise(() => {});
		},
	});
	const taking = await take(relay);
	await asked.promise;
	holder.stall();
	expect(await taking.off).toMatch(/connection was lost/);
	expect(await (await post(relay, '/step', { ticks: 1 })).json()).toMatchObject({ new_tick: 1 });
	expect(engine.worlds.main.world.tick).toBe(1);
});

test('a relay that is killed in the middle of a handover leaves the world where it was', async () => {
	const first = await startRelay({ port: 0, data, page: PAGE });
	const old = await createEngine();
	const tab = await engineTab(first, old);
	// No connection is kept: the next relay has the same address, and one that this relay had ended would be tried there.
	await post(first, '/spawn', { mesh: 'cube' }, { connection: 'close' });
	let arrived = (): void => {};
	const half = new Promise<void>((resolve) => {
		arrived = resolve;
	});
	await take(first, {
		take: () => {
			arrived();
			return new Promise<string>(() => {});
		},
	});
	await half;
	await first.close();
	await tab.until('connecting');
	const second = await startRelay({ port: first.port, data, page: PAGE });
	ends.push(() => second.close());
	expect(await (await fetch(second.url)).json()).toMatchObject({ entity_count: 1 });
	expect((await post(second, '/spawn')).status).toBe(201);
});

test('an engine that computes for long keeps its world: its page answers for it, and GET / says what it is doing', async () => {
	const relay = await relayWith({ pingEvery: 50, pingsMissed: 2 });
	const first = await page(relay);
	const { key } = await first.until('hold');
	// A Worker that computes answers nothing, pings least of all: this one has no link to answer them with.
	const socket = await openTab(relay.url, () => new Promise(() => {}), { token: key });
	ends.push(() => socket.close());
	socket.freeze();
	const long = post(relay, '/step', { ticks: 10_000 });
	// Answered once the engine has been silent for a while, which is longer than a tab without a page may be.
	const status = await fetch(relay.url);
	expect(events.map(({ kind }) => kind)).toEqual(['ready']);
	expect(status.status).toBe(503);
	expect(await status.json()).toMatchObject({
		ok: false,
		code: 'busy',
		busy: { method: 'POST', path: '/step' },
	});
	// Only a page that is silent as well is dead.
	first.mute();
	await until(() => events.some(({ kind }) => kind === 'hung'));
	expect((await long).status).toBe(502);
});

/** An engine that hangs in a call, with the world that it holds. */
async function hanging(relay: Relay, search = '') {
	const first = await page(relay, '', search);
	const { key } = await first.until('hold');
	let began = (): void => {};
	const hangs = new Promise<void>((resolve) => {
		began = resolve;
	});
	const socket = await openTab(
		relay.url,
		() => {
			began();
			return new Promise(() => {});
		},
		{ token: key, world: () => 'stuck' },
	);
	ends.push(() => socket.close());
	const call = post(relay, '/step', { ticks: 1 });
	await hangs;
	socket.freeze();
	return { first, call };
}

const endWorld = (relay: Relay, world: string, headers: Record<string, string> = {}) =>
	fetch(`${relay.url}/engine/worker/${world}`, { method: 'DELETE', headers });

test('an engine that hangs is ended from outside by whoever names its world, and its page begins anew', async () => {
	const relay = await relayWith();
	const { first, call } = await hanging(relay);
	const other = await endWorld(relay, 'another');
	expect(other.status).toBe(409);
	expect(await other.json()).toMatchObject({ ok: false, code: 'other_world', world: 'stuck' });
	const torn = await endWorld(relay, 'stuck', { 'x-orrery-world': 'another' });
	expect(torn.status).toBe(409);
	expect(await torn.json()).toMatchObject({ ok: false, code: 'other_world', world: 'stuck' });
	expect(events.map(({ kind }) => kind)).toEqual(['ready']);

	const ended = await endWorld(relay, 'stuck');
	expect(ended.status).toBe(200);
	const { last_world } = endEngine.answer.parse(await ended.json());
	expect(last_world).toMatchObject({ world: 'stuck', why: 'A caller ended its engine.' });
	expect((await call).status).toBe(502);
	await first.closed;
	const again = await page(relay);
	const engine = await createEngine();
	await engineTab(relay, engine, { token: (await again.until('hold')).key });
	const status = await fetch(relay.url);
	expect(status.headers.get('x-orrery-world')).toBe(engine.identity);
	expect(await status.json()).toMatchObject({ entity_count: 0, last_world });
	expect(events.map(({ kind }) => kind)).toEqual(['ready', 'gone', 'ready']);
});

test('where the page of an engine that is ended is gone too, another browser is asked for', async () => {
	const relay = await relayWith({}, true);
	const { first } = await hanging(relay, `?keeper=${KEEPER}`);
	first.close(true);
	await first.closed;
	expect((await endWorld(relay, 'stuck')).status).toBe(200);
	expect(events.at(-1)).toEqual({ kind: 'hung', keeper: true });
});

test('where the page of an engine that is ended does nothing, GET / says so and another browser is asked for', async () => {
	const relay = await relayWith({ statusWait: 5, endWait: 300 }, true);
	const { first } = await hanging(relay, `?keeper=${KEEPER}`);
	first.mute();
	expect((await endWorld(relay, 'stuck')).status).toBe(200);
	const status = await fetch(relay.url);
	expect(status.status).toBe(503);
	expect(status.headers.get('retry-after')).toBe('1');
	expect(await status.json()).toMatchObject({
		code: 'no_engine',
		fix: expect.stringContaining('Retry-After'),
		last_world: { world: 'stuck', why: 'A caller ended its engine.' },
	});
	await first.closed;
	expect(events.at(-1)).toEqual({ kind: 'hung', keeper: true });
	const again = await page(relay, '', `?keeper=${KEEPER}`);
	await again.until('hold');
});

test('where the page of an engine that is ended goes but does not come back, another browser is asked for', async () => {
	const relay = await relayWith({ returnWait: 100 }, true);
	const { first } = await hanging(relay, `?keeper=${KEEPER}`);
	expect((await endWorld(relay, 'stuck')).status).toBe(200);
	await first.closed;
	await until(() => events.some(({ kind }) => kind === 'hung'));
	expect(events.at(-1)).toEqual({ kind: 'hung', keeper: true });
});

test('an ended page that does nothing keeps no other from the world', async () => {
	const relay = await relayWith();
	const { first } = await hanging(relay);
	first.mute();
	const other = await page(relay);
	await other.until('visit');
	expect((await endWorld(relay, 'stuck')).status).toBe(200);
	await other.until('hold');
});

test('GET / says that nobody holds a world, and that the server keeps one', async () => {
	const relay = await relayWith({ statusWait: 5 });
	const ask = async () => (await fetch(relay.url)).json();
	expect(await ask()).toMatchObject({ code: 'no_engine', last_world: null });
	const { taken, visitor, kept, keeper, relay: other, world } = await visited();
	taken.tab.link.leave();
	await kept;
	keeper.close();
	visitor.close();
	taken.tab.close();
	await until(() => events.at(-1)?.kind === 'left');
	const status = await fetch(other.url);
	expect(await status.json()).toMatchObject({ code: 'no_engine', error: expect.stringContaining(world) });
});

test('an engine does not end itself: the call is for the server', async () => {
	const { engine, call } = await startEngine();
	const { status, body } = await call('DELETE', `/engine/worker/${engine.identity}`);
	expect(status).toBe(403);
	expect(body).toMatchObject({ ok: false, code: 'not_allowed' });
	engine.close();
});

test('an engine that works and gives way is asked for its status, however long nobody asked it for anything', async () => {
	// No ping comes in between: nothing is heard of it, since nothing was asked. Any silence would be too long.
	const relay = await relayWith({ pingEvery: 60_000, silence: 0 });
	const first = await page(relay);
	const { key } = await first.until('hold');
	const asked: string[] = [];
	let ended = (): void => {};
	const work = new Promise<void>((resolve) => {
		ended = resolve;
	});
	const handle = async ({ path }: WireRequest): Promise<WireResponse> => {
		asked.push(path);
		if (path !== '/') await work;
		return text(path);
	};
	const tab = await openTab(relay.url, handle, { token: key });
	ends.push(() => tab.close());
	const long = post(relay, '/step', { ticks: 10_000 });
	await until(() => asked.length === 1);
	expect((await fetch(relay.url)).status).toBe(200);
	ended();
	expect((await long).status).toBe(200);
});

test('a status that only waits its turn is answered by the engine, however many it waits behind', async () => {
	const relay = await relayWith({ statusWait: 5 });
	const first = await page(relay);
	const { key } = await first.until('hold');
	// It answers other calls until the status's turn comes, long after a busy engine would have been told of.
	let answered = 0;
	let turn = (): void => {};
	const handle = async (request: WireRequest): Promise<WireResponse> => {
		if (request.path === '/')
			await new Promise<void>((resolve) => {
				turn = resolve;
			});
		answered++;
		return text(request.path);
	};
	const tab = await openTab(relay.url, handle, { token: key });
	ends.push(() => tab.close());
	const status = fetch(relay.url);
	for (let i = 0; i < 50; i++) await post(relay, '/spawn');
	turn();
	expect((await status).status).toBe(200);
	expect(answered).toBe(51);
});

test('while a tab that lost its connection is waited for, GET / says that', async () => {
	const relay = await relayWith({ statusWait: 5 });
	const first = await page(relay);
	const { key } = await first.until('hold');
	const tab = await openTab(relay.url, async ({ path }) => text(path), { token: key });
	ends.push(() => tab.close());
	expect((await fetch(relay.url)).status).toBe(200);
	tab.cut();
	const status = await fetch(relay.url);
	expect(status.status).toBe(503);
	expect(await status.json()).toMatchObject({ code: 'busy', busy: { reconnecting: true } });
	await tab.until('ready');
	expect((await fetch(relay.url)).status).toBe(200);
});

interface Visited {
	readonly relay: Relay;
	/** The page of the relay's own browser, which has handed the world over. */
	readonly keeper: FakePage;
	/** The page and the engine that have it now. */
	readonly visitor: FakePage;
	readonly taken: Taking;
	readonly world: string;
	/** Resolves when the relay has all worlds of the engine that is about to go. */
	readonly kept: Promise<void>;
}

/** The relay's own browser has handed a world of one entity over at tick 10, and two more ticks were made since. */
async function visited(more: Partial<RelayLinkOptions> = {}): Promise<Visited> {
	const relay = await relayWith({ pingEvery: 50 }, true);
	const first = await page(relay, '', `?keeper=${KEEPER}`);
	const old = await createEngine();
	const { key } = await first.until('hold');
	const before = await engineTab(relay, old, { token: key });
	await post(relay, '/spawn', { mesh: 'cube' });
	await post(relay, '/step', { ticks: 10 });
	const visitor = await page(relay);
	let tellKept = (): void => {};
	const kept = new Promise<void>((resolve) => {
		tellKept = resolve;
	});
	const taken = await take(relay, {
		token: (await visitor.until('visit')).key,
		onKept: () => tellKept(),
		...more,
	});
	await taken.tab.until('ready');
	before.close();
	first.close();
	const keeper = await page(relay, '', `?keeper=${KEEPER}`);
	await keeper.until('stand-by');
	await post(relay, '/step', { ticks: 2 });
	return { relay, keeper, visitor, taken, world: old.identity, kept };
}

test('when a tab that took the world is lost, the world goes on as it was handed over, under another name', async () => {
	const { relay, keeper, visitor, taken, world } = await visited();
	visitor.close(true);
	taken.tab.close();
	const next = await take(relay, { token: (await keeper.until('take')).key });
	await next.tab.until('ready');
	const answer = await fetch(relay.url);
	expect(answer.headers.get('x-orrery-world')).not.toBe(world);
	expect(answer.headers.get('x-orrery-world')).toBe(next.engine().identity);
	const status = (await answer.json()) as { last_world: { why: string } };
	expect(status).toMatchObject({ entity_count: 1, tick: 10, last_world: { world } });
	expect(status.last_world.why).toContain('tick 10');
	expect((await post(relay, '/step', {}, { 'x-orrery-world': world })).status).toBe(409);
});

test('a tab that leaves in order gives its worlds to the relay, and the next one goes on with them as they are', async () => {
	const { relay, keeper, visitor, taken, world, kept } = await visited();
	taken.tab.link.leave();
	await kept;
	const waiting = post(relay, '/step', { ticks: 1 });
	visitor.close();
	taken.tab.close();
	const next = await take(relay, { token: (await keeper.until('take')).key });
	await next.tab.until('ready');
	expect(await (await waiting).json()).toMatchObject({ new_tick: 13 });
	const answer = await fetch(relay.url);
	expect(answer.headers.get('x-orrery-world')).toBe(world);
	expect(await answer.json()).toMatchObject({ entity_count: 1, last_world: null });
	expect(events.some(({ kind }) => kind === 'gone')).toBe(false);
});

test('a tab that was about to leave and stays goes on by itself', async () => {
	const { relay, taken, world, kept } = await visited();
	taken.tab.link.leave();
	await kept;
	expect(await (await post(relay, '/step', { ticks: 1 })).json()).toMatchObject({ new_tick: 13 });
	expect((await fetch(relay.url)).headers.get('x-orrery-world')).toBe(world);
});

test('a tab that dies while it gives its worlds to the relay leaves those that it was given', async () => {
	const { relay, keeper, visitor, taken } = await visited({
		give: () => {
			visitor.close(true);
			taken.tab.close();
			return new Promise(() => {});
		},
	});
	taken.tab.link.leave();
	const next = await take(relay, { token: (await keeper.until('take')).key });
	await next.tab.until('ready');
	expect(await (await fetch(relay.url)).json()).toMatchObject({ entity_count: 1, tick: 10 });
});

test('a copy that cannot be read back is given up, in words', async () => {
	const { relay, keeper, visitor, taken, world } = await visited();
	taken.tab.close();
	visitor.close(true);
	const failing = await take(relay, {
		token: (await keeper.until('take')).key,
		take: async () => 'main 0000000000000000',
	});
	expect(await failing.off).toContain('not equal');
	await engineTab(relay, await createEngine(), { token: (await keeper.until('hold')).key });
	const status = (await (await fetch(relay.url)).json()) as { last_world: { world: string; why: string } };
	expect(status.last_world.world).not.toBe(world);
	expect(status.last_world.why).toContain('could not be read back');
});

test('worlds of many parts come through the relay as they were, and a page waits until they are all there', async () => {
	const { relay, keeper, visitor, taken, kept } = await visited();
	const bytes = new Uint8Array(9 * 1024 * 1024 + 17).map((_, i) => (i * 2654435761) >>> 24);
	const uploaded = await post(relay, '/asset/upload', { data: Buffer.from(bytes).toString('base64') });
	expect(uploaded.status).toBe(200);
	taken.tab.link.leave();
	const html = fetch(relay.url, { headers: { accept: 'text/html' } });
	await kept;
	expect((await html).status).toBe(200);
	visitor.close();
	taken.tab.close();
	const next = await take(relay, { token: (await keeper.until('take')).key });
	await next.tab.until('ready');
	expect(Buffer.from(next.engine().save().assets![0]!.bytes).equals(bytes)).toBe(true);
});

test('a tab that takes worlds is asked for signs of life meanwhile, and the world stays where it was when it gives none', async () => {
	const relay = await relayWith({ pingEvery: 20, pingsMissed: 3 });
	await engineTab(relay, await createEngine());
	let restored = (_: string): void => {};
	let waits = (): void => {};
	const working = new Promise<void>((resolve) => {
		waits = resolve;
	});
	const slow = await take(relay, {
		take: () => {
			waits();
			return new Promise<string>((resolve) => {
				restored = resolve;
			});
		},
	});
	await working;
	// It hears the relay while it works, and the relay hears it: nothing ends by itself.
	const heard = slow.tab.pings();
	await until(() => slow.tab.pings() > heard + 5);
	restored('main 0000000000000000');
	expect(await slow.off).toContain('not equal');
	const silent: Taking = await take(relay, {
		take: () => {
			silent.tab.freeze();
			return new Promise<string>(() => {});
		},
	});
	// The call waits until the handover has come to its end.
	expect((await post(relay, '/step', { ticks: 1 })).status).toBe(200);
});

test('a tick that fails in the middle of many: over HTTP too the ticks before it stay, and it says how many', async () => {
	const relay = await relayWith();
	await engineTab(relay, await createEngine());
	const twin = await createEngine();
	const other = await relayWith();
	await engineTab(other, twin);
	const rule = { when: 'tick:3', do: [{ action: 'spawn', mesh: 'cube', at: { all: 'any' }, count: 1000 }] };
	for (const one of [relay, other]) {
		for (let i = 0; i < 25; i++) await post(one, '/spawn', { position: [i, 0, 0] });
		await post(one, '/rule/create', rule);
	}
	const answer = await post(relay, '/step', { ticks: 10 });
	const failed = (await answer.json()) as { ticks_advanced: number; new_tick: number; state_digest: string };
	expect(failed).toMatchObject({ ok: false, code: 'too_many_spawned' });
	expect(failed.ticks_advanced).toBeGreaterThan(0);
	expect(failed.new_tick).toBe(failed.ticks_advanced);
	let alone: unknown;
	for (let i = 0; i < failed.ticks_advanced; i++)
		alone = await (await post(other, '/step', { ticks: 1 })).json();
	expect(alone).toMatchObject({ new_tick: failed.new_tick, state_digest: failed.state_digest });
	const digest = (await (await fetch(`${relay.url}/digest?future=true`)).json()) as object;
	expect(await (await fetch(`${other.url}/digest?future=true`)).json()).toEqual(digest);
});
