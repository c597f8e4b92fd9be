/**
 * The relay with a tab in Node: calls, limits, lost sockets, takeover and refusals.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { TabEvent } from '../../relay/ownership.ts';
import { PendingCalls } from '../../relay/pending-calls.ts';
import { RELAY_LIMITS, type Relay, type RelayLimits, startRelay } from '../../relay/server.ts';
import type { PageSource } from '../../relay/static-page.ts';
import {
	type CallHandler,
	MAX_DOCUMENT_BYTES,
	type WireRequest,
	type WireResponse,
} from '../../shared/contract/wire.ts';
import { CLOSE_REFUSED, encodeFrames, LINK_VERSION } from '../../shared/transport/link.ts';
import { requestOf } from '../support/engine.ts';
import { type FakeTab, openTab, pageToken, socketUrl, text } from './fake-tab.ts';

const PAGE: PageSource = {
	html: async () => '<!doctype html><html><head><title>t</title></head><body></body></html>',
	serve: () => false,
};

let data: string;
let events: TabEvent[];
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-relay-'));
	events = [];
});

afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
});

async function startTestRelay(
	limits: Partial<RelayLimits> = {},
	hosts: readonly string[] = [],
	holdsCalls = false,
): Promise<Relay> {
	const relay = await startRelay({
		port: 0,
		data,
		page: PAGE,
		limits,
		hosts,
		holdsCalls,
		onTab: (event) => events.push(event),
	});
	cleanups.push(() => relay.close());
	return relay;
}

async function openTestTab(relay: Relay, handle: CallHandler): Promise<FakeTab> {
	const tab = await openTab(relay.url, handle);
	cleanups.push(() => tab.close());
	return tab;
}

function post(
	relay: Relay,
	path: string,
	body = '{}',
	headers: Record<string, string> = {},
): Promise<Response> {
	return fetch(relay.url + path, {
		method: 'POST',
		body,
		headers: { 'content-type': 'application/json', ...headers },
	});
}

const echo: CallHandler = async (request) =>
	text(`${request.method} ${request.path}?${request.query} ${decode(request.body)}`);

function decode(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}

/** Returns an engine whose answers a test gives. */
function manualEngine(): {
	handle: CallHandler;
	calls: WireRequest[];
	answer: ((response: WireResponse) => void)[];
} {
	const calls: WireRequest[] = [];
	const answer: ((response: WireResponse) => void)[] = [];
	const handle: CallHandler = (request) =>
		new Promise((resolve) => {
			calls.push(request);
			answer.push(resolve);
		});
	return { handle, calls, answer };
}

/** Polls a condition. The test's own timeout ends it. */
async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Makes a request with headers that `fetch` does not set. */
function sendRaw(
	relay: Relay,
	options: { method?: string; path?: string; headers?: Record<string, string>; body?: readonly Buffer[] },
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
	return new Promise((resolve, reject) => {
		const call = httpRequest(
			{
				host: '127.0.0.1',
				port: relay.port,
				method: options.method ?? 'GET',
				path: options.path ?? '/',
				...options,
			},
			(response) => {
				let body = '';
				response.on('data', (chunk) => {
					body += chunk;
				});
				response.on('end', () =>
					resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
				);
			},
		);
		call.on('error', reject);
		for (const chunk of options.body ?? []) call.write(chunk);
		call.end();
	});
}

