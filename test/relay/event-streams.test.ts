/** Streams of events over HTTP: a watcher on a connection of its own sees all that another client's calls bring about. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runCommandLine } from '../../relay/cli/run.ts';
import { type RelayLimits, startRelay } from '../../relay/server.ts';
import type { CallHandler } from '../../shared/contract/wire.ts';
import { EVENT_KINDS } from '../../shared/documents/event.ts';
import { httpHandle } from '../../shared/transport/client.ts';
import { EventLog } from '../../web/api/event-view.ts';
import { step } from '../../web/sim/step.ts';
import { clientOf } from '../support/engine.ts';
import { type ServerEvent, watchEvents } from '../support/event-source.ts';
import { openScene } from '../support/scenes.ts';
import { testTerminal } from './cli/test-terminal.ts';
import { openTab } from './fake-tab.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

async function serverOf(handle: CallHandler, limits: Partial<RelayLimits> = {}, auth = false) {
	const data = await mkdtemp(join(tmpdir(), 'orrery-streams-'));
	ends.push(() => rm(data, { recursive: true, force: true }));
	const page = { html: async () => '<html><head></head></html>', serve: () => false };
	const relay = await startRelay({ port: 0, data, page, limits, auth });
	ends.push(() => relay.close());
	const tab = await openTab(relay.url, handle);
	ends.push(() => tab.close());
	return { relay, ...clientOf(httpHandle(relay.url)) };
}

async function fight() {
	const engine = await openScene('arena', 1);
	ends.push(() => engine.close());
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
		log.take(world);
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

test('a deleted world ends its stream with the reason, and a stopping server every stream', async () => {
	const { relay, must } = await fight();
	await must('POST', '/fork', { fork_id: 'plan' });
	const plan = await watchEvents(`${relay.url}/events/stream?world=plan&events=signal`);
	const main = await watchEvents(`${relay.url}/events/stream`);
	const { terminal, printed } = testTerminal({ ORRERY_SERVER: relay.url }, new Map(), new Map());
	const followed = runCommandLine(
		['events', 'follow', '--world', 'plan', '--since', '0', '--events', 'signal'],
		terminal,
	);
	await must('POST', '/events?world=plan', { type: 'SignalEvent', name: 'horn' });
	await must('POST', '/step?world=plan');
	expect(await plan.take(1)).toMatchObject([{ name: 'message', data: { type: 'SignalEvent' } }]);
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
	void relay.rest();
	expect(await main.take(1)).toMatchObject([{ name: 'end', data: { code: 'no_engine' } }]);
	await main.ended;
});

test('the number of streams is bounded, and a stream that waits is no work for the engine', async () => {
	const engine = await openScene('arena', 1);
	ends.push(() => engine.close());
	const { relay, get } = await serverOf(engine.handleFrom('relay'), { streams: 1 });
	const one = await watchEvents(`${relay.url}/events/stream`);
	const refused = await fetch(`${relay.url}/events/stream`);
	expect([refused.status, await refused.json()]).toMatchObject([
		503,
		{ code: 'busy', fix: expect.any(String) },
	]);
	expect(await get('/health')).toMatchObject({ ok: true });
	one.close();
	await relay.rest();
});
