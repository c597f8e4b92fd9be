/** What a journal in files does when something under it fails: it stays whole, says so in words, and goes on once it can. */

import { execFileSync } from 'node:child_process';
import {
	appendFile,
	copyFile,
	cp,
	lstat,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	readlink,
	rename,
	rm,
	stat,
	symlink,
	truncate,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FileJournal, type FileJournalOptions } from '../../../relay/journal/file-journal.ts';
import { type Journal, JournalError } from '../../../shared/contract/journal.ts';
import { entryOf, readAll } from '../../support/journal-suite.ts';
import { faultyDisk, systemError } from './faulty-disk.ts';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const decoder = new TextDecoder();
const open = (options?: FileJournalOptions) => FileJournal.open(folder, options);
const textsOf = async (journal: Journal, from = 0) =>
	(await readAll(journal, from)).map(({ bytes }) => decoder.decode(bytes));
const faultOf = async (work: Promise<unknown>): Promise<string> => {
	const error = await work.then(
		() => new Error('It was done.'),
		(error: unknown) => error as Error,
	);
	if (!(error instanceof JournalError)) throw error;
	return `${error.fault}: ${error.message}`;
};
/** The names of the files that hold entries, in order. */
const segments = async () => (await readdir(folder)).filter((name) => name.startsWith('entries-')).sort();

describe('a full disk', () => {
	test('in the middle of a record leaves nothing of it, and the journal goes on once there is room', async () => {
		const faulty = faultyDisk();
		const journal = await open({ disk: faulty.disk });
		await journal.append(0, [entryOf('a')]);
		const { bytes } = await journal.extent();
		for (let room = 0; room < 60; room += 7) {
			faulty.room = room;
			expect(await faultOf(journal.append(1, [entryOf('b')]))).toMatch(
				/^full: The entries could not be written/,
			);
			expect(await textsOf(journal)).toEqual(['a']);
			expect((await stat(join(folder, (await segments())[0]!))).size).toBe(bytes);
		}
		faulty.room = Number.POSITIVE_INFINITY;
		await journal.append(1, [entryOf('b')]);
		await journal.close();
		const after = await open();
		expect(after.cutBytes).toBe(0);
		expect(await textsOf(after)).toEqual(['a', 'b']);
		await after.close();
	});

	test('in the first record of all leaves no file', async () => {
		const faulty = faultyDisk();
		const journal = await open({ disk: faulty.disk });
		faulty.room = 20;
		expect(await faultOf(journal.append(0, [entryOf('a')]))).toMatch(/^full/);
		expect(await segments()).toEqual([]);
		faulty.room = Number.POSITIVE_INFINITY;
		await journal.append(0, [entryOf('a')]);
		expect(await textsOf(journal)).toEqual(['a']);
		await journal.close();
	});

	test('fails what was to follow it as it failed, and not as if somebody else had written', async () => {
		const faulty = faultyDisk();
		const journal = await open({ disk: faulty.disk });
		await journal.append(0, [entryOf('a')]);
		faulty.room = 5;
		const faults = [1, 2, 3].map((at) => faultOf(journal.append(at, [entryOf('x')])));
		const read = textsOf(journal);
		const late = faultOf(journal.append(4, [entryOf('x')]));
		for (const fault of [...faults, late]) expect(await fault).toMatch(/^full/);
		expect(await read).toEqual(['a']);
		expect(await faultOf(journal.append(9, [entryOf('x')]))).toMatch(/^conflict/);
		faulty.room = Number.POSITIVE_INFINITY;
		await journal.append(1, [entryOf('b')]);
		expect(await faultOf(journal.append(4, [entryOf('x')]))).toMatch(/^conflict/);
		await journal.close();
	});

	test('that cannot even be cleaned up is cleaned up before the next record', async () => {
		const faulty = faultyDisk();
		const journal = await open({ disk: faulty.disk });
		await journal.append(0, [entryOf('a')]);
		faulty.room = 9;
		faulty.fails.truncate = systemError('EIO');
		expect(await faultOf(journal.append(1, [entryOf('b')]))).toMatch(/^full/);
		expect(await faultOf(journal.append(1, [entryOf('b')]))).toMatch(/^failed: .*EIO/);
		faulty.room = Number.POSITIVE_INFINITY;
		delete faulty.fails.truncate;
		await journal.append(1, [entryOf('b')]);
		await journal.close();
		const after = await open();
		expect([after.cutBytes, await textsOf(after)]).toEqual([0, ['a', 'b']]);
		await after.close();
	});

	/** Only root may make one. */
	const mounts = process.platform === 'linux' && process.getuid?.() === 0 && mountable();
	test.runIf(mounts)('for real: entries, states and blobs say so, and nothing is left of them', async () => {
		const small = join(folder, 'small');
		await mkdir(small);
		execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small]);
		try {
			const journal = await FileJournal.open(small);
			let next = 0;
			let fault = '';
			while (fault === '') {
				const appended = journal.append(next, [{ bytes: new Uint8Array(10_000).fill(next), blobs: [] }]);
				await appended.then(
					() => next++,
					(error: JournalError) => {
						fault = error.fault;
					},
				);
			}
			expect(fault).toBe('full');
			expect(next).toBeGreaterThan(10);
			expect(await faultOf(journal.keepState(next, [new Uint8Array(50_000)], []))).toMatch(/^full/);
			const hash = '84d9ee0f457ddb5ac9f8a2c8e3c5b6b0a3ac43a8ec6f1fbd5ab6f7f1f5c3c6d5';
			expect(await faultOf(journal.keepBlob(hash, new Uint8Array(50_000)))).toMatch(/^failed/);
			await journal.close();
			const after = await FileJournal.open(small);
			expect([after.cutBytes, (await after.extent()).next]).toEqual([0, next]);
			expect((await readAll(after)).map(({ bytes }) => bytes[0])).toEqual(
				Array.from({ length: next }, (_, i) => i),
			);
			expect((await readdir(small)).filter((name) => name.endsWith('.part'))).toEqual([]);
			await after.close();
		} finally {
			execFileSync('umount', [small]);
		}
	});

	test.runIf(mounts)('a folder that is read-only is refused in words', async () => {
		const shut = join(folder, 'shut');
		await mkdir(shut);
		execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', shut]);
		try {
			expect(await faultOf(FileJournal.open(join(shut, 'world')))).toMatch(
				/^failed: The journal in .* EROFS/,
			);
			expect(await faultOf(FileJournal.open(shut))).toMatch(/^failed: The journal in .*/);
		} finally {
			execFileSync('umount', [shut]);
		}
	});
});

