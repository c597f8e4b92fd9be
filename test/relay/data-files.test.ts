/** Access to the data folder. No path and no link leads to a file outside. */

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataFiles } from '../../relay/data-files.ts';
import { Faults } from '../../relay/faults.ts';
import { FolderRoom } from '../../relay/folder-room.ts';
import { MAX_PICTURES } from '../../shared/contract/file-path.ts';

let base: string;
let files: DataFiles;
const bytes = Buffer.from('new');

beforeEach(async () => {
	base = await mkdtemp(join(tmpdir(), 'orrery-files-'));
	await mkdir(join(base, 'outside'));
	await mkdir(join(base, 'data'));
	await writeFile(join(base, 'outside', 'secret'), 'old');
	files = new DataFiles(join(base, 'data'));
});

afterEach(() => rm(base, { recursive: true, force: true }));

test('writes and replaces files, and creates folders', async () => {
	expect(await files.write('a/b/c.json', bytes)).toMatchObject({ outcome: 'done' });
	expect(await files.write('a/b/c.json', Buffer.from('newer'))).toMatchObject({ outcome: 'done' });
	expect(Buffer.from((await files.read('a/b/c.json')).bytes).toString()).toBe('newer');
	expect(await readdir(join(base, 'data', 'a', 'b'))).toEqual(['c.json']);
	expect((await files.read('a/b/none')).outcome).toBe('missing');
	expect((await files.read('a/b')).outcome).toBe('refused');
	expect((await files.write('a/b', bytes)).outcome).toBe('refused');
});

test('only the newest pictures are kept', async () => {
	const folder = join(base, 'data', 'screenshots');
	await mkdir(folder, { recursive: true });
	const names = Array.from({ length: MAX_PICTURES }, (_, i) => `${i}.png`);
	for (const [i, name] of names.entries()) {
		await writeFile(join(folder, name), 'old');
		await utimes(join(folder, name), i, i);
	}
	await writeFile(join(folder, 'notes.txt'), 'kept');
	for (const name of ['new.png', 'newer.png', 'new.png'])
		expect(await files.write(`screenshots/${name}`, bytes)).toMatchObject({ outcome: 'done' });
	expect((await readdir(folder)).sort()).toEqual(
		['notes.txt', 'new.png', 'newer.png', ...names.slice(2)].sort(),
	);
});

