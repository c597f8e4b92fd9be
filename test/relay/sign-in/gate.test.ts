/**
 * A server that needs sessions, from HTTP to the engine and back: the rights of callers, and the secrecy of sessions.
 */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Relay, startRelay } from '../../../relay/server.ts';
import { accessOf } from '../../../shared/contract/principal.ts';
import type { CallHandler } from '../../../shared/contract/wire.ts';
import { routes } from '../../../shared/routes/index.ts';
import { httpHandle } from '../../../shared/transport/client.ts';
import {
	caller,
	type Json,
	requestOf,
	startEngine,
	type TestEngine,
	testEngine,
} from '../../support/engine.ts';
import { openPage, pageToken, startTab, text } from '../fake-tab.ts';
import { type JournalTab, openJournalTab } from '../journal-tab.ts';
import { listAgents, newAgent, type TestAgent } from './keys.ts';

const NOW = 1_800_000_000;
const ada = newAgent('ada');
const bob = newAgent('bob');
const eve = newAgent('eve');
const op = newAgent('op');

const PAGE = { html: async () => '<html><head></head></html>', serve: () => false };

let data: string;
let time: number;
let relay: Relay;
let tab: JournalTab;
let world: TestEngine;
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-gate-'));
	time = NOW;
	await listAgents(data, [
		[ada, { number: 1, limits: { entities: 3, forks: 2 } }],
		[bob, { number: 2 }],
		[eve, { number: 3, access: 'read' }],
		[op, { number: 9, access: 'admin' }],
	]);
	relay = await startRelay({ port: 0, data, page: PAGE, auth: true, clock: () => time });
	cleanups.push(() => relay.close());
	tab = await openJournalTab(relay.url);
	cleanups.push(() => tab.kill());
	world = testEngine(await tab.engine);
});
afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
});

const over =
	(handle: CallHandler, token?: string) =>
	async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> => {
		const request = requestOf(method, path, body);
		const authorization: Record<string, string> =
			token === undefined ? {} : { authorization: `Bearer ${token}` };
		return caller(handle)(method, path, body, { ...request.headers, ...authorization });
	};
const callerWith = (token?: string) => over(httpHandle(relay.url), token);

async function signInAs(agent: TestAgent): Promise<string> {
	const { status, body } = await callerWith()('POST', '/auth/login', agent.login(time++));
	expect([status, body.error]).toEqual([200, undefined]);
	return body.session_token as string;
}

describe('without a session', () => {
	test('callers without write access write no file, and files of others stay', async () => {
		const [ownToken, readerToken] = [await signInAs(ada), await signInAs(eve)];
		for (const path of ['/scene/save', '/level/save']) {
			expect((await callerWith(ownToken)('POST', path, { path: 'own.json' })).body.ok).toBe(true);
			const before = await readFile(join(data, 'own.json'));
			for (const [token, status, code] of [
				[undefined, 401, 'not_signed_in'],
				[readerToken, 403, 'not_allowed'],
			] as const)
				for (const file of ['own.json', 'other.json']) {
					const refused = await callerWith(token)('POST', path, { path: file });
					expect([refused.status, refused.body.code]).toEqual([status, code]);
				}
			expect(await readFile(join(data, 'own.json'))).toEqual(before);
			expect(await readdir(data)).not.toContain('other.json');
		}
	});

	test('reading is open to all, and no transport permits a change', async () => {
		for (const handle of [httpHandle(relay.url), world.engine.handle, world.engine.handleFrom('page')]) {
			expect((await over(handle)('GET', '/')).status).toBe(200);
			expect((await over(handle)('POST', '/observe')).status).toBe(200);
			const { status, body } = await over(handle)('POST', '/spawn', {});
			expect([status, body.code]).toEqual([401, 'not_signed_in']);
			expect(body.fix).toContain('/auth/login');
		}
		expect((await callerWith()('GET', '/')).body.entity_count).toBe(0);
	});

	test('every route that changes something is refused before any effect', async () => {
		for (const route of routes) {
			if (accessOf(route) === 'read') continue;
			const [example] = route.examples;
			const path = example.path ?? route.path;
			const { status, body } = await callerWith()(route.method, path, example.body);
			expect([status, body.code], `${route.method} ${path}`).toEqual([401, 'not_signed_in']);
		}
	});

	test('a batch that changes something is refused', async () => {
		const { status } = await callerWith()('POST', '/batch', { requests: [{ path: '/spawn', body: {} }] });
		expect(status).toBe(401);
	});

	test('a session that is invented or malformed is invalid', async () => {
		for (const authorization of ['Bearer', 'Bearer x', `Bearer ${'0'.repeat(64)}`, 'Basic YTpi', 'bearer  '])
			expect(
				(
					await caller(httpHandle(relay.url))(
						'POST',
						'/spawn',
						{},
						{ 'content-type': 'application/json', authorization },
					)
				).status,
			).toBe(401);
	});
});