function mountable(): boolean {
	try {
		execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}

describe('a slow disk', () => {
	test('has appends wait in order, and all that waits makes one write', async () => {
		const faulty = faultyDisk();
		const journal = await open({ disk: faulty.disk });
		await journal.append(0, [entryOf('0')]);
		const { writes } = faulty;
		faulty.hold();
		const order: number[] = [];
		const appended = Array.from({ length: 40 }, (_, i) =>
			journal.append(i + 1, [entryOf(`${i + 1}`)]).then(() => order.push(i + 1)),
		);
		await vi.waitFor(() => expect(faulty.writes).toBe(writes + 1));
		const more = Array.from({ length: 40 }, (_, i) =>
			journal.append(i + 41, [entryOf(`${i + 41}`)]).then(() => order.push(i + 41)),
		);
		expect(order).toEqual([]);
		faulty.release();
		await Promise.all([...appended, ...more]);
		expect(order).toEqual(Array.from({ length: 80 }, (_, i) => i + 1));
		expect(faulty.writes).toBe(writes + 2);
		expect(journal.waitingBytes).toBe(0);
		await journal.close();
	});

	test('takes no more in than has room, says so, and goes on when it can', async () => {
		const faulty = faultyDisk();
		const journal = await open({ disk: faulty.disk, mostWaiting: 10_000 });
		faulty.hold();
		const bytes = new Uint8Array(1000);
		const asked = Array.from({ length: 30 }, (_, at) =>
			journal.append(at, [{ bytes, blobs: [] }]).then(
				() => 'done',
				(error: JournalError) => error.fault,
			),
		);
		expect(journal.waitingBytes).toBeLessThanOrEqual(10_000);
		faulty.release();
		const faults = await Promise.all(asked);
		const kept = faults.indexOf('full');
		expect(kept).toBeGreaterThan(5);
		expect(faults).toEqual(faults.map((_, at) => (at < kept ? 'done' : 'full')));
		expect((await journal.extent()).next).toBe(kept);
		await journal.append(kept, [entryOf('on')]);
		await journal.close();
	});

	test('synced: those that wait while one sync runs share the next', async () => {
		const faulty = faultyDisk();
		const journal = await open({ disk: faulty.disk, fsync: true });
		faulty.hold();
		const first = journal.append(0, [entryOf('0')]);
		await vi.waitFor(() => expect(faulty.writes).toBe(1));
		const others = Array.from({ length: 99 }, (_, at) => journal.append(at + 1, [entryOf(`${at + 1}`)]));
		faulty.release();
		await Promise.all([first, ...others]);
		expect([faulty.writes, faulty.syncs]).toEqual([2, 2]);
		await journal.close();
	});

	test('synced: what could not be synced is not kept', async () => {
		const faulty = faultyDisk();
		const journal = await open({ disk: faulty.disk, fsync: true });
		await journal.append(0, [entryOf('a')]);
		faulty.fails.datasync = systemError('EIO');
		expect(await faultOf(journal.append(1, [entryOf('lost')]))).toMatch(/^failed: .*EIO/);
		delete faulty.fails.datasync;
		await journal.append(1, [entryOf('b')]);
		await journal.close();
		expect(await segments()).toHaveLength(2);
		const after = await open();
		expect(await textsOf(after)).toEqual(['a', 'b']);
		await after.close();
	});
});

describe('a journal that was cut off', () => {
	/** Appends of one and of several entries, a file each for the first three and the rest. */
	async function write(): Promise<number[]> {
		const ends: number[] = [];
		const journal = await open();
		for (const [at, texts] of [
			[0, ['a']],
			[1, ['b', 'c']],
			[3, ['d']],
			[4, ['e', 'f', 'g']],
			[7, ['h']],
		] as const) {
			if (at === 3) await journal.keepState(3, [entryOf('state').bytes], []);
			await journal.append(
				at,
				texts.map((text) => entryOf(text)),
			);
			ends.push((await stat(join(folder, (await segments()).at(-1)!))).size);
		}
		await journal.close();
		return ends;
	}

	test('at every byte of its last file is whole up to the last append that is', async () => {
		const ends = await write();
		const [first, last] = await segments();
		const path = join(folder, last!);
		const note = join(folder, 'kept.json');
		const whole = await readFile(path);
		const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
		expect(first).toBe('entries-0000000000000000.journal');
		for (let length = 0; length < whole.length; length++) {
			await writeFile(path, whole.subarray(0, length));
			// A process that is killed has not noted the last of it.
			await rm(note, { force: true });
			const kept = length < ends[2]! ? 3 : length < ends[3]! ? 4 : length < ends[4]! ? 7 : 8;
			const journal = await open();
			expect(await textsOf(journal)).toEqual(texts.slice(0, kept));
			const end = [ends[3]!, ends[2]!, 48].find((end) => end <= length) ?? 0;
			expect(journal.cutBytes).toBe(length - end);
			// A whole header is never without a frame, unless something else than the journal took what was there.
			expect(journal.lost === undefined).toBe(length >= 48);
			expect((await journal.extent()).lost).toBe(journal.lost);
			await journal.append(kept, [entryOf('on')]);
			expect(await textsOf(journal)).toEqual([...texts.slice(0, kept), 'on']);
			await journal.close();
			const again = await open();
			expect(again.cutBytes).toBe(0);
			expect((await textsOf(again)).at(-1)).toBe('on');
			await again.close();
		}
	});

	test('by a loss of power, with zeros where nothing was written, is cut there', async () => {
		const journal = await open();
		await journal.append(0, [entryOf('a')]);
		await journal.append(1, [{ bytes: new Uint8Array(20_000).fill(7), blobs: [] }]);
		await journal.close();
		const path = join(folder, (await segments())[0]!);
		const whole = await readFile(path);
		const start = whole.length - 20_000;
		for (const [from, to] of [
			[start - 50, whole.length],
			[8192, whole.length],
			[8192, 12_288],
			[whole.length - 700, whole.length],
		]) {
			const torn = Buffer.from(whole).fill(0, from, to);
			await writeFile(path, torn);
			const after = await open();
			expect(after.cutBytes).toBeGreaterThan(20_000);
			expect(await textsOf(after)).toEqual(['a']);
			await after.close();
		}
	});

	test('a frame that a caller sends is no frame of the journal', async () => {
		const other = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
		const foreign = await FileJournal.open(other);
		for (let at = 0; at < 9; at++) await foreign.append(at, [entryOf('x')]);
		await foreign.close();
		const frames = await readFile(join(other, 'entries-0000000000000000.journal'));
		await rm(other, { recursive: true });
		const journal = await open();
		await journal.append(0, [entryOf('a')]);
		await journal.append(1, [{ bytes: frames, blobs: [] }]);
		await journal.close();
		const path = join(folder, (await segments())[0]!);
		await truncate(path, (await stat(path)).size - 1);
		const after = await open();
		expect(await textsOf(after)).toEqual(['a']);
		await after.close();
	});
});

describe('damage', () => {
	test('of any byte is told of, naming file and place, and nothing of it is changed', async () => {
		const journal = await open();
		const blob = new TextEncoder().encode('blob');
		const hash = 'fa2c8cc4f28176bbeed4b736df569a34c79cd3723e9ec42f9674b4d46ac6b8b8';
		await journal.keepBlob(hash, blob);
		await journal.append(0, [entryOf('first', hash)]);
		await journal.append(1, [entryOf('second'), entryOf('third')]);
		await journal.keepState(3, [new TextEncoder().encode('a state')], [hash]);
		await journal.append(3, [entryOf('fourth')]);
		await journal.append(4, [entryOf('fifth')]);
		await journal.close();
		const files = [...(await readdir(folder)).filter((name) => /\.journal$/.test(name)), `blobs/${hash}`];
		expect(files).toHaveLength(4);
		for (const name of files) {
			const path = join(folder, name);
			const whole = await readFile(path);
			for (let at = 0; at < whole.length; at++) {
				const flipped = Buffer.from(whole);
				flipped[at] = flipped[at]! ^ (1 << (at % 8));
				await writeFile(path, flipped);
				const said = await faultOf(everything());
				expect(said, `${name}, byte ${at}`).toMatch(/^(damaged|failed): /);
				expect(said).toContain(path);
				expect(await readFile(path)).toEqual(flipped);
			}
			await writeFile(path, whole);
		}
		await everything();

		async function everything(): Promise<void> {
			const again = await open();
			try {
				expect(await textsOf(again)).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
				expect(decoder.decode((await again.state())!.bytes)).toBe('a state');
				expect(await again.blob(hash)).toEqual(blob);
			} finally {
				await again.close();
			}
		}
	});

	test('a file that is gone, or another in its place, is told of', async () => {
		const journal = await open();
		for (let at = 0; at < 3; at++) {
			await journal.append(at, [entryOf(`${at}`)]);
			await journal.keepState(at + 1, [], []);
		}
		await journal.close();
		const [first, second, third] = (await segments()).map((name) => join(folder, name));
		const whole = await readFile(second!);
		await rm(second!);
		const gone = await open();
		expect(await faultOf(readAll(gone))).toMatch(/^damaged: .*its entries end at 1, and 2 follows/);
		expect(await textsOf(gone, 2)).toEqual(['2']);
		await gone.close();
		await copyFile(first!, second!);
		expect(await faultOf(open())).toMatch(/^damaged: .*it begins with entry 0/);
		await writeFile(second!, whole);
		await rm(third!);
		expect(await faultOf(open())).toMatch(/^damaged: .*a state of the world after 3 entries, and has 2/);
	});

	test.runIf(process.platform !== 'win32')(
		'links and pipes in the place of files are not followed',
		async () => {
			const journal = await open();
			await journal.append(0, [entryOf('a')]);
			await journal.close();
			const path = join(folder, (await segments())[0]!);
			const elsewhere = join(folder, 'elsewhere');
			await copyFile(path, elsewhere);
			await rm(path);
			await symlink(elsewhere, path);
			expect(await faultOf(open())).toMatch(/^failed: .*ELOOP/);
			await rm(path);
			execFileSync('mkfifo', [path]);
			expect(await faultOf(open())).toMatch(/^damaged: .*not a regular file/);
			const link = join(folder, 'link');
			await symlink(folder, link);
			expect(await faultOf(FileJournal.open(link))).toMatch(/^failed: .*is not a folder/);
		},
	);
});

describe('files that another program takes away while they are written to', () => {
	let time = 0;
	let journal: FileJournal;
	let path: string;
	const append = (at: number) => journal.append(at, [entryOf(`${at}`)]);
	/** What a start finds. */
	const kept = async () => {
		const after = await open();
		try {
			return await textsOf(after);
		} finally {
			await after.close();
		}
	};
	beforeEach(async () => {
		time = 0;
		journal = await open({ now: () => time });
		for (let at = 0; at < 3; at++) await append(at);
		path = join(folder, (await segments())[0]!);
	});

	/** As a backup is restored under a relay that runs. */
	const replaceByCopy = async () => {
		await cp(folder, `${folder}.copy`, {
			recursive: true,
			filter: (from) => !basename(from).startsWith('lock-'),
		});
		await rm(folder, { recursive: true });
		await rename(`${folder}.copy`, folder);
	};

	const ways: readonly [string, () => Promise<void>][] = [
		['removed', () => rm(path)],
		[
			'renamed over with an older one',
			async () => {
				await writeFile(`${path}.new`, (await readFile(path)).subarray(0, -1));
				await rename(`${path}.new`, path);
			},
		],
		[
			'moved away, with a link to it',
			async () => {
				await rename(path, join(folder, 'moved'));
				await symlink(join(folder, 'moved'), path);
			},
		],
		['appended to', () => appendFile(path, 'not of the journal')],
	];
	for (const [way, take] of ways) {
		test(`${way}: what was written is there again with what follows`, async () => {
			await append(3);
			await take();
			time += 1001;
			await append(4);
			expect(await textsOf(journal)).toEqual(['0', '1', '2', '3', '4']);
			await journal.close();
			expect(await kept()).toEqual(['0', '1', '2', '3', '4']);
			expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
		});

		test(`${way}: what was written is there again when nothing follows`, async () => {
			await take();
			await journal.close();
			expect(await kept()).toEqual(['0', '1', '2']);
		});

		test(`${way}: what was written is there again before it is read, and before a state is kept`, async () => {
			await take();
			expect(await textsOf(journal)).toEqual(['0', '1', '2']);
			await rm(path);
			await journal.keepState(3, [], []);
			await append(3);
			expect(await segments()).toHaveLength(2);
			await journal.close();
			expect(await kept()).toEqual(['0', '1', '2', '3']);
		});
	}

	test('removed, or renamed over: the next append finds that at once', async () => {
		await rm(path);
		await append(3);
		expect(await readFile(path)).not.toHaveLength(0);
		await writeFile(`${path}.new`, 'older');
		await rename(`${path}.new`, path);
		await append(4);
		// As a kill leaves it: nothing is written at an end.
		const copy = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
		await cp(folder, copy, { recursive: true, filter: (from) => !basename(from).startsWith('lock-') });
		const after = await FileJournal.open(copy);
		expect(await textsOf(after)).toEqual(['0', '1', '2', '3', '4']);
		await after.close();
		await rm(copy, { recursive: true });
		await journal.close();
	});

	test('what is written before that is seen is there again, too', async () => {
		await append(3);
		await rm(path);
		await append(4);
		time += 1001;
		await append(5);
		await journal.close();
		expect(await kept()).toEqual(['0', '1', '2', '3', '4', '5']);
	});

	test('is seen within a second of the last append, whatever follows', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		try {
			const other = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
			const here = await FileJournal.open(other);
			await here.append(0, [entryOf('a')]);
			const [file] = (await readdir(other)).filter((name) => name.startsWith('entries-'));
			const before = await readFile(join(other, file!));
			await rm(join(other, file!));
			vi.advanceTimersByTime(1000);
			await here.extent();
			expect(await readFile(join(other, file!))).toEqual(before);
			await here.close();
			await rm(other, { recursive: true });
		} finally {
			vi.useRealTimers();
			await journal.close();
		}
	});

	test('before the first append of a start, too', async () => {
		await journal.close();
		journal = await open();
		await rm(path);
		await append(3);
		await journal.close();
		expect(await kept()).toEqual(['0', '1', '2', '3']);
	});

	test('its folder put back from a copy: it goes on there, and another that begins is refused', async () => {
		await replaceByCopy();
		time += 1001;
		await append(3);
		expect(await faultOf(open())).toMatch(/^locked: /);
		await journal.close();
		expect(await kept()).toEqual(['0', '1', '2', '3']);
	});

	test('its folder put back from a copy, where another has begun: what that was answered stays, and nothing more is taken for kept', async () => {
		await replaceByCopy();
		const other = await open();
		await other.append(3, [entryOf('theirs')]);
		time += 1001;
		expect(await faultOf(append(3))).toMatch(/^locked: /);
		await other.append(4, [entryOf('theirs too')]);
		await other.close();
		expect(await faultOf(append(3))).toMatch(/^failed: Another program has written to the file/);
		expect(await faultOf(journal.close())).toMatch(/^failed: Another program has written/);
		expect(await kept()).toEqual(['0', '1', '2', 'theirs', 'theirs too']);
	});

	test('entries of another writer behind the last are not cut away', async () => {
		const before = await readFile(path);
		await append(3);
		const longer = await readFile(path);
		await journal.close();
		await writeFile(path, before);
		journal = await open({ now: () => time });
		await writeFile(path, longer);
		expect(await faultOf(append(3))).toMatch(/^failed: Another program has changed the file/);
		expect(await faultOf(journal.close())).toMatch(/^failed: /);
		expect(await kept()).toEqual(['0', '1', '2', '3']);
	});

	test('cut where it stands: nothing more is taken for kept until it is there again', async () => {
		const whole = await readFile(path);
		await truncate(path, 60);
		time += 1001;
		for (let i = 0; i < 2; i++)
			expect(await faultOf(append(3))).toMatch(
				/^failed: Another program has changed the file "entries-0{16}\.journal" of the journal: it has 60 bytes, but \d+ were written/,
			);
		expect(await faultOf(journal.keepState(3, [], []))).toMatch(/^failed: Another program has changed/);
		await writeFile(path, whole);
		await append(3);
		await journal.close();
		expect(await kept()).toEqual(['0', '1', '2', '3']);
	});

	test('cut where it stands: what is written before that is seen does not hide it, and the end of the journal says so', async () => {
		await truncate(path, 60);
		await append(3);
		time += 1001;
		expect(await faultOf(append(4))).toMatch(/^failed: Another program has changed/);
		expect(await faultOf(journal.close())).toMatch(/^failed: Another program has changed/);
		await expect(open()).rejects.toThrow('is damaged at byte 48');
	});

	test('a folder in its place, or its folder moved away: nothing more is taken for kept until that is mended', async () => {
		await rename(path, join(folder, 'moved'));
		await mkdir(path);
		time += 1001;
		expect(await faultOf(append(3))).toMatch(
			/^failed: The entries that were written are not where they belong/,
		);
		await rm(path, { recursive: true });
		await append(3);
		await rename(folder, `${folder}.moved`);
		time += 1001;
		expect(await faultOf(append(4))).toMatch(
			/^failed: The entries that were written are not where they belong: ENOENT/,
		);
		await rename(`${folder}.moved`, folder);
		await append(4);
		await journal.close();
		expect(await kept()).toEqual(['0', '1', '2', '3', '4']);
	});
});

