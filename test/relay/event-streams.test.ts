/** Streams of events over HTTP: a watcher receives the events of another client's calls. */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runCommandLine } from '../../relay/cli/run-command-line.ts';
import { type RelayLimits, startRelay } from '../../relay/server.ts';
import type { CallHandler } from '../../shared/contract/wire.ts';
import { EVENT_KINDS } from '../../shared/documents/event.ts';
import { httpHandle } from '../../shared/transport/client.ts';
import { step } from '../../web/sim/step.ts';
import { EventLog } from '../../web/store/event-view.ts';
import { clientOf, startEngine } from '../support/engine.ts';
import { type ServerEvent, watchEvents } from '../support/event-source.ts';
import { openScene } from '../support/scenes.ts';
import { createTestTerminal } from './cli/test-terminal.ts';
import { openTab } from './fake-tab.ts';
import { listAgents, newAgent } from './sign-in/keys.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
});

async function serverOf(handle: CallHandler, limits: Partial<RelayLimits> = {}, auth = false) {
	const data = await mkdtemp(join(tmpdir(), 'orrery-streams-'));
	cleanups.push(() => rm(data, { recursive: true, force: true }));
	if (auth) await listAgents(data, [[newAgent('ada'), { number: 1 }]]);
	const page = { html: async () => '<html><head></head></html>', serve: () => false };
	const relay = await startRelay({ port: 0, data, page, limits, auth });
	cleanups.push(() => relay.close());
	const tab = await openTab(relay.url, handle);
	cleanups.push(() => tab.close());
	return { relay, ...clientOf(httpHandle(relay.url)) };
}

async function fight() {
	const engine = await openScene('arena', 1);
	cleanups.push(() => engine.close());
	return { engine, ...(await serverOf(engine.handleFrom('relay'))) };
}

const dataOf = (events: readonly ServerEvent[]): unknown[] => events.map(({ data }) => data);

test('a watcher sees every event of a long step of another client, also across a lost connection', async () => {
	const { engine, relay, must } = await fight();
	await must('POST', '/fork', { fork_id: 'plan' });
	const { world } = engine.worlds.find('plan')!;
	const log = new EventLog(EVENT_KINDS, Number.POSITIVE_INFINITY);
	for (let tick = 0; tick < 2000; tick++) {
		step(world);
		log.addEvents(world);
	}
	const expected = log.events;
	expect(expected.length).toBeGreaterThan(100);
	const steady = await watchEvents(`${relay.url}/events/stream`);
	const first = await watchEvents(`${relay.url}/events/stream`);
	const stepped = must('POST', '/step', { ticks: 2000 });
	const half = await first.take(Math.floor(expected.length / 2));
	first.close();
	const second = await watchEvents(`${relay.url}/events/stream`, half.at(-1)!.id);
	const rest = await second.take(expected.length - half.length);
	await stepped;
	expect(dataOf([...half, ...rest])).toEqual(expected);
	expect(dataOf(await steady.take(expected.length))).toEqual(expected);
	await must('POST', '/events', { type: 'SignalEvent', name: 'horn' });
	await must('POST', '/step');
	expect((await second.take(1))[0]).toMatchObject({ data: { type: 'SignalEvent', tick: 2000 } });
	for (const stream of [steady, second]) stream.close();
});