describe('with a session', () => {
	test('an agent changes the world under its name, and signs out again', async () => {
		const { server } = (await callerWith()('GET', '/auth/status')).body as { server: string };
		expect(server).toMatch(/^[\w-]{32}$/);
		const { body } = await callerWith()('POST', '/auth/login', ada.login(time++, { server }));
		const call = callerWith(body.session_token as string);
		expect((await call('GET', '/auth/status')).body).toMatchObject({
			authenticated: true,
			required: true,
			agent_id: 'ada',
			agent_number: 1,
			access: 'write',
		});
		expect((await call('POST', '/spawn', { health: 5 })).status).toBe(201);
		expect(world.engine.takeStatus().calls.at(-1)).toMatchObject({ path: '/spawn', sender: 'ada' });
		expect((await call('POST', '/auth/logout')).body).toMatchObject({ ok: true, ended: true });
		expect((await call('POST', '/spawn', {})).status).toBe(401);
		// The relay does not parse the body, because a large body takes long.
		expect((await call('POST', '/spawn', { nonsense: true })).status).toBe(401);
		expect((await call('GET', '/auth/status')).body).toMatchObject({ authenticated: false, required: true });
	});

	test('reads of the page stay marked as such, and a change has the signed-in name', async () => {
		const authorization = `Bearer ${await signInAs(ada)}`;
		const call = caller(httpHandle(relay.url));
		const headers = { 'content-type': 'application/json', 'x-agent': 'panels', authorization };
		await call('POST', '/observe', {}, headers);
		await call('POST', '/spawn', {}, headers);
		const senders = world.engine.takeStatus().calls.map(({ path, sender }) => [path, sender]);
		expect(senders.slice(-2)).toEqual([
			['/observe', 'panels'],
			['/spawn', 'ada'],
		]);
	});

	test('an agent with read access is refused with that reason', async () => {
		const call = callerWith(await signInAs(eve));
		expect((await call('POST', '/observe')).status).toBe(200);
		const { status, body } = await call('POST', '/spawn', {});
		expect([status, body.code]).toEqual([403, 'not_allowed']);
		expect(body.error).toContain('"eve"');
	});

	test('an agent reduced to read access changes nothing more', async () => {
		const call = callerWith(await signInAs(ada));
		expect((await call('POST', '/spawn', {})).status).toBe(201);
		await listAgents(data, [[ada, { number: 1, access: 'read' }]]);
		expect((await call('POST', '/spawn', {})).body.code).toBe('not_allowed');
		await listAgents(data, []);
		expect((await call('POST', '/spawn', {})).body.code).toBe('not_signed_in');
	});

	test('a reloaded tab accepts no used signature, and ends no session', async () => {
		const credentials = ada.login(time);
		const { body } = await callerWith()('POST', '/auth/login', credentials);
		tab.tab.link.close();
		const next = await openJournalTab(relay.url);
		cleanups.push(() => next.kill());
		await next.engine;
		const replayed = await callerWith()('POST', '/auth/login', credentials);
		expect([replayed.status, replayed.body.code]).toEqual([401, 'login_refused']);
		expect((await callerWith(body.session_token as string)('POST', '/spawn', {})).status).toBe(201);
	});

	test('only an operator ends the engine, and the relay itself loads scenes', async () => {
		const path = `/engine/worker/${world.engine.identity}`;
		expect((await callerWith()('DELETE', path)).body.code).toBe('not_signed_in');
		expect((await callerWith(await signInAs(bob))('DELETE', path)).body.code).toBe('not_allowed');
		const spawned = await caller(relay.call)('POST', '/spawn', {});
		expect(spawned.status).toBe(201);
		expect((await callerWith(await signInAs(op))('DELETE', path)).status).toBe(200);
	});

	test('the world stays with its tab, and no visitor takes it over', async () => {
		const visitor = await openPage(relay.url);
		cleanups.push(() => visitor.close(true));
		await visitor.until('visit');
		visitor.claim();
		expect(await visitor.declined).toContain('sign-in');
	});
});