describe('the newest state, which another program takes away while the journal is written to', () => {
	/** More than is copied at once. */
	const bytes = new Uint8Array(2_500_000).map((_, at) => at % 251);
	const path = (at = 3) => join(folder, `state-${String(at).padStart(16, '0')}.journal`);
	let journal: FileJournal;
	let whole: Buffer;
	const append = (at: number) => journal.append(at, [entryOf(`${at}`)]);
	beforeEach(async () => {
		journal = await open();
		for (let at = 0; at < 3; at++) await append(at);
		await journal.keepState(3, [bytes], []);
		await append(3);
		whole = await readFile(path());
	});
	afterEach(() => vi.useRealTimers());

	/** What a start finds in a folder, which is left as it is. */
	const startFinds = async (at = 3, state: Uint8Array = bytes) => {
		const copy = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
		try {
			await cp(folder, copy, { recursive: true, filter: (from) => !basename(from).startsWith('lock-') });
			expect((await readdir(copy)).filter((name) => name.endsWith('.part'))).toEqual([]);
			const after = await FileJournal.open(copy);
			const found = await after.state();
			expect([found?.at, Buffer.compare(found?.bytes ?? new Uint8Array(0), state)]).toEqual([at, 0]);
			await after.close();
		} finally {
			await rm(copy, { recursive: true });
		}
	};
	/** The second after the next append goes by. */
	const appendAndWait = async (at: number, take: () => Promise<void>) => {
		await journal.close();
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		journal = await open();
		await append(at);
		await take();
		vi.advanceTimersByTime(1000);
		vi.useRealTimers();
		await journal.extent();
	};

	const ways: readonly [string, () => Promise<void>][] = [
		['removed', () => rm(path())],
		[
			'renamed over with another file',
			async () => {
				await writeFile(`${path()}.new`, whole.subarray(0, -1));
				await rename(`${path()}.new`, path());
			},
		],
		[
			'moved away, with a link to it',
			async () => {
				await rename(path(), join(folder, 'moved'));
				await symlink(join(folder, 'moved'), path());
			},
		],
		['appended to', () => appendFile(path(), 'not of the journal')],
	];
	for (const [way, take] of ways) {
		test(`${way}: is there again within a second of the last append`, async () => {
			await appendAndWait(4, take);
			expect((await lstat(path())).isFile()).toBe(true);
			expect((await readFile(path())).equals(whole)).toBe(true);
			await startFinds();
			await take();
			await journal.close();
			await startFinds();
		});

		test(`${way}: is there again when the journal is closed`, async () => {
			await take();
			await journal.close();
			await startFinds();
		});

		test(`${way}: is there again before the first append of a start`, async () => {
			await journal.close();
			journal = await open();
			await take();
			await append(4);
			await startFinds();
			await take();
			const found = await journal.state();
			expect(Buffer.compare(found!.bytes, bytes)).toBe(0);
			await journal.close();
			await startFinds();
		});
	}

	test('a newer one takes its place, and one of as many entries, too', async () => {
		await rm(path());
		await journal.keepState(4, [bytes.subarray(1)], []);
		await rm(path(4));
		await journal.keepState(4, [bytes.subarray(2)], []);
		await journal.keepState(2, [bytes.subarray(3)], []);
		await rm(path(4));
		await journal.close();
		expect((await readdir(folder)).filter((name) => name.startsWith('state-'))).toEqual(
			[2, 4].map((at) => basename(path(at))),
		);
		await startFinds(4, bytes.subarray(2));
	});

	test('is looked at within a second of when it was kept', async () => {
		await journal.close();
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		journal = await open();
		await journal.keepState(4, [bytes], []);
		await rm(path(4));
		vi.advanceTimersByTime(1000);
		vi.useRealTimers();
		await journal.extent();
		await startFinds(4);
		await journal.close();
	});

	test('a folder in its place: nothing more is taken for kept until that is mended', async () => {
		await appendAndWait(4, async () => {
			await rm(path());
			await mkdir(path());
		});
		for (let i = 0; i < 2; i++)
			expect(await faultOf(append(5))).toMatch(
				/^failed: The newest state is not in its place: E(ISDIR|PERM|EXIST|NOTEMPTY)/,
			);
		await rm(path(), { recursive: true });
		await append(5);
		await startFinds();
		await rm(path());
		await mkdir(path());
		expect(await faultOf(journal.close())).toMatch(/^failed: The newest state is not in its place/);
		await rm(path(), { recursive: true });
		const after = await open();
		expect((await after.extent()).next).toBe(6);
		await after.close();
	});

	test('the append after a look that found it gone hears of that, also where others were written meanwhile', async () => {
		await journal.close();
		const faulty = faultyDisk();
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		journal = await open({ disk: faulty.disk });
		await append(4);
		await rm(path());
		await mkdir(path());
		const { writes } = faulty;
		faulty.hold();
		const meanwhile = append(5);
		await vi.waitFor(() => expect(faulty.writes).toBe(writes + 1), { interval: 0 });
		vi.advanceTimersByTime(1000);
		faulty.release();
		await meanwhile;
		vi.useRealTimers();
		await journal.extent();
		expect(await faultOf(append(6))).toMatch(/^failed: The newest state is not in its place/);
		await rm(path(), { recursive: true });
		await append(6);
		await journal.close();
		await startFinds();
	});

	test('cut where it stands: nothing more is taken for kept until there is a newer one', async () => {
		await appendAndWait(4, () => truncate(path(), 1_000_000));
		for (let i = 0; i < 2; i++)
			expect(await faultOf(append(5))).toMatch(
				/^failed: Another program has changed the file "state-0{15}3\.journal" of the journal: it has 1000000 bytes, but \d+ were written/,
			);
		await journal.keepState(5, [bytes], []);
		await append(5);
		await journal.close();
		const after = await open();
		expect((await after.state())?.at).toBe(5);
		await after.close();
	});

	test.runIf(process.platform === 'linux')('no file of it stays open', async () => {
		const opened = async () => {
			const held = await readdir('/proc/self/fd');
			const paths = await Promise.all(held.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
			return paths.filter((held) => basename(held).startsWith('state-') && held.startsWith(folder));
		};
		for (let at = 1; at < 5; at++) await journal.keepState(at, [bytes], []);
		await rm(path(4));
		expect(await opened()).toEqual([`${path(4)} (deleted)`]);
		await append(4);
		await journal.close();
		expect(await opened()).toEqual([]);
		const looked = await FileJournal.look(folder);
		expect((await looked.state())?.at).toBe(4);
		expect(await opened()).toEqual([]);
		const [first] = await segments();
		await writeFile(join(folder, first!), 'not of the journal');
		await expect(open()).rejects.toThrow('damaged');
		expect(await opened()).toEqual([]);
	});

	test.runIf(process.platform === 'linux' && process.getuid?.() === 0 && mountable())(
		'a disk without room for it: nothing more is taken for kept until there is',
		async () => {
			await journal.close();
			const small = join(folder, 'small');
			await mkdir(small);
			execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small]);
			try {
				journal = await FileJournal.open(small);
				await journal.keepState(0, [bytes.subarray(0, 100_000)], []);
				await journal.close();
				journal = await FileJournal.open(small);
				await writeFile(join(small, 'other'), new Uint8Array(100_000));
				await rm(join(small, basename(path(0))));
				expect(await faultOf(append(0))).toMatch(/^full: The newest state is not in its place: .*ENOSPC/);
				await rm(join(small, 'other'));
				await append(0);
				await journal.close();
				const after = await FileJournal.open(small);
				expect(Buffer.compare((await after.state())!.bytes, bytes.subarray(0, 100_000))).toBe(0);
				expect(await textsOf(after)).toEqual(['0']);
				await after.close();
			} finally {
				await journal.close().finally(() => execFileSync('umount', [small]));
			}
		},
	);
});

