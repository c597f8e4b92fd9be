/** A journal in a folder reports a fault of the disk or the process, stays undamaged, and continues after the fault. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	copyFile,
	cp,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rename,
	rm,
	stat,
	symlink,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../relay/journal/database.ts';
import { DatabaseJournal, type DatabaseJournalOptions } from '../../../relay/journal/database-journal.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { entryOf, readAll } from '../../support/journal-suite.ts';
import { acquireJournal } from '../../support/owned-journal.ts';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const decoder = new TextDecoder();
const open = (options?: DatabaseJournalOptions) => acquireJournal(DatabaseJournal.open(folder, options));
const textsOf = async (journal: Pick<Journal, 'read'>, from = 0) =>
	(await readAll(journal, from)).map(({ bytes }) => decoder.decode(bytes));
const faultOf = async (work: Promise<unknown>): Promise<string> => {
	const error = await work.then(
		() => new Error('It was done.'),
		(error: unknown) => error as Error,
	);
	if (!(error instanceof JournalError)) throw error;
	return `${error.fault}: ${error.message}`;
};
/** Returns the paths of all files of a folder, with their content. */
const filesIn = async (folder: string) => {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const paths = entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));
	return Promise.all(paths.sort().map(async (path) => [path, await readFile(path)] as const));
};
/** Returns the journal as a kill leaves it: a copy of its files while it is open. */
const copyAsKilled = async (): Promise<string> => {
	const copy = await mkdtemp(join(folder, 'killed-'));
	for (const name of ['journal.db', 'journal.db-wal']) await copyFile(join(folder, name), join(copy, name));
	return copy;
};

/** True if this process may mount a disk, as only root may. */
const mounts = process.platform === 'linux' && process.getuid?.() === 0 && canMount();

