/**
 * The relay's own engine in a worker thread. After the thread ends, the world resumes and pages still visit it.
 * Owns: the cases of engine-thread.ts and port-socket.ts.
 */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import { type Relay, startRelay } from '../../../relay/server.ts';
import { EngineThread } from '../../../relay/thread/engine-thread.ts';
import { PortSocket } from '../../../relay/thread/port-socket.ts';
import { IDENTITY_HEADER } from '../../../shared/contract/wire.ts';
import { clientOf, requestOf } from '../../support/engine.ts';
import { PATIENCE } from '../../support/patience.ts';
import { openPage } from '../fake-tab.ts';
import { openJournalPage } from '../journal-tab.ts';

let data: string;
let relay: Relay;
let thread: EngineThread;
let lines: string[];
const cleanups: (() => unknown)[] = [];

const newThread = () =>
	new EngineThread({
		settings: { profile: 'full', gated: false },
		say: (sentence) => lines.push(sentence),
		firstWait: 1,
	});

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-thread-'));
	cleanups.push(() => rm(data, { recursive: true, force: true }));
	lines = [];
	const journal = await DatabaseJournal.open(join(data, 'world'));
	cleanups.push(() => journal.close());
	thread = newThread();
	relay = await startRelay({
		port: 0,
		data,
		page: { html: async () => '<!doctype html><html><head></head><body></body></html>', serve: () => false },
		journal: async () => ({ journal, id: 'world', note: async () => {} }),
		limits: { returnWait: 50, tabWait: PATIENCE },
	});
	cleanups.push(
		() => relay.close(),
		() => thread.stop(),
	);
	relay.setHasOwnEngine(true);
	thread.start(relay);
});
afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
});

test('after a thread crashes, another resumes the world, and pages still visit it', async () => {
	const { must, digest } = clientOf(relay.call);
	await must('POST', '/spawn', { health: 5 });
	const { state_digest } = await must('POST', '/step', { ticks: 3 });
	const page = await openPage(relay.url);
	cleanups.push(() => page.close());
	expect(await page.until('visit')).toMatchObject({ holder: 'headless' });
	for (let crash = 0; crash < 2; crash++) {
		thread.replace();
		expect(await digest()).toBe(state_digest);
	}
	expect(lines).toEqual(Array(2).fill('The thread of the engine hangs; a new one is starting.'));
	expect(page.roles.map(({ role }) => role)).not.toContain('hold');
});

test('a person moves the world to a tab, and after the tab closes a thread resumes it', async () => {
	const { must, get, digest } = clientOf(relay.call);
	await must('POST', '/spawn', { health: 5 });
	const { state_digest } = await must('POST', '/step', { ticks: 3 });
	const tabPage = await openJournalPage(relay.url);
	await tabPage.page.until('visit');
	tabPage.page.claim();
	const engine = await (await tabPage.tab).engine;
	expect(engine.identity).toBe((await relay.call(requestOf('GET', '/'))).headers[IDENTITY_HEADER]);
	await must('POST', '/step', { ticks: 1 });
	expect(engine.worlds.main.world.tick).toBe(4);
	tabPage.close();
	expect((await get('/digest')).tick).toBe(4);
	expect(await digest()).not.toBe(state_digest);
});

test('ticks of play are in the journal after a stop', async () => {
	const { must, get } = clientOf(relay.call);
	await must('POST', '/play', {});
	let tick = 0;
	while (tick < 5) ({ tick } = await get('/digest'));
	await thread.stop();
	thread = newThread();
	thread.start(relay);
	expect((await get('/digest')).tick).toBeGreaterThanOrEqual(tick);
});

test('a port carries bytes that are part of a buffer, and gives the other end its close code, or none', async () => {
	const pair = () => {
		const { port1, port2 } = new MessageChannel();
		return [new PortSocket(port1), new PortSocket(port2)] as const;
	};
	const [portSocket, other] = pair();
	const received = once(other, 'message');
	portSocket.send(new Uint8Array([1, 2, 3]).subarray(1));
	expect([...new Uint8Array((await received)[0] as ArrayBuffer)]).toEqual([2, 3]);
	const closed = once(other, 'close');
	portSocket.close(4001);
	expect([await closed, portSocket.readyState === portSocket.OPEN]).toEqual([[4001], false]);
	const [third, fourth] = pair();
	const abnormalClose = once(fourth, 'close');
	third.terminate();
	expect(await abnormalClose).toEqual([1006]);
});