describe('what was kept and is gone at a start', () => {
	let path: string;
	let ends: number[];
	const note = () => join(folder, 'kept.json');
	const noted = async () => JSON.parse(await readFile(note(), 'utf8'));
	beforeEach(async () => {
		const journal = await open();
		ends = [];
		for (let at = 0; at < 5; at++) {
			await journal.append(at, [entryOf(`${at}`)]);
			path = join(folder, (await segments()).at(-1)!);
			ends.push((await stat(path)).size);
		}
		await journal.close();
	});

	const lostIs = async (lost: string | undefined, next: number) => {
		const journal = await open();
		try {
			const extent = await journal.extent();
			expect([journal.lost, extent.lost, extent.next]).toEqual([lost, lost, next]);
			expect((await FileJournal.look(folder)).lost).toBe(lost);
		} finally {
			await journal.close();
		}
	};
	const said = (ends: string, from: number) =>
		`The journal had entries up to 4, and its files ${ends}: one was removed, cut or replaced by an older one. The entries from ${from} on are lost.`;

	test('is told of when the file was removed', async () => {
		await rm(path);
		await lostIs(said('have none', 0), 0);
	});

	test('is told of when a file was cut between two frames, or replaced by an older one', async () => {
		await truncate(path, ends[2]);
		await lostIs(said('end with entry 2', 3), 3);
	});

	test('is told of when the file after a state was removed', async () => {
		const journal = await open();
		await journal.keepState(4, [], []);
		expect(await noted()).toEqual({ next: 5 });
		await journal.append(5, [entryOf('5')]);
		await journal.close();
		await rm(join(folder, (await segments()).at(-1)!));
		await lostIs(said('end with entry 4', 5).replace('up to 4', 'up to 5'), 5);
	});

	test('is told of at each start until a state is kept, whatever is written meanwhile', async () => {
		await truncate(path, ends[2]);
		await lostIs(said('end with entry 2', 3), 3);
		const journal = await open();
		await journal.append(3, [entryOf('another 3')]);
		await journal.close();
		await lostIs(said('end with entry 3', 4), 4);
		const stating = await open();
		await stating.keepState(4, [], []);
		expect(stating.lost).toBeUndefined();
		await stating.close();
		await lostIs(undefined, 4);
	});

	test('is nothing where the note lags behind, as after the end of a killed process, or says nothing', async () => {
		for (const text of ['{"next":2}', '{"next":-1}', '{}', '[]', 'null', '', '{"next":9', undefined]) {
			if (text === undefined) await rm(note());
			else await writeFile(note(), text);
			await lostIs(undefined, 5);
			expect(await noted()).toEqual({ next: 5 });
		}
	});

	test('is noted within a second of the last append, and a note that cannot be written is no fault', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		const journal = await open();
		try {
			await journal.append(5, [entryOf('5')]);
			vi.advanceTimersByTime(1000);
		} finally {
			vi.useRealTimers();
		}
		await vi.waitFor(async () => expect(await noted()).toEqual({ next: 6 }));
		await rm(note());
		await mkdir(note());
		await journal.append(6, [entryOf('6')]);
		await journal.keepState(7, [], []);
		await journal.close();
		await lostIs(undefined, 7);
	});
});

