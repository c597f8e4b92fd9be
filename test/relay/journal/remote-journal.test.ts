/** The journal over the link passes the tests of every journal, and survives lost sockets and a killed relay. */

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Faults } from '../../../relay/faults.ts';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import { type JournalClient, JournalPort } from '../../../relay/journal/journal-port.ts';
import type { JournalError } from '../../../shared/transport/journal.ts';
import { PART_BYTES } from '../../../shared/transport/journal-ask.ts';
import { decodeFrames, encodeFrames, type LinkFrame } from '../../../shared/transport/link.ts';
import { RemoteJournal } from '../../../web/host/journal/remote-journal.ts';
import type { JournalChannel, JournalListener } from '../../../web/host/relay-link.ts';
import { entryOf, journalSuite, readAll } from '../../support/journal-suite.ts';
import { acquireJournal } from '../../support/owned-journal.ts';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A line between engine and relay. A test decides which frames pass. */
class TestLine implements JournalChannel {
	readonly journal: RemoteJournal;
	/** Kinds of the engine's frames and requests, in order. */
	readonly sent: string[] = [];
	/** Returns false for a frame that is lost. */
	passes: (frame: LinkFrame) => boolean = () => true;
	#end!: JournalListener;
	readonly #port: JournalPort;
	#client: JournalClient;

	constructor(port: JournalPort) {
		this.#port = port;
		this.#client = this.#newClient();
		this.journal = new RemoteJournal(this, true);
	}

	listen(end: JournalListener): void {
		this.#end = end;
	}