describe("with the relay's own browser as owner", () => {
	const KEEPER = 'keeper-key';

	test('no other page becomes the engine while that browser is away, so none sees a session', async () => {
		const ownRelay = await startRelay({
			port: 0,
			data,
			page: PAGE,
			auth: true,
			clock: () => time,
			keeperKey: KEEPER,
		});
		cleanups.push(() => ownRelay.close());
		ownRelay.setHasOwnEngine(true);
		for (const holds of [false, true]) {
			const stranger = await openPage(ownRelay.url, holds);
			cleanups.push(() => stranger.close(true));
			expect((await stranger.until('visit')).holder).toBe('nobody');
			stranger.claim();
			expect(await stranger.declined).toContain('sign-in');
			for (const lease of [null, { journal: 'forged', epoch: 1 }]) {
				const forged = await startTab(ownRelay.url, async () => text('mine'), {
					lease: () => lease,
					token: lease === null ? await pageToken(ownRelay.url) : stranger.role()!.key,
				});
				cleanups.push(() => forged.close());
				await forged.until('lost');
				expect(forged.states).not.toContain('ready');
			}
		}
		const keeper = await openPage(ownRelay.url, false, `?keeper=${KEEPER}`);
		cleanups.push(() => keeper.close(true));
		const { key } = await keeper.until('hold');
		const keeperTab = await openJournalTab(ownRelay.url, { token: key });
		cleanups.push(() => keeperTab.kill());
		await keeperTab.engine;
		expect((await fetch(ownRelay.url)).status).toBe(200);
	});
});

test('calls per second are limited for each agent separately', async () => {
	await listAgents(data, [
		[ada, { number: 1, limits: { calls_per_second: 1 } }],
		[bob, { number: 2 }],
	]);
	const { body } = await callerWith()('POST', '/auth/login', ada.login(time++));
	expect((body.limits as Json).calls_per_second).toBe(1);
	const call = callerWith(await signInAs(ada));
	const answers = [];
	for (let i = 0; i < 6; i++) answers.push(await call('GET', '/digest'));
	const refused = answers.find(({ status }) => status === 429);
	expect(refused?.body.code).toBe('too_many_calls');
	expect((await callerWith(await signInAs(bob))('GET', '/digest')).status).toBe(200);
});

test.each([
	['a batch', '/batch'],
	['an action', '/action/look'],
])('requests of %s count as calls: one may exceed the rest, and the next call waits', async (_, path) => {
	await listAgents(data, [
		[ada, { number: 1, limits: { calls_per_second: 10 } }],
		[bob, { number: 2 }],
	]);
	const call = callerWith(await signInAs(ada));
	const requests = Array.from({ length: 100 }, () => ({ method: 'GET', path: '/digest' }));
	const level = { actions: [{ name: 'look', description: 'Looks.', requests }] };
	await callerWith(await signInAs(bob))('POST', '/level/load', { level });
	const content = path === '/batch' ? { requests } : {};
	expect((await call('POST', path, content)).body.succeeded).toBe(100);
	const { status, body } = await call('GET', '/digest');
	expect([status, body.code]).toEqual([429, 'too_many_calls']);
});

test("a pause ends the caller's own running calls, and those of others only for an operator", async () => {
	const [asOp, asBob] = [callerWith(await signInAs(op)), callerWith(await signInAs(bob))];
	const finished: string[] = [];
	const requests = Array.from({ length: 100 }, () => ({ path: '/step', body: { ticks: 10_000 } }));
	const step = asOp('POST', '/batch', { requests }).finally(() => finished.push('step'));
	await vi.waitFor(async () => expect((await callerWith()('GET', '/')).body.tick).toBeGreaterThan(0));
	expect((await asBob('POST', '/pause')).body).toMatchObject({
		ok: true,
		message: 'paused, but calls of other agents still step the world',
		stepping: 1,
	});
	expect((await asBob('GET', '/')).body.playing).toBe(false);
	finished.push('bob');
	expect((await asOp('POST', '/pause')).body.ok).toBe(true);
	expect((await step).body.stopped).toBe('paused');
	expect(finished).toEqual(['bob', 'step']);
});

