/**
 * The journal in a NATS stream passes the tests of every journal: over a NATS in memory, and over a real one if `npm
 * run cluster` has installed it.
 */

import type { StoredMsg } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectNats, type Nats } from '../../../relay/cluster/nats.ts';
import { StreamJournal } from '../../../relay/cluster/stream-journal.ts';
import { HEAD_HEADER } from '../../../relay/cluster/stream-message.ts';
import { newIdentity } from '../../../shared/transport/identity.ts';
import { NatsNodes, natsProgram } from '../../cluster/nats-server.ts';
import { entryOf, journalSuite, readAll, worldEntry } from '../../support/journal-suite.ts';
import { FakeNats } from './fake-nats.ts';

const fake = new FakeNats();
const { nats } = fake;

journalSuite('a stream in memory', async (maxBytes) => {
	const options = { id: newIdentity(), world: 'test', ...(maxBytes === undefined ? {} : { maxBytes }) };
	return { open: () => StreamJournal.open(nats, options) };
});

const program = natsProgram();

describe.skipIf(program === undefined)('with NATS, from "npm run cluster"', () => {
	let nodes: NatsNodes;
	let real: Nats;
	beforeAll(async () => {
		nodes = await NatsNodes.start(program!, 1);
		real = await connectNats(nodes.url, 'test');
	});
	afterAll(async () => {
		await real?.connection.close();
		await nodes?.end();
	});

	journalSuite('a NATS stream', async (maxBytes) => {
		const options = { id: newIdentity(), world: 'test', ...(maxBytes === undefined ? {} : { maxBytes }) };
		return { open: () => StreamJournal.open(real, options) };
	});
});

/** Writes a journal with three entries, at ticks 10, 20 and 30. Returns its id. */
async function writeJournal() {
	const id = newIdentity();
	const journal = await StreamJournal.open(nats, { id, world: 'arena' });
	const epoch = await journal.acquire();
	for (const i of [0, 1, 2]) await journal.append(epoch, i, [worldEntry('', 10 * (i + 1))]);
	await journal.close();
	return id;
}

/** Returns a NATS that changes messages when they are read. If `change` returns undefined, the message is missing. */
const changeReads = (change: (message: StoredMsg) => StoredMsg | undefined): Nats => {
	const { direct } = nats.streams;
	const getBatch: typeof direct.getBatch = async (stream, options) => {
		const messages: StoredMsg[] = [];
		for await (const message of await direct.getBatch(stream, options)) {
			const changed = change(message);
			if (changed !== undefined) messages.push(changed);
		}
		return messages as never;
	};
	return {
		...nats,
		streams: { ...nats.streams, streams: nats.streams.streams, direct: { ...direct, getBatch } },
	};
};

/** Applies a change to the second entry only. */
const changeSecond = (change: (message: StoredMsg) => StoredMsg | undefined) => (message: StoredMsg) =>
	JSON.parse(message.header.get(HEAD_HEADER)).at === 1 ? change(message) : message;

it('names world, entry and tick of a changed entry, and reads no further', async () => {
	const flipLastBit = changeSecond((message) => {
		const data = message.data.slice();
		data[data.length - 1]! ^= 1;
		return Object.create(message, { data: { value: data } }) as StoredMsg;
	});
	const journal = await StreamJournal.open(changeReads(flipLastBit), {
		id: await writeJournal(),
		world: 'arena',
	});
	await expect(readAll(journal)).rejects.toMatchObject({
		fault: 'damaged',
		message: 'Entry 1 (tick 10) of the world "arena" was changed. The world is not resumed without it.',
	});
	await journal.close();
});

it('names a missing entry, in the middle or at the end', async () => {
	const id = await writeJournal();
	const journal = await StreamJournal.open(changeReads(changeSecond(() => undefined)), {
		id,
		world: 'arena',
	});
	await expect(readAll(journal)).rejects.toMatchObject({
		fault: 'damaged',
		message: 'Entry 1 (tick 10) of the world "arena" is missing. The world is not resumed without it.',
	});
	await journal.close();
	await expect(StreamJournal.open(nats, { id, world: 'arena', minEntries: 5 })).rejects.toMatchObject({
		fault: 'damaged',
		message: expect.stringMatching(/^Entry 3 \(tick 30\) of the world "arena" is missing/),
	});
});

it('stores an append beyond the message limit as an object', async () => {
	const id = newIdentity();
	const journal = await StreamJournal.open(nats, { id, world: 'large' });
	const epoch = await journal.acquire();
	const bytes = new Uint8Array(3 * 2 ** 20).fill(7);
	await journal.append(epoch, 0, [{ bytes, blobs: [] }]);
	const other = await StreamJournal.open(nats, { id, world: 'large' });
	expect((await other.read(0, 1))[0]!.bytes).toEqual(bytes);
	await journal.close();
	await other.close();
});

it('stores an append once if its answer is lost, and reports success', async () => {
	const lossy = new FakeNats();
	const journal = await StreamJournal.open(lossy.nats, { id: 'lossy', world: 'lossy' });
	const epoch = await journal.acquire();
	lossy.lostAnswers = 1;
	await journal.append(epoch, 0, [entryOf('a')]);
	await journal.append(epoch, 1, [entryOf('b')]);
	expect(lossy.publishes).toBe(3);
	expect((await readAll(journal)).length).toBe(2);
	await journal.close();
});

it('retries reads while NATS does not answer', async () => {
	const lossy = new FakeNats();
	const journal = await StreamJournal.open(lossy.nats, { id: 'lossy', world: 'lossy' });
	await journal.keepState(await journal.acquire(), 0, [Uint8Array.of(1, 2)], []);
	lossy.lostReads = 2;
	expect((await journal.state())!.bytes).toEqual(Uint8Array.of(1, 2));
	await journal.close();
});

it('removes one journal with its objects, and no other', async () => {
	const shared = new FakeNats();
	const open = (id: string) => StreamJournal.open(shared.nats, { id, world: id });
	for (const id of ['a', 'b']) {
		const journal = await open(id);
		const epoch = await journal.acquire();
		await journal.append(epoch, 0, [entryOf(id)]);
		await journal.keepState(epoch, 1, [new Uint8Array(10)], []);
		await journal.close();
	}
	await StreamJournal.remove(shared.nats, 'a');
	expect(await (await open('a')).extent()).toMatchObject({ next: 0, states: [] });
	expect(shared.objects.size).toBe(1);
	expect((await (await open('b')).state())!.bytes.length).toBe(10);
});

it('combines waiting appends into one message', async () => {
	const counting = new FakeNats();
	const journal = await StreamJournal.open(counting.nats, { id: 'group', world: 'group' });
	const epoch = await journal.acquire();
	await Promise.all([0, 1, 2, 3].map((at) => journal.append(epoch, at, [entryOf(`${at}`)])));
	expect(counting.publishes).toBe(2);
	await journal.close();
});