/** Sends a body of `bytes` spaces over a plain socket, and reads the answer only after all are sent. */
async function sendWhole(relay: Relay, bytes: number): Promise<string> {
	const socket = connect(relay.port, '127.0.0.1');
	socket.pause();
	socket.write(
		`POST /step HTTP/1.1\r\nhost: 127.0.0.1:${relay.port}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
	);
	const chunk = Buffer.alloc(1024 * 1024, 32);
	for (let byteCount = 0; byteCount < bytes; byteCount += chunk.length)
		await new Promise<void>((resolve, reject) =>
			socket.write(chunk, (error) => (error == null ? resolve() : reject(error))),
		);
	let output = '';
	for await (const piece of socket) output += decode(piece);
	return output;
}

test('calls arrive whole and in order, and answers return unchanged', async () => {
	const relay = await startTestRelay();
	const paths: string[] = [];
	await openTestTab(relay, async (request) => {
		paths.push(request.path);
		return {
			status: 201,
			headers: { 'x-test': 'yes' },
			body: request.body,
		};
	});
	const answer = await post(relay, '/spawn%20it?world=main&a=%C3%A9', '{"a":"ü"}', {
		'x-agent': 'me',
		cookie: 'no',
	});
	expect(answer.status).toBe(201);
	expect(answer.headers.get('x-test')).toBe('yes');
	expect(await answer.text()).toBe('{"a":"ü"}');
	expect(paths).toEqual(['/spawn%20it']);
});

test('many concurrent calls each get their own answer, in any order', async () => {
	const relay = await startTestRelay();
	const { handle, calls, answer } = manualEngine();
	await openTestTab(relay, handle);
	const answers = Array.from({ length: 50 }, (_, i) => post(relay, `/n/${i}`));
	await until(() => calls.length === 50);
	for (let i = 49; i >= 0; i--) answer[i]!(text(calls[i]!.path));
	const bodies = await Promise.all(answers.map(async (response) => (await response).text()));
	expect(bodies).toEqual(answers.map((_, i) => `/n/${i}`));
});

test('headers: only useful ones reach the engine, and browsers cache no answer', async () => {
	const relay = await startTestRelay();
	let sentHeaders: Readonly<Record<string, string>> = {};
	await openTestTab(relay, async (request) => {
		sentHeaders = request.headers;
		return text('');
	});
	const answer = await sendRaw(relay, {
		headers: {
			accept: 'application/json',
			cookie: 'a=b',
			'x-agent': 'me',
			authorization: 'Bearer t',
			'idempotency-key': 'k',
			'x-orrery-call': 'forged',
			'x-orrery-again': '1',
		},
	});
	expect(sentHeaders).toEqual({
		accept: 'application/json',
		'x-agent': 'me',
		authorization: 'Bearer t',
		'idempotency-key': 'k',
		// The link adds the id of the relay and the number of the call.
		'x-orrery-call': expect.stringMatching(/^[0-9a-z]{16}:\d+$/),
	});
	expect(answer.headers['cache-control']).toBe('no-store');
});

test('a fault inside the engine is a 500, and the next call works', async () => {
	const relay = await startTestRelay();
	await openTestTab(relay, (request) =>
		request.path === '/bad' ? Promise.reject(new Error('broken')) : echo(request),
	);
	const bad = await post(relay, '/bad');
	expect(bad.status).toBe(500);
	expect(await bad.json()).toMatchObject({ ok: false, code: 'internal' });
	expect((await post(relay, '/good')).status).toBe(200);
});

test('413 for bodies beyond 64 MiB: immediately by their length, and without a length by counting', async () => {
	const relay = await startTestRelay();
	let calls = 0;
	await openTestTab(relay, async () => {
		calls++;
		return text('');
	});
	const big = Buffer.alloc(MAX_DOCUMENT_BYTES + 1, 32);
	const known = await sendRaw(relay, {
		method: 'POST',
		headers: { 'content-length': String(big.length) },
		body: [big],
	});
	expect(known.status).toBe(413);
	expect(JSON.parse(known.body)).toMatchObject({ ok: false, code: 'too_large' });
	const counted = await sendRaw(relay, {
		method: 'POST',
		headers: { 'transfer-encoding': 'chunked' },
		body: [big],
	});
	expect(counted.status).toBe(413);
	const refused = await sendRaw(relay, {
		method: 'POST',
		headers: { 'content-length': '900000000', expect: '100-continue' },
	}).catch((error: unknown) => error);
	expect(refused).toMatchObject({ status: 413 });
	expect(calls).toBe(0);
	const largest = Buffer.alloc(MAX_DOCUMENT_BYTES, 32);
	expect((await sendRaw(relay, { method: 'POST', body: [largest] })).status).toBe(200);
});

test('413 also for callers that read nothing until they have sent all, and for endless bodies', async () => {
	const relay = await startTestRelay();
	const tooMuch = MAX_DOCUMENT_BYTES + 8 * 1024 * 1024;
	expect(await sendWhole(relay, tooMuch)).toMatch(/^HTTP\/1\.1 413 /);
	const endless = await sendRaw(relay, {
		method: 'POST',
		headers: { 'content-length': String(10 * tooMuch) },
		body: new Array(10).fill(Buffer.alloc(tooMuch, 32)),
	});
	expect(endless.status).toBe(413);
});

test('503 with Retry-After beyond the queue', async () => {
	const relay = await startTestRelay({ calls: 2 });
	const { handle, calls, answer } = manualEngine();
	await openTestTab(relay, handle);
	const first = [post(relay, '/a'), post(relay, '/b')];
	await until(() => calls.length === 2);
	const third = await post(relay, '/c');
	expect(third.status).toBe(503);
	expect(third.headers.get('retry-after')).toBe('1');
	expect(await third.json()).toMatchObject({ ok: false, code: 'busy' });
	for (const answerCall of answer) answerCall(text('ok'));
	for (const call of first) expect((await call).status).toBe(200);
});

test('504 if the engine does not answer, 503 no_engine if no tab comes', async () => {
	const relay = await startTestRelay({ answerWait: 300, tabWait: 300 });
	const vacant = await post(relay, '/a');
	expect(vacant.status).toBe(503);
	expect(await vacant.json()).toMatchObject({
		ok: false,
		code: 'no_engine',
		fix: expect.stringContaining('--headless'),
	});
	const { handle, answer } = manualEngine();
	await openTestTab(relay, handle);
	const timedOut = await post(relay, '/b');
	expect(timedOut.status).toBe(504);
	expect(await timedOut.json()).toMatchObject({ code: 'timeout' });
	answer[0]!(text('too late'));
});

test('calls before the tab wait for it, in order', async () => {
	const relay = await startTestRelay();
	const first = relay.call(requestOf('POST', '/1'));
	const second = relay.call(requestOf('POST', '/2'));
	const paths: string[] = [];
	await openTestTab(relay, async (request) => {
		paths.push(request.path);
		return text(request.path);
	});
	expect(decode((await first).body)).toBe('/1');
	expect(decode((await second).body)).toBe('/2');
	expect(paths).toEqual(['/1', '/2']);
});

test('a reload: the new page takes over the queued calls', async () => {
	const relay = await startTestRelay();
	const first = await openTestTab(relay, echo);
	first.close();
	await until(() => events.at(-1)?.kind === 'left');
	const waiting = relay.call(requestOf('POST', '/waiting'));
	await openTestTab(relay, echo);
	expect(decode((await waiting).body)).toBe('POST /waiting? {}');
});

test('a tab that does not return: its calls go to the next one', async () => {
	const relay = await startTestRelay({ returnWait: 200 });
	const { handle, calls } = manualEngine();
	const tab = await openTestTab(relay, handle);
	const call = post(relay, '/a');
	await until(() => calls.length === 1);
	tab.close();
	await until(() => events.at(-1)?.kind === 'left');
	await openTestTab(relay, echo);
	expect(await (await call).text()).toBe('POST /a? {}');
});

test('a silent tab counts as hung', async () => {
	const events: string[] = [];
	const relay = await startRelay({
		port: 0,
		data,
		page: PAGE,
		limits: { pingEvery: 50, pingsMissed: 2 },
		onTab: (event) => events.push(event.kind),
	});
	cleanups.push(() => relay.close());
	const token = await pageToken(relay.url);
	const socket = new WebSocket(socketUrl(relay.url), { origin: relay.url });
	socket.on('open', () =>
		socket.send(encodeFrames([{ kind: 'engine', version: LINK_VERSION, token, lease: null }])),
	);
	await until(() => events.includes('hung'));
});

test('a token is valid for one socket, and a missing token for none', async () => {
	const relay = await startTestRelay();
	const token = await pageToken(relay.url);
	const hello = (tokenSent: string): Promise<string> =>
		new Promise((resolve) => {
			const socket = new WebSocket(socketUrl(relay.url), { origin: relay.url });
			cleanups.push(() => socket.terminate());
			socket.on('open', () =>
				socket.send(encodeFrames([{ kind: 'engine', version: LINK_VERSION, token: tokenSent, lease: null }])),
			);
			socket.on('message', () => resolve('welcome'));
			socket.on('close', (code) => resolve(code === CLOSE_REFUSED ? 'refused' : String(code)));
		});
	expect(await hello(token)).toBe('welcome');
	expect(await hello(token)).toBe('refused');
	expect(await hello('')).toBe('refused');
	expect(await hello('made-up')).toBe('refused');
});

test('a socket of a foreign or missing origin is refused before it opens', async () => {
	const relay = await startTestRelay();
	for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${relay.port + 1}`, undefined]) {
		const socket = new WebSocket(socketUrl(relay.url), origin === undefined ? {} : { origin });
		const status = await new Promise<number>((resolve) => {
			socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
			socket.on('error', () => {});
			socket.on('open', () => resolve(101));
		});
		expect(status).toBe(403);
		socket.terminate();
	}
});