test('a deleted world ends its stream with the reason, and a stopping server ends every stream', async () => {
	const { relay, must } = await fight();
	await must('POST', '/fork', { fork_id: 'plan' });
	const plan = await watchEvents(`${relay.url}/events/stream?world=plan&events=signal`);
	const main = await watchEvents(`${relay.url}/events/stream`);
	const { terminal, printed } = createTestTerminal({ ORRERY_SERVER: relay.url }, new Map(), new Map());
	const printing = Promise.withResolvers<void>();
	const followed = runCommandLine(
		['events', 'follow', '--world', 'plan', '--since', '0', '--events', 'signal'],
		{
			...terminal,
			out(text) {
				terminal.out(text);
				printing.resolve();
			},
		},
	);
	await must('POST', '/events?world=plan', { type: 'SignalEvent', name: 'horn' });
	await must('POST', '/step?world=plan');
	expect(await plan.take(1)).toMatchObject([{ name: 'message', data: { type: 'SignalEvent' } }]);
	await printing.promise;
	await must('POST', '/fork/plan/promote', {});
	expect(await main.take(1)).toMatchObject([
		{ name: 'replaced', data: { tick: 1, state_digest: expect.any(String) } },
	]);
	expect(await plan.take(1)).toMatchObject([{ name: 'end', data: { code: 'unknown_world' } }]);
	await plan.ended;
	expect(await followed).toBe(1);
	const lines = printed.out
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as unknown);
	expect(lines).toMatchObject([
		{ id: expect.any(String), type: 'SignalEvent', tick: 0 },
		{ event: 'end', code: 'unknown_world' },
	]);
	void relay.finishCalls();
	expect(await main.take(1)).toMatchObject([{ name: 'end', data: { code: 'no_engine' } }]);
	await main.ended;
});

test('the number of streams is limited, and a waiting stream costs the engine no work', async () => {
	const engine = await openScene('arena', 1);
	cleanups.push(() => engine.close());
	const limits = { streams: 2, anonymousStreams: 1 };
	for (const [auth, status, code] of [
		[false, 503, 'busy'],
		[true, 429, 'too_many_calls'],
	] as const) {
		const { relay, get } = await serverOf(engine.handleFrom('relay'), limits, auth);
		const open = [await watchEvents(`${relay.url}/events/stream`)];
		if (!auth) open.push(await watchEvents(`${relay.url}/events/stream`));
		const refused = await fetch(`${relay.url}/events/stream`);
		expect([refused.status, await refused.json()]).toMatchObject([status, { code, fix: expect.any(String) }]);
		// A call that waits for any change costs no work either. Without a session, it gets an immediate answer.
		const { change } = (await get('/watch')) as { change: number };
		const watching = fetch(`${relay.url}/watch?change=${change}&wait=20`).then((answer) => answer.json());
		if (auth) expect(await watching).toMatchObject({ change });
		expect(await get('/health')).toMatchObject({ ok: true });
		if (!auth) expect(((await watching) as { change: number }).change).toBeGreaterThan(change);
		for (const stream of open) stream.close();
		await relay.finishCalls();
	}
});

test('a slow reader is disconnected, and learns where to continue', async () => {
	const { engine } = await startEngine();
	cleanups.push(() => engine.close());
	const { relay, must } = await serverOf(engine.handleFrom('relay'), { streams: 1, streamStall: 500 });
	const slow = connect(relay.port, '127.0.0.1');
	cleanups.push(() => slow.destroy());
	slow.write(
		`GET /events/stream HTTP/1.1\r\nHost: 127.0.0.1:${relay.port}\r\nAccept: text/event-stream\r\n\r\n`,
	);
	const [head] = await once(slow, 'data');
	expect(String(head)).toContain('200 OK');
	slow.pause();
	const loud = { path: '/events', body: { type: 'SignalEvent', name: 'loud', data: 'x'.repeat(20_000) } };
	const requests = [...Array.from({ length: 90 }, () => loud), { path: '/step', body: {} }];
	for (let i = 0; i < 12; i++) await must('POST', '/batch', { requests });
	let other: Response;
	do other = await fetch(`${relay.url}/events/stream`);
	while (other.status === 503);
	await other.body!.cancel();
	let text = '';
	const ended = new Promise<void>((resolve) => {
		slow.on('data', (bytes) => {
			text += bytes;
			if (text.slice(-600).includes('event: end')) resolve();
		});
	});
	slow.resume();
	await ended;
	expect(text.slice(-500)).toMatch(/event: end\ndata: .*"code":"timeout"/);
});
