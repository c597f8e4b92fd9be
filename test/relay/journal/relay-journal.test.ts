/** The relay sends the answer to a call only after the journal has stored the call. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import { type Relay, startRelay } from '../../../relay/server.ts';
import { ENTRY_HEADER } from '../../../shared/contract/wire.ts';
import type { RemoteJournal } from '../../../web/host/journal/remote-journal.ts';
import { entryOf, readAll } from '../../support/journal-suite.ts';
import { acquireJournal, type Owned } from '../../support/owned-journal.ts';
import { type FakeTab, openTab, text } from '../fake-tab.ts';
import { FaultyDisk } from './faulty-journal.ts';

let data: string;
let faulty: FaultyDisk;
let files: DatabaseJournal;
let relay: Relay;
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-relay-'));
	faulty = new FaultyDisk();
	files = await DatabaseJournal.open(join(data, 'world'));
	relay = await startRelay({
		port: 0,
		data,
		page: { html: async () => '<!doctype html><html><head></head><body></body></html>', serve: () => false },
		journal: async () => ({ journal: faulty.under(files), id: 'world' }),
	});
});

afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
	await relay.close();
	await files.close();
	await rm(data, { recursive: true, force: true });
});

/** Starts an engine that appends each call and answers immediately with the number of its entry. */
async function startEngine(): Promise<{
	readonly tab: FakeTab;
	/** Acquires the journal again, under another lease. */
	readonly journal: () => Promise<Owned<RemoteJournal>>;
	calls: number;
}> {
	let next = files.next;
	const request = {
		tab: undefined as unknown as FakeTab,
		journal: () => acquireJournal(request.tab.journal()),
		calls: 0,
	};
	request.tab = await openTab(relay.url, async ({ path }) => {
		request.calls++;
		if (path === '/read') return text('read');
		const entry = next++;
		request.tab
			.journal()
			.append(request.tab.journal().epoch, entry, [entryOf(path)])
			.catch(() => {
				next = entry;
			});
		return { ...text(path), headers: { [ENTRY_HEADER]: String(entry) } };
	});
	cleanups.push(() => request.tab.close());
	return request;
}

const call = (path: string): Promise<Response> => fetch(relay.url + path, { method: 'POST', body: '{}' });
const storedPaths = async (): Promise<string[]> =>
	(await readAll(files)).map(({ bytes }) => new TextDecoder().decode(bytes));

test('an answer waits for the disk only if its call changed something', async () => {
	await startEngine();
	faulty.hold();
	let answered = false;
	const slow = call('/a').then((response) => {
		answered = true;
		return response;
	});
	expect(await (await call('/read')).text()).toBe('read');
	expect(answered).toBe(false);
	faulty.release();
	expect((await slow).status).toBe(200);
	expect(await storedPaths()).toEqual(['/a']);
});

test('an answer reports an entry without room, and the next entry is stored once there is room', async () => {
	await startEngine();
	faulty.isFull = true;
	const refused = await call('/a');
	expect(refused.status).toBe(503);
	expect(await refused.json()).toMatchObject({
		ok: false,
		code: 'not_kept',
		error: expect.stringContaining('the disk is full'),
	});
	faulty.isFull = false;
	expect((await call('/b')).status).toBe(200);
	expect(await storedPaths()).toEqual(['/b']);
});

test('callers see no folder in the reason of a failure, and the operator does', async () => {
	const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
	cleanups.push(() => consoleError.mockRestore());
	const { journal } = await startEngine();
	const ownJournal = await journal();
	await ownJournal.keepState(0, [Uint8Array.of(1)], []);
	const blobs = join(data, 'world', 'blobs');
	const [name] = await readdir(blobs);
	await writeFile(join(blobs, name!), 'something else');
	const { message } = await ownJournal.state().then(
		() => new Error(),
		(error: Error) => error,
	);
	expect(message).toContain(`world/blobs/${name}" is damaged`);
	expect(message).not.toContain(data);
	expect(String(consoleError.mock.calls[0]?.[0])).toContain(join(blobs, name!));
});

test('states and blobs of many parts arrive unchanged, over a real socket', async () => {
	const journal = await (await startEngine()).journal();
	const state = new Uint8Array(9_000_000).map((_, i) => (i * 31) >> 4);
	await journal.keepState(0, [state], []);
	const read = await journal.state();
	expect(Buffer.compare(read!.bytes, state)).toBe(0);
	const hash = Buffer.from(await crypto.subtle.digest('SHA-256', state)).toString('hex');
	await journal.keepBlob(hash, state);
	expect(Buffer.compare((await journal.blob(hash))!, state)).toBe(0);
	expect((await journal.extent()).bytes).toBeGreaterThan(9_000_000);
});