describe('the limit of the data folder', () => {
	const KIB = 1024;
	const size = (kib: number) => new Uint8Array(kib * KIB);
	const filesWith = (maxBytes: number, spare = 0) =>
		new DataFiles(join(base, 'data'), { room: new FolderRoom(join(base, 'data'), { maxBytes, spare }) });
	const outcomesOf = async (writes: readonly Promise<{ readonly outcome: string }>[]) =>
		(await Promise.all(writes)).map(({ outcome }) => outcome);

	test('existing files count, and so do concurrent writes, many small files, and folders', async () => {
		await mkdir(join(base, 'data', 'old'));
		await writeFile(join(base, 'data', 'old', 'file'), size(40));
		await mkdir(join(base, 'data', '.orrery-worlds'));
		await writeFile(join(base, 'data', '.orrery-worlds', 'journal'), size(400));
		files = filesWith(100 * KIB);
		const writes = Array.from({ length: 8 }, (_, i) => files.write(`f${i}`, size(20)));
		expect((await outcomesOf(writes)).sort()).toEqual([...Array(2).fill('done'), ...Array(6).fill('full')]);
		// 4 KiB are left. They suffice for a small file, but not for one in a new folder.
		expect(await files.write('a/b/c', size(0))).toMatchObject({ outcome: 'full' });
		expect(Buffer.from((await files.write('a/b/c', size(0))).bytes).toString()).toBe(
			'The files of the data folder may have 102400 bytes, and this file would exceed that.',
		);
		expect(await files.write('small', size(0))).toMatchObject({ outcome: 'done' });
		expect(await files.write('smaller', size(0))).toMatchObject({ outcome: 'full' });
		// A file that replaces a larger one has room, and frees some.
		expect(await files.write('old/file', size(1))).toMatchObject({ outcome: 'done' });
		expect(await files.write('new', size(20))).toMatchObject({ outcome: 'done' });
	});

	test('a failed write takes no room, and the oldest picture frees its room', async () => {
		files = filesWith(40 * KIB);
		await mkdir(join(base, 'data', 'folder'));
		expect(await files.write('folder', size(20))).toMatchObject({ outcome: 'refused' });
		expect(await files.write('file', size(30))).toMatchObject({ outcome: 'done' });
		await rm(join(base, 'data'), { recursive: true });
		const pictures = join(base, 'data', 'screenshots');
		await mkdir(pictures, { recursive: true });
		for (let i = 0; i < MAX_PICTURES; i++) await writeFile(join(pictures, `${i}.png`), size(1));
		files = filesWith((MAX_PICTURES + 1) * 9 * KIB);
		for (let i = 0; i < 5; i++)
			expect(await files.write(`screenshots/new${i}.png`, size(1))).toMatchObject({ outcome: 'done' });
	});

	test('an agent has its own share, which pictures do not use', async () => {
		const owners = {
			ownerOf: async () => undefined,
			limitOf: (agent: string) => (agent === 'ada' ? 30 * KIB : 0),
		};
		const room = new FolderRoom(join(base, 'data'), { owners: async () => owners });
		files = new DataFiles(join(base, 'data'), { room });
		for (let i = 0; i < MAX_PICTURES + 5; i += 50)
			expect(await files.write(`screenshots/${i}.png`, size(9), 'ada')).toMatchObject({ outcome: 'done' });
		expect(await files.write('one', size(20), 'ada')).toMatchObject({ outcome: 'done' });
		expect(await files.write('two', size(20), 'ada')).toMatchObject({ outcome: 'full' });
		expect(await files.write('two', size(20), 'bob')).toMatchObject({ outcome: 'full' });
		expect(await files.write('two', size(20))).toMatchObject({ outcome: 'done' });
	});

	test('a journal beyond its share reduces the room for files', async () => {
		let excess = 0;
		const room = new FolderRoom(join(base, 'data'), {
			maxBytes: 100 * KIB,
			journalExcess: async () => excess,
		});
		files = new DataFiles(join(base, 'data'), { room });
		expect(await files.write('one', size(20))).toMatchObject({ outcome: 'done' });
		excess = 70 * KIB;
		expect(await files.write('two', size(20))).toMatchObject({ outcome: 'full' });
		excess = 0;
		expect(await files.write('two', size(20))).toMatchObject({ outcome: 'done' });
	});

	test('a part of the disk stays free for the journal', async () => {
		files = filesWith(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
		expect(await files.write('file', size(1))).toMatchObject({ outcome: 'full' });
	});
});

test('writes to one file end in order', async () => {
	const all = Array.from({ length: 20 }, (_, i) => files.write('x', Buffer.from(String(i))));
	const read = files.read('x');
	await Promise.all(all);
	expect(Buffer.from((await read).bytes).toString()).toBe('19');
});

test.each([
	'',
	'/etc/passwd',
	'..',
	'../outside/secret',
	'a/../../outside/secret',
	'./a',
	'a//b',
	'a\\b',
	'C:/a',
	'a\0b',
	'a/',
])('refuses %j', async (path) => {
	expect((await files.read(path)).outcome).toBe('refused');
	expect((await files.write(path, bytes)).outcome).toBe('refused');
});

test('links out of the folder are refused for reading and writing', async () => {
	const data = join(base, 'data');
	await symlink(join(base, 'outside'), join(data, 'folder'));
	await symlink(join(base, 'outside', 'secret'), join(data, 'file'));
	await symlink(join(base, 'outside', 'not-there'), join(data, 'broken'));
	await symlink(join(base, 'outside', 'new-folder'), join(data, 'broken-folder'));
	for (const path of [
		'folder/secret',
		'folder/new',
		'folder/new/deep',
		'file',
		'broken',
		'broken-folder/x',
	]) {
		expect((await files.write(path, bytes)).outcome).toBe('refused');
	}
	// No answer distinguishes an existing file from a missing one.
	for (const path of ['folder/secret', 'folder/none', 'folder/none/deep', 'broken-folder/x'])
		expect(await files.read(path), path).toEqual({
			outcome: 'refused',
			bytes: Buffer.from(`"${path}" passes through a link that leads out of the data folder.`),
		});
	expect((await files.read('file')).outcome).toBe('refused');
	expect(await readFile(join(base, 'outside', 'secret'), 'utf8')).toBe('old');
	expect(await readdir(join(base, 'outside'))).toEqual(['secret']);
});

test('links within the folder work, and the folder itself may be a link', async () => {
	await files.write('real/a', bytes);
	await symlink(join(base, 'data', 'real'), join(base, 'data', 'alias'));
	expect((await files.read('alias/a')).outcome).toBe('done');
	await symlink(join(base, 'data'), join(base, 'data-link'));
	const linked = new DataFiles(join(base, 'data-link'));
	expect((await linked.write('b', bytes)).outcome).toBe('done');
	expect((await linked.read('real/a')).outcome).toBe('done');
});

test('a file that could not be read back is not written, and the old file stays', async () => {
	const small = new DataFiles(join(base, 'data'), { maxBytes: 3 });
	expect((await small.write('x', bytes)).outcome).toBe('done');
	const { outcome, bytes: why } = await small.write('x', Buffer.from('long'));
	expect([outcome, Buffer.from(why).toString()]).toEqual([
		'failed',
		'"x" has 4 bytes; a file may have at most 3.',
	]);
	expect(Buffer.from((await small.read('x')).bytes).toString()).toBe('new');
	await files.write('x', Buffer.from('long'));
	expect((await small.read('x')).outcome).toBe('failed');
	expect(await readdir(join(base, 'data'))).toEqual(['x']);
});

test.skipIf(process.platform === 'win32')(
	'pipes, sockets and devices are refused and block nothing',
	async () => {
		const data = join(base, 'data');
		execFileSync('mkfifo', [join(data, 'pipe')]);
		await symlink(join(data, 'pipe'), join(data, 'alias'));
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(join(data, 'socket'), resolve));
		try {
			// More paths than threads that open files.
			for (const path of ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'alias', 'socket']) {
				expect((await files.read(path)).outcome).toBe('refused');
				expect((await files.write(path, bytes)).outcome).toBe('refused');
			}
		} finally {
			server.close();
		}
		expect((await files.write('pipe/below', bytes)).outcome).toBe('refused');
		expect((await files.write('a', bytes)).outcome).toBe('done');
		expect((await files.read('a')).outcome).toBe('done');
	},
);