function canMount(): boolean {
	try {
		execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}

describe.runIf(mounts)('a disk', () => {
	let small: string;
	const mount = async (options: string) => {
		small = join(folder, 'small');
		await mkdir(small);
		execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', small]);
	};
	afterEach(() => execFileSync('umount', [small]));

	test.each([false, true])(
		'that is full refuses entries, states and blobs, and keeps the stored ones (fsync %s)',
		async (fsync) => {
			await mount('size=512k');
			const journal = await DatabaseJournal.open(small, { fsync });
			let epoch = await journal.acquire();
			const append = (at: number) =>
				journal.append(epoch, at, [{ bytes: new Uint8Array(10_000).fill(at), blobs: [] }]);
			const other = join(small, 'other');
			await writeFile(other, new Uint8Array(200_000));
			let next = 0;
			let fault = '';
			while (fault === '') {
				const group = await Promise.allSettled([append(next), append(next + 1), append(next + 2)]);
				const faults = group.map((settled) => (settled.status === 'fulfilled' ? '' : settled.reason.fault));
				// A group of entries is stored whole or not at all, and the fault is not "another writer".
				expect(new Set(faults).size).toBe(1);
				fault = faults[0]!;
				if (fault === '') next += 3;
			}
			expect(fault).toBe('full');
			expect(next).toBeGreaterThan(3);
			for (let i = 0; i < 2; i++)
				expect(await faultOf(append(next + 3))).toMatch(/^full: The entries could not be written/);
			expect(await faultOf(journal.keepState(epoch, next, [new Uint8Array(500_000)], []))).toMatch(/^full/);
			const bytes = new Uint8Array(500_000);
			const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
			expect(await faultOf(journal.keepBlob(hash, bytes))).toMatch(/^full/);
			expect((await readAll(journal)).map(({ bytes }) => bytes[0])).toEqual(
				Array.from({ length: next }, (_, at) => at),
			);
			// The world can still be moved, and read.
			const old = epoch;
			epoch = await journal.acquire();
			expect(epoch).toBe(old + 1);
			await rm(other);
			await append(next++);
			await journal.close();
			const after = await DatabaseJournal.open(small);
			expect((await readAll(after)).map(({ bytes }) => bytes[0])).toEqual(
				Array.from({ length: next }, (_, at) => at),
			);
			expect(await readdir(join(small, 'blobs'))).toEqual([]);
			await after.close();
		},
	);

	test('that is read-only is refused with a clear error message', async () => {
		await mount('ro');
		expect(await faultOf(DatabaseJournal.open(join(small, 'world')))).toMatch(
			/^failed: The journal in .* EROFS/,
		);
		expect(await faultOf(DatabaseJournal.open(small))).toMatch(/^failed: The journal in .*/);
	});
});

describe('a killed process', () => {
	test('keeps every complete append if it is killed at any point of its log', async () => {
		const journal = await open();
		const log = join(folder, 'journal.db-wal');
		const ends: number[] = [];
		for (let at = 0; at < 6; at++) {
			await journal.append(at, [entryOf(`${at}`)]);
			ends.push((await stat(log)).size);
		}
		const copy = await copyAsKilled();
		await journal.close();
		const [database, whole] = await Promise.all(
			['journal.db', 'journal.db-wal'].map((name) => readFile(join(copy, name))),
		);
		expect(whole!.length).toBe(ends[5]);
		const step = 1777;
		for (let length = ends[0]!; length < whole!.length + step; length += step) {
			const keptCount = ends.filter((end) => end <= length).length;
			for (const torn of [whole!.subarray(0, length), Buffer.from(whole!).fill(0, length)]) {
				const world = await mkdtemp(join(folder, 'torn-'));
				await writeFile(join(world, 'journal.db'), database!);
				await writeFile(join(world, 'journal.db-wal'), torn);
				const after = await acquireJournal(DatabaseJournal.open(world));
				expect(await textsOf(after)).toEqual(['0', '1', '2', '3', '4', '5'].slice(0, keptCount));
				await after.append(keptCount, [entryOf('on')]);
				expect((await textsOf(after)).at(-1)).toBe('on');
				await after.close();
				await rm(world, { recursive: true });
			}
		}
	});

	test('leaves no part of a state or a blob that it was writing', async () => {
		await (await open()).close();
		const blobs = join(folder, 'blobs');
		await writeFile(join(blobs, '.orrery-0123.part'), 'a draft');
		await writeFile(join(blobs, 'ab'.repeat(32)), 'no entry names it');
		await (await open()).close();
		expect(await readdir(blobs)).toEqual([]);
	});

	test.runIf(process.platform !== 'win32')(
		'that was stopped, replaced and continued, is refused and writes nothing',
		async () => {
			const writer = spawn(process.execPath, [join(import.meta.dirname, 'stopped-owner.ts'), folder], {
				stdio: ['pipe', 'pipe', 'inherit'],
			});
			try {
				const lines = createInterface(writer.stdout)[Symbol.asyncIterator]();
				const askOwner = async (text: string) => {
					writer.stdin.write(`${text}\n`);
					return (await lines.next()).value as string;
				};
				expect(await askOwner('old')).toBe('kept');
				writer.kill('SIGSTOP');
				expect(await faultOf(DatabaseJournal.open(folder))).toMatch(
					`locked: The process ${writer.pid} writes`,
				);
				// The copy stands for another machine, which does not see the lock.
				await rename(join(folder, 'owner.db'), join(folder, 'unseen.db'));
				const journal = await open();
				await journal.append(1, [entryOf('new')]);
				writer.kill('SIGCONT');
				expect(await askOwner('late')).toBe('fenced');
				expect(await textsOf(journal)).toEqual(['old', 'new']);
				await journal.close();
			} finally {
				writer.kill('SIGKILL');
				await once(writer, 'exit');
			}
		},
	);
});

describe('damage', () => {
	const blob = new TextEncoder().encode('a blob');
	/** Writes and closes a journal with entries, a state and a blob. Returns the paths of the state and the blob. */
	async function writtenFolder(): Promise<{ readonly state: string; readonly blob: string }> {
		const journal = await open();
		const name = Buffer.from(await crypto.subtle.digest('SHA-256', blob)).toString('hex');
		await journal.keepBlob(name, blob);
		await journal.append(0, [entryOf('the first', name), entryOf('the second')]);
		await journal.keepState(2, [new TextEncoder().encode('a state')], [name]);
		await journal.close();
		const names = await readdir(join(folder, 'blobs'));
		const path = (name: string) => join(folder, 'blobs', name);
		return { state: path(names.find((file) => file !== name)!), blob: path(name) };
	}
	async function readEverything(): Promise<void> {
		const again = await open();
		try {
			expect(await textsOf(again)).toEqual(['the first', 'the second']);
			expect(decoder.decode((await again.state())!.bytes)).toBe('a state');
			const [named] = (await again.read(0, 1))[0]!.blobs;
			expect(await again.blob(named!)).toEqual(blob);
		} finally {
			await again.close();
		}
	}
	const flip = async (path: string, text: string) => {
		const bytes = await readFile(path);
		const at = bytes.indexOf(text);
		expect(at).toBeGreaterThanOrEqual(0);
		bytes[at] = bytes[at]! ^ 1;
		await writeFile(path, bytes);
	};

	test('of an entry, the database, a state or a blob is reported with the file', async () => {
		const { state, blob } = await writtenFolder();
		await readEverything();
		const database = join(folder, 'journal.db');
		for (const [path, text, says] of [
			[database, 'the second', 'is damaged at entry 1'],
			[database, 'SQLite format 3', 'is damaged: file is not a database'],
			[state, 'a state', 'its content does not match the hash in its name'],
			[blob, 'a blob', 'its content does not match the hash in its name'],
		] as const) {
			const whole = await readFile(path);
			await flip(path, text);
			const fault = await faultOf(readEverything());
			expect(fault).toMatch(/^damaged: /);
			expect(fault).toContain(`"${path}"`);
			expect(fault).toContain(says);
			await writeFile(path, whole);
			await readEverything();
		}
		await rm(blob);
		expect(await faultOf(readEverything())).toMatch(/^damaged: ".*" is missing/);
	});

	test('of another version, another program, or an older Orrery is refused without a change', async () => {
		await writtenFolder();
		const path = join(folder, 'journal.db');
		for (const [pragma, says] of [
			['user_version = 9', 'is a journal of version 9, but this Orrery reads version 1'],
			['application_id = 7', 'is not a journal'],
		]) {
			const database = await openDatabase(path);
			database.exec(`PRAGMA ${pragma}`);
			database.close();
			const before = await readFile(path);
			expect(await faultOf(open())).toContain(`"${path}" ${says}`);
			expect(await readFile(path)).toEqual(before);
		}
		const old = join(folder, 'old');
		await mkdir(old);
		await writeFile(join(old, 'entries-0000000000000000.journal'), 'orrery journal');
		for (const opening of [DatabaseJournal.open, DatabaseJournal.openReadOnly])
			expect(await faultOf(opening(old))).toMatch(
				/^damaged: .* was written by Orrery 1\.1 or earlier.*the guide describes in "Upgrade"\.$/,
			);
		expect(await readdir(old)).toEqual(['entries-0000000000000000.journal']);
	});

	test.runIf(process.platform !== 'win32')('links and pipes instead of files are not followed', async () => {
		const { blob } = await writtenFolder();
		for (const path of [join(folder, 'journal.db'), blob]) {
			await rename(path, `${path}.moved`);
			await symlink(`${path}.moved`, path);
			expect(await faultOf(readEverything())).toMatch(/^(damaged: .*not a regular file|failed: .*ELOOP)/);
			await rm(path);
			execFileSync('mkfifo', [path]);
			expect(await faultOf(readEverything())).toMatch(/^damaged: .*not a regular file/);
			await rm(path);
			await rename(`${path}.moved`, path);
		}
		const link = join(folder, 'link');
		await symlink(folder, link);
		expect(await faultOf(DatabaseJournal.open(link))).toMatch(/^failed: .*is not a folder/);
	});
});

test('a reader sees the journal as of its opening, while its owner writes, and changes nothing', async () => {
	const journal = await open();
	await journal.append(0, [entryOf('a')]);
	await journal.keepState(1, [entryOf('state').bytes], []);
	const reader = await DatabaseJournal.openReadOnly(folder);
	await journal.append(1, [entryOf('b')]);
	expect((await reader.extent()).next).toBe(1);
	expect(await textsOf(reader)).toEqual(['a']);
	expect((await reader.state())?.at).toBe(1);
	expect(await faultOf(reader.acquire())).toMatch(/^failed: .*reading only/);
	expect(await faultOf(reader.append(1, 1, [entryOf('c')]))).toMatch(/^failed: .*reading only/);
	await reader.close();
	await journal.append(2, [entryOf('c')]);
	await journal.close();
	// At rest it is one file beside the blobs, and reading leaves it so.
	const before = await filesIn(folder);
	const rested = await DatabaseJournal.openReadOnly(folder);
	expect(await textsOf(rested)).toEqual(['a', 'b', 'c']);
	await rested.close();
	expect(await filesIn(folder)).toEqual(before);
	expect(before.map(([path]) => path.slice(folder.length + 1).replace(/[0-9a-f]{64}/, 'HASH'))).toEqual([
		'blobs/HASH',
		'journal.db',
		'owner.db',
		'owner.txt',
	]);
});

test('a cut frees its room on the disk', async () => {
	const journal = await open();
	const entry = { bytes: new Uint8Array(1000), blobs: [] };
	const entries = Array.from({ length: 2500 }, () => entry);
	await journal.append(0, entries);
	await journal.close();
	const size = async () => (await stat(join(folder, 'journal.db'))).size;
	expect(await size()).toBeGreaterThan(2_500_000);
	const small = await open({ maxBytes: 100_000 });
	await small.keepState(2500, [entry.bytes], []);
	expect(await small.extent()).toMatchObject({ first: 2500, next: 2500 });
	await small.close();
	expect(await size()).toBeLessThan(100_000);
});

test('a copy of an idle folder is the same journal', async () => {
	const journal = await open();
	await journal.append(0, [entryOf('a')]);
	await journal.close();
	const copy = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
	await cp(folder, copy, { recursive: true });
	const after = await acquireJournal(DatabaseJournal.open(copy));
	expect(await textsOf(after)).toEqual(['a']);
	await after.close();
	await rm(copy, { recursive: true });
});

test('only this user may read the files', async () => {
	const inside = join(folder, 'world');
	const journal = await acquireJournal(DatabaseJournal.open(inside));
	await journal.append(0, [entryOf('a')]);
	await journal.keepState(1, [new Uint8Array(3)], []);
	for (const path of [inside, join(inside, 'blobs')]) expect((await stat(path)).mode & 0o777).toBe(0o700);
	const files = (await readdir(inside)).filter((name) => name !== 'blobs');
	expect(files.sort()).toEqual(['journal.db', 'journal.db-shm', 'journal.db-wal', 'owner.db', 'owner.txt']);
	for (const name of files) expect((await stat(join(inside, name))).mode & 0o777).toBe(0o600);
	await journal.close();
});