test('no session is in any list, answer, file or output', async () => {
	const lines: string[] = [];
	const spies = (['log', 'error', 'warn', 'info'] as const).map((name) =>
		vi.spyOn(console, name).mockImplementation((...values) => void lines.push(values.map(String).join(' '))),
	);
	const token = await signInAs(ada);
	const call = callerWith(token);
	await call('POST', '/spawn', {});
	await call('POST', '/spawn', { nonsense: 1 });
	await call('GET', '/nowhere');
	for (const path of ['/calls', '/watch', '/', '/events', '/profile', '/diagnose', '/auth/status'])
		lines.push(JSON.stringify((await call('GET', path)).body));
	lines.push(
		JSON.stringify(world.engine.takeStatus()),
		JSON.stringify((await call('GET', '/scenario')).body),
	);
	await call('POST', '/scene/save', { path: 'kept.json' });
	for (const name of await readdir(data, { recursive: true, withFileTypes: true }))
		if (name.isFile()) lines.push(await readFile(join(name.parentPath, name.name), 'utf8'));
	for (const spy of spies) spy.mockRestore();
	expect(lines.length).toBeGreaterThan(8);
	expect(lines.filter((line) => line.includes(token))).toEqual([]);
});

test('a relay without --auth refuses sign-in with 503, and admits all callers', async () => {
	const openRelay = await startRelay({ port: 0, data, page: PAGE });
	cleanups.push(() => openRelay.close());
	const journalTab = await openJournalTab(openRelay.url);
	cleanups.push(() => journalTab.kill());
	await journalTab.engine;
	const call = over(httpHandle(openRelay.url));
	const { status, body } = await call('POST', '/auth/login', ada.login(NOW));
	expect([status, body.code]).toEqual([503, 'no_auth']);
	expect((await call('POST', '/spawn', {})).status).toBe(201);
	expect((await call('GET', '/auth/status')).body).toMatchObject({ authenticated: false, required: false });
});

test('an engine that needs sessions and has no server refuses a change with the reason', async () => {
	const lone = await startEngine({ gated: true });
	cleanups.push(() => lone.engine.close());
	const { status, body } = await over(lone.engine.handle, '0'.repeat(64))('POST', '/spawn', {});
	expect([status, body.code]).toEqual([503, 'auth_failed']);
	expect(body.error).toContain('without the server');
});

test.each([
	['agents', '[', 'It is not JSON'],
	['agents', '{"agents":[{}]}', '"agent_id" of agents[0]'],
	['sign-in', '{}', 'It does not have the format that the server writes'],
])(
	'no server starts with a file of %s that contains %s, and the operator learns which and what to do',
	async (name, text, reason) => {
		const path = join(data, `.orrery-${name}.json`);
		await writeFile(path, text);
		const { message } = await startRelay({ port: 0, data, page: PAGE, auth: true }).then(
			(relay) => {
				cleanups.push(() => relay.close());
				return new Error();
			},
			(error: Error) => error,
		);
		expect(message).toContain(`"${path}" cannot be used: ${reason}`);
		expect(message).toMatch(/Correct it, or move it away; the server then creates a new one\.$/);
	},
);

test('with an unreadable list of agents, an operator cannot end the engine, and the server continues', async () => {
	const token = await signInAs(op);
	const list = join(data, '.orrery-agents.json');
	const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
	cleanups.push(() => printed.mockRestore());
	await writeFile(list, '{');
	expect((await callerWith()('POST', '/auth/login', ada.login(time++))).body.code).toBe('auth_failed');
	const { status, body } = await callerWith(token)('DELETE', `/engine/worker/${world.engine.identity}`);
	expect([status, body.code]).toEqual([503, 'auth_failed']);
	expect((await callerWith()('GET', '/')).status).toBe(200);
});

test('with an unreadable list of agents, a session is refused for that reason, and reads still work', async () => {
	const token = await signInAs(bob);
	const list = join(data, '.orrery-agents.json');
	const good = await readFile(list);
	const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
	await writeFile(list, '{"agents": ');
	const spawn = () => callerWith(token)('POST', '/spawn', {});
	const { status, body } = await spawn();
	expect([status, body.code]).toEqual([503, 'auth_failed']);
	expect(body.error).toContain('.orrery-agents.json cannot be used');
	expect(JSON.stringify(body)).not.toContain(data);
	expect((await callerWith(token)('GET', '/auth/status')).body.code).toBe('auth_failed');
	expect((await callerWith(token)('POST', '/observe', {})).status).toBe(200);
	expect(String(printed.mock.lastCall)).toContain(list);
	await writeFile(list, good);
	expect((await spawn()).status).toBe(201);
	printed.mockRestore();
});