test('this user alone may read what is kept', async () => {
	const inside = join(folder, 'world');
	const journal = await FileJournal.open(inside);
	await journal.append(0, [entryOf('a')]);
	await journal.keepState(1, [new Uint8Array(3)], []);
	await journal.close();
	for (const path of [inside, join(inside, 'blobs')]) expect((await stat(path)).mode & 0o777).toBe(0o700);
	const files = (await readdir(inside)).filter((name) => name !== 'blobs');
	expect(files).toHaveLength(3);
	for (const name of files) expect((await stat(join(inside, name))).mode & 0o777).toBe(0o600);
});

test('a clock that jumps changes nothing', async () => {
	vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2040, 0) });
	try {
		const journal = await open({ most: 3000 });
		for (let at = 0; at < 10; at++) {
			vi.setSystemTime(Date.UTC(at % 2 === 0 ? 1971 : 2099, at));
			await journal.append(at, [{ bytes: new Uint8Array(500).fill(at), blobs: [] }]);
			await journal.keepState(at + 1, [new Uint8Array(100)], []);
		}
		const { first, next, states } = await journal.extent();
		expect(next).toBe(10);
		expect(states.at(-1)).toBe(10);
		expect(first).toBeGreaterThan(0);
		await journal.close();
		vi.setSystemTime(0);
		const after = await open();
		expect((await readAll(after, first)).map(({ bytes }) => bytes[0])).toEqual(
			Array.from({ length: 10 - first }, (_, i) => first + i),
		);
		await after.close();
	} finally {
		vi.useRealTimers();
	}
});

test('an append that is asked for again is not doubled, and that of another is refused', async () => {
	const { encodeAppend, newAuthor } = await import('../../../shared/contract/journal-bytes.ts');
	const [one, other] = [newAuthor(), newAuthor()];
	const journal = await open();
	const bytes = encodeAppend(one, [entryOf('a'), entryOf('b')]);
	await journal.appendBytes(0, bytes, 2);
	await journal.append(2, [entryOf('c')]);
	await journal.appendBytes(0, bytes, 2);
	expect(await faultOf(journal.appendBytes(0, encodeAppend(other, [entryOf('a'), entryOf('b')]), 2))).toMatch(
		/^conflict/,
	);
	expect(await faultOf(journal.appendBytes(0, encodeAppend(one, [entryOf('a')]), 1))).toMatch(/^conflict/);
	await journal.close();
	const after = await open();
	await after.appendBytes(0, bytes, 2);
	expect(await textsOf(after)).toEqual(['a', 'b', 'c']);
	await after.close();
});
