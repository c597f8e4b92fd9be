/** With sign-in, callers without a session cannot use up the engine's queue, the rates or the bytes of other callers. */

import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Relay, type RelayLimits, startRelay } from '../../relay/server.ts';
import { SignIn } from '../../relay/sign-in/sign-in.ts';
import { type CallHandler, MAX_BODY_BYTES, type WireResponse } from '../../shared/contract/wire.ts';
import { openTab, text } from './fake-tab.ts';
import { listAgents, newAgent } from './sign-in/keys.ts';

const ada = newAgent('ada');
const bob = newAgent('bob');
const eve = newAgent('eve');
const op = newAgent('op');
const NOW = 1_800_000_000;

let data: string;
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-anonymous-'));
	await listAgents(data, [
		[ada, { number: 1 }],
		[bob, { number: 2 }],
		[eve, { number: 3, access: 'read' }],
		[op, { number: 9, access: 'admin' }],
	]);
});
afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
});

/** Returns a server with an engine that answers `slowPath` only when a test says so. */
async function serverWith(limits: Partial<RelayLimits>, slowPath = '/slow') {
	const slow: ((response: WireResponse) => void)[] = [];
	let onSlowCall = (): void => {};
	const page = { html: async () => '<html><head></head></html>', serve: () => false };
	const relay: Relay = await startRelay({ port: 0, data, page, auth: true, clock: () => NOW, limits });
	cleanups.push(() => relay.close());
	const handle: CallHandler = async ({ path, body }) => {
		if (path !== slowPath) return text(path === '/auth/login' ? new TextDecoder().decode(body) : path);
		return new Promise((resolve) => {
			slow.push(resolve);
			onSlowCall();
		});
	};
	const tab = await openTab(relay.url, handle);
	cleanups.push(() => tab.close());
	const send = (path: string, token?: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> =>
		fetch(relay.url + path, {
			method: body === undefined ? 'GET' : 'POST',
			headers: {
				'content-type': 'application/json',
				...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
			},
			...(body === undefined ? {} : { body }),
		});
	/** Resolves when the engine has this many slow calls. */
	const until = async (count: number): Promise<void> => {
		while (slow.length < count)
			await new Promise<void>((resolve) => {
				onSlowCall = resolve;
			});
	};
	return { url: relay.url, send, slow, until };
}

/** Sends a request whose body never ends. */
function beginBody(url: string, token: string | undefined, body: Uint8Array): ClientRequest {
	const outgoing = request(`${url}/n`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'content-length': 2 * body.length,
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
		},
	});
	outgoing.on('error', () => {});
	outgoing.write(body);
	return outgoing;
}

/** Returns a session of an agent. */
async function sessionOf(agent: typeof ada, signInTime = NOW): Promise<string> {
	const signIn = new SignIn({ folder: data, now: () => NOW });
	return (await signIn.login(agent.login(signInTime))).session_token;
}

test('slow reads without a session take four places of the engine, and only such reads are refused beyond that', async () => {
	const admin = await sessionOf(op);
	const { send, slow, until } = await serverWith({ anonymousRunning: 4, anonymousWaiting: 2 });
	const flood = Array.from({ length: 4 }, () => send('/slow'));
	await until(4);
	for (const token of [undefined, 'not-a-session']) {
		const furtherReads = Array.from({ length: flood.length === 4 ? 3 : 1 }, () => send('/slow', token));
		// Two wait. The others are answered immediately.
		const refused = await Promise.race(furtherReads);
		expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_calls' }]);
		flood.push(...furtherReads);
	}
	// The engine still has four slow reads, and an agent that signs in has a place.
	expect(slow.length).toBe(4);
	expect(await (await send('/n', admin)).text()).toBe('/n');
	expect((await send('/health')).status).toBe(200);
	expect((await send('/auth/login', undefined, new TextEncoder().encode('{}'))).status).toBe(200);
	// A read that ends makes room for the next.
	slow[0]!(text('done'));
	await until(5);
	slow[1]!(text('done'));
	await until(6);
	for (const answer of slow) answer(text('done'));
	const answers = (await Promise.all(flood)).map(({ status }) => status);
	expect(answers.filter((status) => status === 200).length).toBe(6);
});