	send(frame: LinkFrame): void {
		this.sent.push(frame.kind === 'journal' ? frame.ask.ask : frame.kind);
		const client = this.#client;
		const [copy] = decodeFrames(encodeFrames([frame]));
		if (copy?.kind !== 'journal') throw new Error('not for the journal');
		queueMicrotask(() => {
			if (client === this.#client && this.passes(copy)) this.#port.handle(client, copy);
		});
	}

	get client(): JournalClient {
		return this.#client;
	}

	/** Replaces the socket, as after a lost connection. */
	cut(): void {
		this.#port.drop(this.#client);
		this.#client = this.#newClient();
		this.#end.onWelcome();
	}

	lose(reason: string): void {
		this.#end.onLoss(reason);
	}

	#newClient(): JournalClient {
		const client: JournalClient = {
			send: (frame) => {
				const [copy] = decodeFrames(encodeFrames([frame]));
				if (copy?.kind === 'journaled' && client === this.#client && this.passes(copy))
					this.#end.onAnswer(copy);
			},
			sendLater: (frame) => client.send(frame),
			mayAcquire: true,
		};
		return client;
	}
}

journalSuite('the relay', async (maxBytes) => {
	const inside = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
	const journal = await DatabaseJournal.open(inside, maxBytes === undefined ? {} : { maxBytes });
	const port = await JournalPort.open({ journal, id: 'suite' });
	return {
		open: async () => new TestLine(port).journal,
		async dispose() {
			await journal.close();
			await rm(inside, { recursive: true, force: true });
		},
	};
});

describe('a lost socket', () => {
	test('repeats an append whose answer was lost, and stores it once', async () => {
		const files = await DatabaseJournal.open(folder);
		const line = new TestLine(await JournalPort.open({ journal: files, id: 'world' }));
		const journal = await acquireJournal(line.journal);
		await journal.append(0, [entryOf('a')]);
		line.passes = ({ kind }) => kind !== 'journaled';
		const appended = [journal.append(1, [entryOf('b'), entryOf('c')]), journal.append(3, [entryOf('d')])];
		await files.extent();
		while ((await files.extent()).next < 4) await files.extent();
		line.passes = () => true;
		line.cut();
		await Promise.all(appended);
		await journal.append(4, [entryOf('e')]);
		expect((await readAll(journal)).map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual([
			...'abcde',
		]);
		expect(line.sent.filter((kind) => kind === 'append')).toHaveLength(6);
		await files.close();
	});

	test('repeats an append that was lost itself', async () => {
		const files = await DatabaseJournal.open(folder);
		const line = new TestLine(await JournalPort.open({ journal: files, id: 'world' }));
		const journal = await acquireJournal(line.journal);
		line.passes = () => false;
		const appended = journal.append(0, [entryOf('a')]);
		await files.extent();
		line.passes = () => true;
		line.cut();
		await appended;
		expect((await files.extent()).next).toBe(1);
		await files.close();
	});

	test('survives a killed relay, and doubles no stored entry', async () => {
		const before = await DatabaseJournal.open(folder);
		const port = await JournalPort.open({ journal: before, id: 'world' });
		const line = new TestLine(port);
		const journal = await acquireJournal(line.journal);
		line.passes = ({ kind }) => kind !== 'journaled';
		const appended = journal.append(0, [entryOf('a')]);
		while ((await before.extent()).next < 1) await before.extent();
		await before.close();
		// The same engine continues at a relay that knows only the folder.
		const after = await DatabaseJournal.open(folder);
		const other = await JournalPort.open({ journal: after, id: 'world' });
		port.handle = other.handle.bind(other);
		line.passes = () => true;
		line.cut();
		await appended;
		expect((await after.extent()).next).toBe(1);
		await after.close();
	});

	test('in the middle of a state makes the engine send the state again, which is then stored once', async () => {
		const files = await DatabaseJournal.open(folder);
		const line = new TestLine(await JournalPort.open({ journal: files, id: 'world' }));
		const journal = await acquireJournal(line.journal);
		let parts = 0;
		line.passes = (frame) => frame.kind !== 'journal' || frame.ask.ask !== 'part' || ++parts < 4;
		const state = new Uint8Array(6 * PART_BYTES + 5).map((_, i) => (i * 7) >> 3);
		const storing = journal.keepState(0, [state.subarray(0, 1000), state.subarray(1000)], []);
		while (parts < 4) await new Promise((resolve) => setImmediate(resolve));
		line.passes = () => true;
		line.cut();
		await storing;
		expect(await journal.state()).toEqual({ at: 0, bytes: state });
		expect((await files.extent()).states).toEqual([0]);
		await files.close();
	});

	test('without a return fails waiting and new requests with a clear error until there is one', async () => {
		const files = await DatabaseJournal.open(folder);
		const line = new TestLine(await JournalPort.open({ journal: files, id: 'world' }));
		const journal = await acquireJournal(line.journal);
		line.passes = () => false;
		const appended = journal.append(0, [entryOf('a')]);
		line.lose('The relay cannot be reached.');
		await expect(appended).rejects.toThrow('The relay cannot be reached.');
		await expect(journal.extent()).rejects.toThrow('The relay cannot be reached.');
		line.passes = () => true;
		line.cut();
		await journal.append(0, [entryOf('a')]);
		await files.close();
	});
});

test("a fault names files without the server's folder", async () => {
	const files = await DatabaseJournal.open(folder);
	const reported: unknown[] = [];
	const faults = new Faults(folder, (error) => reported.push(error));
	const { journal } = new TestLine(await JournalPort.open({ journal: files, id: 'world' }, faults));
	const bytes = new Uint8Array([1, 2, 3]);
	const hash = createHash('sha256').update(bytes).digest('hex');
	await journal.keepBlob(hash, bytes);
	await rm(join(folder, 'blobs', hash));
	const text = await journal.blob(hash).catch((error: JournalError) => error.message);
	expect(text).toContain(`${hash}" is missing`);
	expect(text).not.toContain(folder);
	expect(reported.map(String)).toEqual([expect.stringContaining(join(folder, 'blobs', hash))]);
	await files.close();
});

test('a large state has only a few parts in flight', async () => {
	const files = await DatabaseJournal.open(folder);
	const line = new TestLine(await JournalPort.open({ journal: files, id: 'world' }));
	const journal = await acquireJournal(line.journal);
	let open = 0;
	let maximum = 0;
	line.passes = (frame) => {
		if (frame.kind === 'journal' && frame.ask.ask === 'part') maximum = Math.max(maximum, ++open);
		if (frame.kind === 'journaled' && open > 0) open--;
		return true;
	};
	await journal.keepState(0, [new Uint8Array(20 * PART_BYTES)], []);
	expect(maximum).toBeGreaterThan(0);
	expect(maximum).toBeLessThanOrEqual(4);
	await files.close();
});

describe('an answer with an entry number', () => {
	test('waits until the journal has that entry', async () => {
		const files = await DatabaseJournal.open(folder);
		const port = await JournalPort.open({ journal: files, id: 'world' });
		const line = new TestLine(port);
		const journal = await acquireJournal(line.journal);
		const passed: string[] = [];
		port.waitForEntry(line.client, 1, () => passed.push('of entry 1'));
		const first = journal.append(0, [entryOf('a')]).then(() => passed.push('append 0'));
		port.waitForEntry(line.client, 0, () => passed.push('of entry 0'));
		expect(passed).toEqual([]);
		await first;
		expect(passed).toEqual(['of entry 0', 'append 0']);
		await journal.append(1, [entryOf('b')]);
		expect(passed.at(-1)).toBe('of entry 1');
		port.waitForEntry(line.client, 1, () => passed.push('at once'));
		expect(passed.at(-1)).toBe('at once');
		await files.close();
	});

	test('reports why the journal does not have it', async () => {
		const files = await DatabaseJournal.open(folder);
		const port = await JournalPort.open({ journal: files, id: 'world' });
		const line = new TestLine(port);
		const journal = await acquireJournal(line.journal);
		const outcomes: (JournalError | undefined)[] = [];
		port.waitForEntry(line.client, 3, (reason) => outcomes.push(reason));
		await expect(journal.append(3, [entryOf('a')])).rejects.toThrow(
			'The journal has 0 entries, but 3 were written',
		);
		expect(outcomes.map((reason) => reason?.fault)).toEqual(['failed']);
		// A later answer gets the same fault, until the journal has its entry.
		port.waitForEntry(line.client, 4, (reason) => outcomes.push(reason));
		expect(outcomes.map((reason) => reason?.fault)).toEqual(['failed', 'failed']);
		await journal.append(
			0,
			[...'abcde'].map((text) => entryOf(text)),
		);
		port.waitForEntry(line.client, 4, (reason) => outcomes.push(reason));
		expect(outcomes.at(-1)).toBeUndefined();
		await files.close();
	});
});

test('an engine acquires only while the relay waits for it', async () => {
	const files = await DatabaseJournal.open(folder);
	const port = await JournalPort.open({ journal: files, id: 'world' });
	const frame = await new Promise<LinkFrame>((resolve) => {
		port.handle(
			{ send: resolve, sendLater: resolve, mayAcquire: false },
			{ kind: 'journal', id: 1, ask: { ask: 'acquire' }, bytes: new Uint8Array(0) },
		);
	});
	expect(frame).toMatchObject({ answer: { fault: 'fenced' } });
	expect(port.compareLease(null)).toBe('none');
	expect(port.compareLease({ journal: 'world', epoch: 1 })).toBe('old');
	await new TestLine(port).journal.acquire();
	expect(port.compareLease({ journal: 'world', epoch: 1 })).toBe('current');
	expect(port.compareLease({ journal: 'another', epoch: 1 })).toBe('old');
	await files.close();
});

test('bytes that are no entries are refused and not stored', async () => {
	const files = await DatabaseJournal.open(folder);
	const port = await JournalPort.open({ journal: files, id: 'world' });
	for (const bytes of [[1], [255, 255, 255, 255], Array.from({ length: 40 }, (_, i) => i)]) {
		const frame = await new Promise<LinkFrame>((resolve) => {
			port.handle(
				{ send: resolve, sendLater: resolve, mayAcquire: true },
				{ kind: 'journal', id: 1, ask: { ask: 'append', epoch: 1, at: 0 }, bytes: new Uint8Array(bytes) },
			);
		});
		expect(frame).toMatchObject({
			kind: 'journaled',
			answer: { message: expect.stringContaining('no valid entries') },
		});
	}
	expect((await files.extent()).next).toBe(0);
	await files.close();
});
