/** Calls over a port: answered in any order, ended when their caller goes away, refused when the engine does. */

import { expect, test } from 'vitest';
import { EMPTY_BODY, type WireRequest } from '../../../shared/contract/wire.ts';
import { portHandle, servePort } from '../../../shared/transport/call-port.ts';

const request = (path: string): WireRequest => ({
	method: 'GET',
	path,
	query: '',
	headers: {},
	body: EMPTY_BODY,
});

test('a caller that leaves alone ends its own call, and one that leaves with its port ends all', async () => {
	const { port1, port2 } = new MessageChannel();
	const ended: string[] = [];
	const all = new Promise<void>((resolve) => {
		servePort(port1, ({ path }, signal) => {
			return new Promise((answer) => {
				signal!.addEventListener('abort', () => {
					ended.push(path);
					answer({ status: 409, headers: {}, body: EMPTY_BODY });
					if (ended.length === 3) resolve();
				});
			});
		});
	});
	const handle = portHandle(port2);
	const first = new AbortController();
	const firstAnswer = handle(request('/one'), first.signal);
	const two = handle(request('/two'));
	void handle(request('/three'));
	first.abort();
	expect((await firstAnswer).status).toBe(409);
	expect(ended).toEqual(['/one']);
	port2.close();
	await all;
	expect(ended.slice(1).sort()).toEqual(['/three', '/two']);
	expect(JSON.parse(new TextDecoder().decode((await two).body)).code).toBe('engine_lost');
	expect((await handle(request('/four'))).status).toBe(502);
});

test('an engine that vanishes refuses waiting and new calls', async () => {
	const { port2 } = new MessageChannel();
	const engine = Promise.withResolvers<void>();
	let closed = 0;
	const handle = portHandle(port2, () => closed++, engine.promise);
	const waits = handle(request('/one'));
	engine.resolve();
	expect(JSON.parse(new TextDecoder().decode((await waits).body)).code).toBe('engine_lost');
	expect((await handle(request('/two'))).status).toBe(502);
	expect(closed).toBe(1);
	port2.close();
});