test('callers without a session share one rate', async () => {
	const admin = await sessionOf(op);
	const { send } = await serverWith({ anonymousRate: 5 });
	const answers = await Promise.all(Array.from({ length: 60 }, () => send('/n')));
	expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
	expect(answers.find(({ status }) => status === 429)!.headers.get('retry-after')).toBe('1');
	expect((await send('/n', admin)).status).toBe(200);
	// A caller reads the name of the server before it signs in.
	for (const path of ['/auth/status', '/health']) expect((await send(path)).status).toBe(200);
});

test('sign-in calls take few places of the engine, in any number', async () => {
	const agent = await sessionOf(ada);
	const { send, slow, until } = await serverWith(
		{ anonymousRunning: 4, anonymousWaiting: 2, calls: 20, reservedCalls: 2 },
		'/auth/login',
	);
	const flood = Array.from({ length: 30 }, () => send('/auth/login'));
	await until(4);
	expect(await (await send('/n', agent)).text()).toBe('/n');
	const answers: Response[] = [];
	for (const response of flood) void response.then((answer) => answers.push(answer));
	for (let call = 0; call < 6; call++) {
		await until(call + 1);
		slow[call]!(text('done'));
	}
	await Promise.all(flood);
	expect(answers.filter(({ status }) => status === 429).length).toBe(24);
});

test('agents that fill the queue leave places and bytes for the admin', async () => {
	const agent = await sessionOf(ada);
	const admin = await sessionOf(op);
	const { send, slow, until } = await serverWith({ calls: 4, reservedCalls: 2 });
	const flood = [send('/slow', agent), send('/slow', agent)];
	await until(2);
	expect(await (await send('/n', agent)).json()).toMatchObject({ code: 'busy' });
	expect(await (await send('/n', admin)).text()).toBe('/n');
	for (const answer of slow) answer(text('done'));
	await Promise.all(flood);
	const { send: other } = await serverWith({ bytes: 30, reservedBytes: 20, exemptBytes: 10 });
	const body = new Uint8Array(25);
	expect(await (await other('/n', agent, body)).json()).toMatchObject({ code: 'busy' });
	expect((await other('/n', admin, body)).status).toBe(200);
	// However many bytes wait, a small call has room.
	expect((await other('/n', agent, new Uint8Array(10))).status).toBe(200);
});

test.each([
	['unfinished', { bodies: 80 }],
	['waiting', { bytes: 80 }],
])('%s bodies of one caller take at most half of the room', async (kind, limits) => {
	const [agent, other, reader, admin] = [
		[await sessionOf(ada), await sessionOf(ada, NOW - 1)],
		await sessionOf(bob),
		await sessionOf(eve),
		await sessionOf(op),
	];
	const { url, send, slow } = await serverWith({ ...limits, reservedBytes: 40, exemptBytes: 10 });
	const body = new Uint8Array(25);
	for (const [token, again] of [agent, [undefined, undefined], [reader, reader]]) {
		// 15 bytes of 20 count.
		const firstCall = kind === 'waiting' ? send('/slow', token, body) : beginBody(url, token, body);
		while ((await send('/n', again, body)).status !== 503);
		for (const item of [other, admin]) expect((await send('/n', item, body)).status).toBe(200);
		for (const answer of slow.splice(0)) answer(text('done'));
		if (firstCall instanceof Promise) await firstCall;
		else firstCall.destroy();
		while ((await send('/n', again, body)).status !== 200);
	}
});

test('a body of a caller with read access is refused as a whole document', async () => {
	const admin = await sessionOf(op);
	const reader = await sessionOf(eve);
	const { send } = await serverWith({});
	const body = new Uint8Array(MAX_BODY_BYTES + 1);
	for (const token of [undefined, reader])
		expect(await (await send('/scenario', token, body)).json()).toMatchObject({ code: 'too_large' });
	expect((await send('/scenario', admin, body)).status).toBe(200);
});
