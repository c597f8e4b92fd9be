/** Calls over a port: they end when their caller goes away, and are refused when the engine goes away. */

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

test('an aborted call ends alone, and a closed port ends all its calls', async () => {
	const { port1, port2 } = new MessageChannel();
	const endedPaths: string[] = [];
	const allEnded = new Promise<void>((resolve) => {
		servePort(port1, ({ path }, signal) => {
			return new Promise((answer) => {
				signal!.addEventListener('abort', () => {
					endedPaths.push(path);
					answer({ status: 409, headers: {}, body: EMPTY_BODY });
					if (endedPaths.length === 3) resolve();
				});
			});
		});
	});
	const handle = portHandle(port2);
	const controller = new AbortController();
	const firstAnswer = handle(request('/one'), controller.signal);
	const secondAnswer = handle(request('/two'));
	void handle(request('/three'));
	controller.abort();
	expect((await firstAnswer).status).toBe(409);
	expect(endedPaths).toEqual(['/one']);
	port2.close();
	await allEnded;
	expect(endedPaths.slice(1).sort()).toEqual(['/three', '/two']);
	expect(JSON.parse(new TextDecoder().decode((await secondAnswer).body)).code).toBe('engine_lost');
	expect((await handle(request('/four'))).status).toBe(502);
});

test('waiting and new calls are refused when the engine vanishes, and the port closes once', async () => {
	const { port2 } = new MessageChannel();
	const engine = Promise.withResolvers<void>();
	let closeCount = 0;
	const handle = portHandle(port2, () => closeCount++, engine.promise);
	const waitingAnswer = handle(request('/one'));
	engine.resolve();
	expect(JSON.parse(new TextDecoder().decode((await waitingAnswer).body)).code).toBe('engine_lost');
	expect((await handle(request('/two'))).status).toBe(502);
	expect(closeCount).toBe(1);
	port2.close();
});