test.runIf(process.platform === 'linux')(
	"a failed read or write reports the system's code, and never a missing file",
	async ({ skip }) => {
		const reports: unknown[] = [];
		const filesOf = (folder: string) =>
			new DataFiles(folder, { faults: new Faults(folder, (e) => reports.push(e)) });
		// No folder can be created in /proc.
		const nowhere = await filesOf('/proc/orrery').write('a', bytes);
		expect([nowhere.outcome, Buffer.from(nowhere.bytes).toString()]).toEqual([
			'failed',
			expect.stringContaining('ENOENT'),
		]);
		const data = join(base, 'read-only');
		await mkdir(data);
		try {
			execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', data], { stdio: 'ignore' });
		} catch {
			skip('Mounting needs more rights.');
		}
		try {
			for (const path of ['a', 'folder/a', 'folder/deep/a'])
				for (const { outcome, bytes: why } of [
					await filesOf(data).write(path, bytes),
					await filesOf(join(data, 'data')).create(path, bytes),
				])
					expect([outcome, Buffer.from(why).toString()], path).toEqual([
						'failed',
						expect.stringContaining('EROFS'),
					]);
			expect((await filesOf(data).read('a')).outcome).toBe('missing');
		} finally {
			execFileSync('umount', [data]);
		}
		expect(reports).not.toEqual([]);
	},
);

test('lists readable files, without links and files of the server', async () => {
	expect(await files.list()).toEqual([]);
	for (const path of ['b.json', 'a/c.glb', 'a/d/e.wav']) await files.write(path, bytes);
	await writeFile(join(base, 'data', '.orrery-agents.json'), 'own');
	await symlink(join(base, 'outside'), join(base, 'data', 'out'));
	await symlink(join(base, 'outside', 'secret'), join(base, 'data', 'secret'));
	expect(await files.list()).toEqual(['a/c.glb', 'a/d/e.wav', 'b.json']);
	expect(await new DataFiles(join(base, 'none')).list()).toEqual([]);
});
