/** The journal of a browser's private storage, on a folder in memory: the common tests of journals, and faults of the storage. */

import { describe, expect, test, vi } from 'vitest';
import { JournalError, type JournalFault } from '../../../../shared/transport/journal.ts';
import { FolderJournal } from '../../../../web/host/journal/folder-journal.ts';
import { entryOf, journalSuite, readAll } from '../../../support/journal-suite.ts';
import { MemoryFolder } from '../../../support/memory-folder.ts';
import { acquireJournal, type Owned } from '../../../support/owned-journal.ts';

journalSuite('a folder of private storage', async (most = Number.POSITIVE_INFINITY) => {
	const folder = new MemoryFolder();
	return { open: () => FolderJournal.open(folder, { maxBytes: most }) };
});

const open = (folder: MemoryFolder, most = Number.POSITIVE_INFINITY) =>
	acquireJournal(FolderJournal.open(folder, { maxBytes: most }));
const texts = async (journal: Owned<FolderJournal>) =>
	(await readAll(journal, (await journal.extent()).first)).map(({ bytes }) =>
		new TextDecoder().decode(bytes),
	);

async function faultOf(work: Promise<unknown>): Promise<JournalFault> {
	try {
		await work;
	} catch (error) {
		if (error instanceof JournalError) return error.fault;
		throw error;
	}
	throw new Error('It was done.');
}

async function writtenJournal(...entries: readonly string[]): Promise<MemoryFolder> {
	const folder = new MemoryFolder();
	const journal = await open(folder);
	for (const [at, text] of entries.entries()) await journal.append(at, [entryOf(text)]);
	await journal.close();
	return folder;
}

describe('a killed tab', () => {
	test('in the middle of a write, at any place, loses that write and no other', async () => {
		const folder = await writtenJournal('one', 'two', 'three');
		const whole = folder.files.get('entries-0')!;
		const before = (await writtenJournal('one', 'two')).files.get('entries-0')!.length;
		for (let end = 0; end < whole.length; end++) {
			const torn = new MemoryFolder();
			torn.files.set('entries-0', whole.slice(0, end));
			const journal = await open(torn);
			const { next } = await journal.extent();
			if (end >= before) expect(next).toBe(2);
			await journal.append(next, [entryOf('after')]);
			await journal.close();
			const again = await open(torn);
			expect(await texts(again)).toEqual([...['one', 'two', 'three'].slice(0, next), 'after']);
		}
	});

	test('during a state or a blob leaves an empty file, which is ignored', async () => {
		const folder = await writtenJournal('one');
		folder.files.set('state-1', new Uint8Array(0));
		folder.files.set(`blob-${'ab'.repeat(32)}`, new Uint8Array(0));
		const journal = await open(folder);
		expect((await journal.extent()).states).toEqual([]);
		expect(await journal.blob('ab'.repeat(32))).toBeNull();
		await journal.keepState(1, [Uint8Array.of(1, 2)], []);
		expect([...(await journal.state())!.bytes]).toEqual([1, 2]);
	});
});

describe('damage', () => {
	test('to any byte of an entry is refused, and everything stays unchanged', async () => {
		const whole = (await writtenJournal('one', 'two')).files.get('entries-0')!;
		for (let at = 8; at < whole.length; at++) {
			const folder = new MemoryFolder();
			const bytes = whole.slice();
			bytes[at] = bytes[at]! ^ 1;
			folder.files.set('entries-0', bytes);
			expect(await faultOf(open(folder))).toBe('damaged');
			expect(folder.files.get('entries-0')).toEqual(bytes);
		}
	});

	test('to a state or a blob is refused, and so are entries that are missing', async () => {
		const folder = await writtenJournal('one');
		const journal = await open(folder);
		await journal.keepState(1, [Uint8Array.of(1, 2)], []);
		await journal.append(1, [entryOf('two')]);
		await journal.keepState(2, [Uint8Array.of(3)], []);
		await journal.append(2, [entryOf('three')]);
		await journal.close();
		const flipped = new MemoryFolder();
		for (const [name, bytes] of folder.files) flipped.files.set(name, bytes.slice());
		flipped.files.get('state-1')!.fill(7, 70);
		expect(await faultOf(open(flipped))).toBe('damaged');
		folder.files.delete('entries-1');
		expect(await faultOf(open(folder))).toBe('damaged');
	});

	test('by another version is refused with a clear error', async () => {
		const folder = await writtenJournal('one');
		folder.files.get('entries-0')![6] = 9;
		await expect(open(folder)).rejects.toThrow(
			'is a journal of version 9, but this Orrery reads version 10.',
		);
	});
});

test('full storage is reported, stored entries stay, and writing resumes when there is room', async () => {
	const folder = await writtenJournal('one');
	const journal = await open(folder);
	folder.room = 30;
	expect(await faultOf(journal.append(1, [entryOf('two')]))).toBe('full');
	expect(await faultOf(journal.keepState(1, [new Uint8Array(100)], []))).toBe('full');
	expect(await texts(journal)).toEqual(['one']);
	expect((await journal.extent()).next).toBe(1);
	folder.room = 10_000;
	await journal.append(1, [entryOf('two')]);
	await journal.close();
	expect(await texts(await open(folder))).toEqual(['one', 'two']);
});

test('a file deleted under its owner costs at most a second of writes, and the reason is reported', async () => {
	const folder = new MemoryFolder();
	const journal = await open(folder);
	const now = vi.spyOn(performance, 'now').mockReturnValue(5000);
	await journal.append(0, [entryOf('one')]);
	now.mockReturnValue(6500);
	await journal.append(1, [entryOf('two')]);
	folder.files.clear();
	now.mockReturnValue(7500);
	// A second attempt fails too.
	await expect(journal.append(2, [entryOf('three')])).rejects.toThrow('was cleared');
	await expect(journal.append(2, [entryOf('three')])).rejects.toThrow('was cleared');
	expect((await journal.extent()).next).toBe(2);
	now.mockRestore();
});
