/** Calls over a connection that breaks: each is applied once, and gets its answer. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorResponse } from '../../../shared/contract/error-response.ts';
import { ApiError, type ErrorCode } from '../../../shared/contract/errors.ts';
import { EMPTY_BODY, type WireRequest } from '../../../shared/contract/wire.ts';
import { step } from '../../../shared/routes/simulation.ts';
import { spawn } from '../../../shared/routes/world.ts';
import { createClient, httpHandle } from '../../../shared/transport/client.ts';
import { withRetries } from '../../../shared/transport/retry-calls.ts';
import { requestOf, startEngine, type TestEngine } from '../../support/engine.ts';

let testEngine: TestEngine;
let server: Server;
let url: string;
/** Fates of the next answers: sent whole, cut off in the middle, or never sent. */
let fates: ('whole' | 'cut' | 'gone')[];
let requests: WireRequest[];

beforeEach(async () => {
	testEngine = await startEngine();
	fates = [];
	requests = [];
	server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = '', url: path = '', headers } = request;
		const body = new Uint8Array(Buffer.concat(chunks));
		const wireRequest = { method, path, query: '', headers: headers as Record<string, string>, body };
		requests.push(wireRequest);
		const answer = await testEngine.engine.handle(wireRequest);
		const fate = fates.shift() ?? 'whole';
		if (fate === 'gone') return void request.socket.destroy();
		response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
		if (fate === 'whole') return void response.end(answer.body);
		response.write(answer.body.subarray(0, 20), () => request.socket.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
	server.closeAllConnections();
	server.close();
	await testEngine.engine.close();
});

test('an answer that is cut off or missing is requested again under the same key, and the call was applied once', async () => {
	const client = createClient(httpHandle(url));
	fates = ['whole', 'cut', 'gone', 'cut', 'whole', 'cut'];
	const { id } = await client.call(spawn, { body: { mesh: 'cube' } });
	const secondSpawn = await client.call(spawn, { body: { mesh: 'cube' } });
	expect([id, secondSpawn.id]).toEqual([0, 1]);
	expect(testEngine.engine.worlds.main.world.entities.count).toBe(2);
	expect((await client.call(step, { body: { ticks: 3 } })).new_tick).toBe(3);
	const keys = requests.map(({ headers }) => headers['idempotency-key']);
	expect(requests.length).toBe(7);
	expect(new Set(keys).size).toBe(3);
	expect(keys[0]).toMatch(/^[0-9a-z]{16}$/);
});

test('a key of the caller is kept, and reads have none', async () => {
	const handle = httpHandle(url);
	await handle({
		...requestOf('POST', '/spawn'),
		headers: { 'content-type': 'application/json', 'idempotency-key': 'mine' },
	});
	await handle({ ...requestOf('GET', '/'), headers: {} });
	expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', undefined]);
});

/** Returns a function that sends one call. Its handle refuses with these codes in turn, and then answers 200. */
function callerRefusedWith(...codes: readonly (ErrorCode | 'html')[]) {
	const pendingCodes = [...codes];
	const waits: number[] = [];
	let tries = 0;
	const handle = withRetries(
		async () => {
			tries++;
			const code = pendingCodes.shift();
			if (code === undefined) return { status: 200, headers: {}, body: EMPTY_BODY };
			if (code === 'html') return { status: 502, headers: { 'content-type': 'text/html' }, body: EMPTY_BODY };
			return errorResponse(
				new ApiError(code, 'No.', { details: { applied: false } }),
				code === 'engine_lost' ? 502 : 503,
			);
		},
		{ wait: async (ms) => void waits.push(ms), now: () => waits.reduce((sum, ms) => sum + ms, 0) },
	);
	return async () => ({ status: (await handle(requestOf('POST', '/spawn'))).status, tries, waits });
}

test('temporary failures are retried, each after twice the wait', async () => {
	expect(await callerRefusedWith('no_engine', 'busy', 'html', 'not_kept')()).toEqual({
		status: 200,
		tries: 5,
		waits: [100, 200, 400, 800],
	});
});

test('retries are limited, and permanent failures are not retried', async () => {
	const failure = await callerRefusedWith(...Array.from({ length: 20 }, () => 'no_engine' as const))();
	expect(failure).toMatchObject({ status: 503, tries: 6 });
	expect(await callerRefusedWith('no_auth')()).toMatchObject({ status: 503, tries: 1 });
	expect(await callerRefusedWith('engine_lost')()).toMatchObject({ status: 502, tries: 1 });
});

test('a connection that is refused is reported at once before the first answer, and retried after it', async () => {
	const connectionError = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
	let isDown = true;
	const waits: number[] = [];
	const handle = withRetries(
		async () => {
			if (isDown) throw connectionError;
			return { status: 200, headers: {}, body: EMPTY_BODY };
		},
		{
			wait: async (ms) => {
				waits.push(ms);
				isDown = waits.length < 2;
			},
		},
	);
	await expect(handle(requestOf('GET', '/'))).rejects.toBe(connectionError);
	expect(waits).toEqual([]);
	isDown = false;
	await handle(requestOf('GET', '/'));
	isDown = true;
	expect((await handle(requestOf('GET', '/'))).status).toBe(200);
	expect(waits).toEqual([100, 200]);
});
