/** A real engine with its journal at the relay. Another engine rebuilds every answered call, to the same digest. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import { startRelay } from '../../../relay/server.ts';
import { JournalError } from '../../../shared/transport/journal.ts';
import { openJournalTab } from '../journal-tab.ts';
import { FaultyDisk } from './faulty-journal.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
});

/** Returns a relay with a journal on a disk that may fail, and `begin`, which starts an engine on it. */
async function startFaultyRelay() {
	const data = await mkdtemp(join(tmpdir(), 'orrery-relay-'));
	cleanups.push(() => rm(data, { recursive: true, force: true }));
	const faulty = new FaultyDisk();
	const files = faulty.under(await DatabaseJournal.open(join(data, 'world')));
	cleanups.push(() => files.close());
	const events: string[] = [];
	const relay = await startRelay({
		port: 0,
		data,
		page: { html: async () => '<!doctype html><html><head></head><body></body></html>', serve: () => false },
		journal: async () => ({ journal: files, id: 'world' }),
		limits: { returnWait: 50 },
		onTab: ({ kind }) => events.push(kind),
	});
	cleanups.push(() => relay.close());
	const post = async (path: string, body: object) => {
		const response = await fetch(relay.url + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return { status: response.status, body: (await response.json()) as Record<string, unknown> };
	};

	/** Starts an engine on the relay, with the world of the journal. */
	const begin = async () => {
		const tab = await openJournalTab(relay.url);
		await tab.engine;
		return tab;
	};
	return { files, faulty, relay, post, begin, events };
}

test('an engine writes through the relay, is killed, and another resumes its world', async () => {
	const { faulty, relay, post, begin, events } = await startFaultyRelay();
	const first = await begin();
	await post('/spawn', { mesh: 'sphere', physics_body: 'Dynamic', position: [0, 5, 0] });
	await post('/fork', { fork_id: 'plan' });
	const stepped = await post('/step', { ticks: 30 });
	expect(stepped.status).toBe(200);
	const calls = await Promise.all(Array.from({ length: 20 }, () => post('/step', { ticks: 1 })));
	expect(calls.every(({ status }) => status === 200)).toBe(true);
	const before = await post('/observe', {});

	faulty.isFull = true;
	expect((await post('/step', { ticks: 1 })).body).toMatchObject({ code: 'not_kept' });
	expect((await post('/step', { ticks: 1 })).body).toMatchObject({ code: 'not_kept', applied: false });
	first.kill();
	await vi.waitFor(() => expect(events).toContain('left'), 60_000);

	// Only the call whose answer said that it was not stored is lost.
	faulty.isFull = false;
	const second = await begin();
	cleanups.push(() => second.kill());
	const after = await post('/observe', {});
	expect(after.body.state_digest).toBe(before.body.state_digest);
	expect(after.body.tick).toBe(before.body.tick);
	expect(after.body.tick).toBe(50);
	expect((await (await fetch(`${relay.url}/fork/list`)).json()).forks).toHaveLength(1);
	expect((await post('/step', { ticks: 1 })).status).toBe(200);
});

test('calls whose entries cannot be stored are answered, and are stored later when that is possible', async () => {
	const { files, post, begin } = await startFaultyRelay();
	const tab = await begin();
	cleanups.push(() => tab.kill());
	const keepBlob = vi.spyOn(files, 'keepBlob');
	keepBlob.mockRejectedValue(new JournalError('full', 'The blob could not be stored: the disk is full.'));
	// A body of this size is a separate blob.
	const requests = Array.from({ length: 400 }, () => ({
		path: '/spawn',
		body: { tags: ['of a long body'] },
	}));
	const [first, second] = await Promise.all([post('/batch', { requests }), post('/spawn', {})]);
	for (const { status, body } of [first, second]) {
		expect(status).toBe(503);
		expect(body).toMatchObject({ code: 'not_kept', error: expect.stringContaining('the disk is full') });
	}
	keepBlob.mockRestore();
	await vi.waitFor(async () => expect((await post('/step', {})).status).toBe(200), {
		timeout: 60_000,
		interval: 100,
	});
	expect((await post('/spawn', {})).status).toBe(201);
});