test('a page of another origin cannot call, with any kind of request', async () => {
	const relay = await startTestRelay();
	let calls = 0;
	await openTestTab(relay, async () => {
		calls++;
		return text('');
	});
	const ownOrigin = `http://127.0.0.1:${relay.port}`;
	const evil = 'http://evil.example';
	const kinds: Record<string, string>[] = [
		{ origin: evil },
		{ origin: 'null' },
		{ 'sec-fetch-site': 'cross-site' },
		{ 'sec-fetch-site': 'same-site' },
		{ origin: evil, 'sec-fetch-site': 'cross-site' },
	];
	for (const headers of kinds) {
		for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
			const answer = await sendRaw(relay, { method, path: '/screenshot', headers });
			expect(answer.status).toBe(403);
			expect(JSON.parse(answer.body)).toMatchObject({ ok: false, code: 'origin_refused' });
			expect(answer.headers['access-control-allow-origin']).toBeUndefined();
		}
	}
	expect(calls).toBe(0);
	expect(
		(await sendRaw(relay, { path: '/x', headers: { origin: ownOrigin, 'sec-fetch-site': 'same-origin' } }))
			.status,
	).toBe(200);
});

test('the page cannot be framed or cached, and a link from another site gets no token', async () => {
	const relay = await startTestRelay();
	const html = { accept: 'text/html' };
	const page = await sendRaw(relay, { headers: html });
	expect(page.headers).toMatchObject({
		'x-frame-options': 'DENY',
		'cache-control': 'no-store',
		'cross-origin-opener-policy': 'same-origin',
		'cross-origin-embedder-policy': 'require-corp',
	});
	const foreign = { ...html, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
	const linked = await sendRaw(relay, { headers: { ...foreign, 'sec-fetch-dest': 'document' } });
	expect(linked.status).toBe(200);
	expect(linked.body).not.toContain('orrery-relay');
	const framed = await sendRaw(relay, { headers: { ...foreign, 'sec-fetch-dest': 'iframe' } });
	expect(framed.status).toBe(403);
});

test('to a name without TLS, browsers send no site header, so the calling page shows in Origin or Referer', async () => {
	const relay = await startTestRelay({}, ['orrery.local']);
	let calls = 0;
	await openTestTab(relay, async () => {
		calls++;
		return text('called');
	});
	const host = `orrery.local:${relay.port}`;
	for (const from of [
		'http://evil.example/page',
		`http://orrery.local.evil.example/`,
		'https://orrery.local/',
		'?',
	])
		for (const path of ['/screenshot', '/history/first']) {
			const { status, body } = await sendRaw(relay, { path, headers: { host, referer: from } });
			expect([status, JSON.parse(body)], from).toMatchObject([403, { code: 'origin_refused' }]);
		}
	expect(calls).toBe(0);
	const html = { accept: 'text/html', host };
	const linked = await sendRaw(relay, { headers: { ...html, referer: 'http://evil.example/page' } });
	expect([linked.status, linked.body.includes('orrery-relay')]).toEqual([200, false]);
	// The page itself, a person who types the address, and programs.
	const ownPage = `http://${host}/?seed=1`;
	expect((await sendRaw(relay, { path: '/observe', headers: { host, referer: ownPage } })).status).toBe(200);
	expect((await sendRaw(relay, { path: '/observe', headers: { host } })).status).toBe(200);
	expect((await sendRaw(relay, { headers: { ...html, referer: ownPage } })).body).toContain('orrery-relay');
});

test('Host must be this machine or a listed name', async () => {
	const relay = await startTestRelay({}, ['orrery.local']);
	await openTestTab(relay, echo);
	for (const host of ['evil.example', `evil.example:${relay.port}`, '127.0.0.1.evil.example']) {
		const answer = await sendRaw(relay, { path: '/observe', headers: { host } });
		expect(answer.status).toBe(403);
		expect(JSON.parse(answer.body)).toMatchObject({ code: 'host_refused' });
	}
	for (const host of ['localhost', `127.0.0.1:${relay.port}`, '[::1]:3917', 'Orrery.Local:80']) {
		expect((await sendRaw(relay, { path: '/observe', headers: { host } })).status).toBe(200);
	}
});

test('GET / is the page for a browser and the status for a program', async () => {
	const relay = await startTestRelay();
	await openTestTab(relay, echo);
	expect((await sendRaw(relay, { headers: { accept: 'text/html,*/*' } })).headers['content-type']).toContain(
		'text/html',
	);
	expect((await sendRaw(relay, { headers: { accept: '*/*' } })).body).toBe('GET /? ');
});

test('a port in use gives a clear error', async () => {
	const relay = await startTestRelay();
	await expect(startRelay({ port: relay.port, data, page: PAGE })).rejects.toThrow(
		/Port \d+ is in use.*--port/,
	);
});

test('the engine reads and writes files over the same socket', async () => {
	const relay = await startTestRelay();
	const { link, cut } = await openTestTab(relay, echo);
	const bytes = new Uint8Array(300_000).map((_, i) => i);
	await link.files.write('levels/a.json', bytes);
	expect(Buffer.from(await link.files.read('levels/a.json')).equals(Buffer.from(bytes))).toBe(true);
	expect(link.files.storage).toBe(relay.data);
	await expect(link.files.read('levels/none.json')).rejects.toMatchObject({ reason: 'missing' });
	await expect(link.files.read('../secret')).rejects.toMatchObject({ reason: 'refused' });
	cut();
	await link.files.write('after.txt', new Uint8Array([1]));
	expect(await link.files.read('after.txt')).toEqual(new Uint8Array([1]));
});

test('a client that leaves ends its call, also if it left while the socket was lost', async () => {
	const relay = await startTestRelay();
	const endedPaths: string[] = [];
	const listeners: (() => void)[] = [];
	const tab = await openTestTab(
		relay,
		({ path }, signal) =>
			new Promise((resolve) => {
				listeners.shift()?.();
				signal!.addEventListener('abort', () => {
					endedPaths.push(path);
					resolve(text('late'));
					listeners.shift()?.();
				});
			}),
	);
	const nextEvent = () => new Promise<void>((resolve) => listeners.push(resolve));
	const leave = new AbortController();
	const arrived = nextEvent();
	const leaving = fetch(`${relay.url}/long`, { signal: leave.signal }).catch((error: Error) => error.name);
	await arrived;
	const stopped = nextEvent();
	leave.abort();
	expect(await leaving).toBe('AbortError');
	await stopped;
	expect(endedPaths).toEqual(['/long']);

	const otherArrived = nextEvent();
	const secondLeave = new AbortController();
	const otherLeaving = fetch(`${relay.url}/other`, { signal: secondLeave.signal }).catch(
		(error: Error) => error.name,
	);
	await otherArrived;
	const otherStopped = nextEvent();
	tab.cut();
	secondLeave.abort();
	expect(await otherLeaving).toBe('AbortError');
	await otherStopped;
	expect(endedPaths).toEqual(['/long', '/other']);
});

test('a start without its own port opens no world, and early calls wait for one', async () => {
	let opens = 0;
	const firstJournal = Promise.withResolvers<undefined>();
	const started = startRelay({
		port: 0,
		data,
		page: PAGE,
		journal: () => {
			opens++;
			return firstJournal.promise;
		},
		limits: { tabWait: 0 },
	});
	firstJournal.resolve(undefined);
	const first = await started;
	expect(opens).toBe(1);
	const { port } = first;
	const journal = () => {
		opens++;
		return Promise.resolve(undefined);
	};
	await expect(startRelay({ port, data, page: PAGE, journal })).rejects.toThrow(String(port));
	expect(opens).toBe(1);
	await first.close();
	const secondJournal = Promise.withResolvers<undefined>();
	const opening = Promise.withResolvers<void>();
	const second = startRelay({
		port,
		data,
		page: PAGE,
		journal: () => {
			opening.resolve();
			return secondJournal.promise;
		},
		limits: { tabWait: 0 },
	});
	await opening.promise;
	const early = fetch(`http://127.0.0.1:${port}/digest`);
	secondJournal.resolve(undefined);
	expect((await early).status).toBe(503);
	await (await second).close();
	const failing = startRelay({
		port,
		data,
		page: PAGE,
		journal: () => Promise.reject(new Error('It is damaged.')),
	});
	await expect(failing).rejects.toThrow('It is damaged.');
	// The port is free again.
	await (await startRelay({ port, data, page: PAGE })).close();
});

test('a stopping relay answers the calls of its tab, and refuses later ones with a clear error', async () => {
	const relay = await startTestRelay();
	const { handle, calls, answer } = manualEngine();
	await openTestTab(relay, handle);
	const delivered = post(relay, '/spawn');
	await until(() => calls.length === 1);
	let isFinished = false;
	const finishing = relay.finishCalls().then(() => {
		isFinished = true;
	});
	const refused = await post(relay, '/spawn');
	expect(refused.status).toBe(503);
	expect(await refused.json()).toMatchObject({ code: 'no_engine', applied: false });
	expect(isFinished).toBe(false);
	answer[0]!(text('done'));
	expect(await (await delivered).text()).toBe('done');
	await finishing;
	expect(calls).toHaveLength(1);
});

test('a call that outlasts the stop of a relay is reported as lost, not refused', async () => {
	const relay = await startTestRelay({ finishWait: 50 });
	const { handle, calls } = manualEngine();
	await openTestTab(relay, handle);
	const delivered = post(relay, '/spawn');
	await until(() => calls.length === 1);
	await relay.finishCalls();
	await relay.close();
	expect((await delivered).status).toBe(502);
	expect(await (await delivered).json()).toMatchObject({ code: 'engine_lost' });
});

test('a call without a tab is refused immediately when a relay stops', async () => {
	const calls = new PendingCalls(RELAY_LIMITS);
	const refused = Promise.withResolvers<WireResponse>();
	calls.submit(requestOf('POST', '/spawn', {}), refused.resolve);
	await calls.finishCalls(60_000);
	const { status, body } = await refused.promise;
	expect([status, JSON.parse(decode(body))]).toMatchObject([503, { code: 'no_engine', applied: false }]);
});

test('calls wait until the first scene is loaded, and calls of the relay itself do not', async () => {
	const relay = await startTestRelay({ statusWait: 20 }, [], true);
	const paths: string[] = [];
	await openTestTab(relay, async ({ path }) => {
		paths.push(path);
		return text('done');
	});
	const waitingCall = post(relay, '/spawn');
	const status = await fetch(relay.url);
	expect(status.status).toBe(503);
	expect(await status.json()).toMatchObject({ code: 'busy', busy: { starting: true } });
	await relay.call(requestOf('POST', '/scenario', {}));
	expect(paths).toEqual(['/scenario']);
	relay.releaseCalls();
	expect((await waitingCall).status).toBe(200);
	expect((await post(relay, '/step')).status).toBe(200);
	expect(paths).toEqual(['/scenario', '/spawn', '/step']);
});

test('GET /health is 200 while an engine answers, and else 503 with the reason after a short wait', async () => {
	const relay = await startTestRelay({ statusWait: 20 });
	const vacant = await fetch(`${relay.url}/health`);
	expect(vacant.status).toBe(503);
	expect(await vacant.json()).toMatchObject({ ok: false, code: 'no_engine' });
	await openTestTab(relay, async ({ path }) => text(path));
	const answered = await fetch(`${relay.url}/health`);
	expect([answered.status, await answered.text()]).toEqual([200, '/health']);
});
