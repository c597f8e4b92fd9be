/** With which world a start goes on, and what it says where it cannot. */

import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorld, type WorldChoice } from '../../../relay/journal/open-world.ts';
import { WorldFolders } from '../../../relay/journal/world-folders.ts';
import { entryOf } from '../../support/journal-suite.ts';

let data: string;
let said: string[];
beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-data-'));
	said = [];
});
afterEach(() => rm(data, { recursive: true, force: true }));

const start = (choice: Partial<WorldChoice> = {}) =>
	openWorld({ data, fresh: false, world: undefined, most: 1e9, fsync: false, ...choice }, (sentence) =>
		said.push(sentence),
	);

test('a start goes on with what there is, another begins beside it, and a third goes back by name', async () => {
	const first = (await start())!;
	expect(first.goesOn).toBeUndefined();
	await first.journal.append(0, [entryOf('a')]);
	await first.notes.note('Arena', 7);
	await first.journal.close();
	const again = (await start())!;
	expect(again.goesOn).toBe('Arena');
	expect((await again.journal.extent()).next).toBe(1);
	await again.journal.close();
	const other = (await start({ fresh: true }))!;
	expect((await other.journal.extent()).next).toBe(0);
	await other.journal.close();
	const back = (await start({ world: 'Arena' }))!;
	expect((await back.journal.extent()).next).toBe(1);
	await back.journal.close();
	await expect(start({ world: 'Market' })).rejects.toThrow('No world "Market" is kept');
	expect(said).toEqual([]);
});

test('two relays on one folder: the second says which process keeps the world, and keeps none', async () => {
	const first = (await start())!;
	expect(await start()).toBeUndefined();
	expect(said).toEqual([
		expect.stringMatching(`The process ${process.pid} writes to .* This world is not kept.`),
	]);
	await first.journal.append(0, [entryOf('still written')]);
	await first.journal.close();
});

test('where the world that is kept cannot be written to, no empty one begins in its place', async () => {
	const first = (await start())!;
	await first.journal.append(0, [entryOf('a')]);
	const { folder } = first.journal;
	await first.journal.close();
	// A folder that cannot be removed as a draft is: the system refuses to write.
	const obstacle = join(folder, '.orrery-obstacle.part');
	await mkdir(obstacle);
	await expect(start()).rejects.toThrow(
		/could not be opened.*cannot be gone on with.*no other begins in its place/,
	);
	expect(await (await start({ fresh: true }))!.journal.close()).toBeUndefined();
	await rm(obstacle, { recursive: true });
	const again = (await start({ world: basename(folder) }))!;
	expect((await again.journal.extent()).next).toBe(1);
	await again.journal.close();
	expect(said).toEqual([]);
});

test('what was cut off is said, and damage ends the start without changing anything', async () => {
	const first = (await start())!;
	await first.journal.append(0, [entryOf('a')]);
	await first.journal.append(1, [entryOf('b')]);
	await first.journal.close();
	const [file] = (await readdir(first.journal.folder)).filter((name) => name.startsWith('entries'));
	const path = join(first.journal.folder, file!);
	await appendFile(path, 'torn');
	await (await start())!.journal.close();
	expect(said).toEqual([expect.stringContaining('The last 4 bytes of the journal were cut')]);
	const bytes = await readFile(path);
	bytes[60] = bytes[60]! ^ 1;
	await writeFile(path, bytes);
	await expect(start()).rejects.toThrow(/is damaged at byte 48.*Start with --new to begin another world/);
	expect(await readFile(path)).toEqual(bytes);
	const other = (await start({ fresh: true }))!;
	await other.journal.close();
	expect(await new WorldFolders(data).list()).toHaveLength(2);
});
