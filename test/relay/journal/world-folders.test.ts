/**
 * Worlds of a data folder: a start chooses one, the list has all, and a new world never replaces an old one.
 */

import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { worldsText } from '../../../relay/cli/worlds.ts';
import { DataFiles } from '../../../relay/data-files.ts';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import { WorldFolders } from '../../../relay/journal/world-folders.ts';
import { entryOf, readAll, worldEntry } from '../../support/journal-suite.ts';
import { acquireJournal } from '../../support/owned-journal.ts';

let data: string;
let worlds: WorldFolders;
beforeEach(async () => {
	data = join(await mkdtemp(join(tmpdir(), 'orrery-worlds-')), 'data');
	worlds = new WorldFolders(data);
});
afterEach(() => rm(join(data, '..'), { recursive: true, force: true }));

/** Writes entries to a folder. The last one has the name and the tick of the world. */
async function write(folder: string, entries: number, name: string, tick: number): Promise<void> {
	const journal = await acquireJournal(DatabaseJournal.open(folder));
	for (let at = 0; at < entries; at++) await journal.append(at, [worldEntry(name, tick + 1 + at - entries)]);
	await journal.close();
}

test('the first start creates a world, and later ones resume it', async () => {
	expect(await worlds.list()).toEqual([]);
	const folder = await worlds.current();
	await write(folder, 3, 'Arena', 1672);
	expect(await new WorldFolders(data).current()).toBe(folder);
	const [world, ...others] = await worlds.list();
	expect(others).toEqual([]);
	expect(world).toMatchObject({ id: basename(folder), name: 'Arena', tick: 1672, current: true });
	expect(world!.bytes).toBeGreaterThan(100);
	expect(Math.abs(Date.parse(world!.when) - Date.now())).toBeLessThan(60_000);
	expect((await stat(worlds.folder)).mode & 0o777).toBe(0o700);
});

test('a new world is created beside the old one, which stays whole and can be resumed by name or id', async () => {
	const arena = await worlds.current();
	await write(arena, 3, 'Arena', 10);
	const dungeon = await worlds.create();
	await write(dungeon, 1, 'Dungeon', 20);
	expect(await worlds.current()).toBe(dungeon);
	expect((await worlds.list()).map(({ name, current }) => [name, current])).toEqual([
		['Dungeon', true],
		['Arena', false],
	]);
	expect(await worlds.makeCurrent('Arena')).toBe(arena);
	expect(await worlds.current()).toBe(arena);
	const journal = await DatabaseJournal.open(arena);
	expect(await readAll(journal)).toHaveLength(3);
	await journal.close();
	expect(await worlds.makeCurrent(basename(dungeon))).toBe(dungeon);
	await expect(worlds.makeCurrent('Market')).rejects.toThrow('There is no world "Market"');
	await write(await worlds.create(), 1, 'Arena', 0);
	await expect(worlds.makeCurrent('Arena')).rejects.toThrow(
		/2 worlds have the name "Arena". Choose one by its id: /,
	);
	expect(await worlds.list()).toHaveLength(3);
});

test('two worlds that are created together have separate folders', async () => {
	const folders = await Promise.all([worlds.create(), worlds.create(), new WorldFolders(data).create()]);
	expect(new Set(folders).size).toBe(3);
	expect(folders).toContain(await worlds.current());
});

test('the list reads name and tick from the newest entry of the main world, while a server writes', async () => {
	const folder = await worlds.current();
	expect(await worlds.list()).toMatchObject([{ name: '', tick: null, written: false }]);
	const journal = await acquireJournal(DatabaseJournal.open(folder));
	await journal.keepState(0, [Uint8Array.of(1)], []);
	expect(await worlds.list()).toMatchObject([{ name: '', tick: 0, written: true }]);
	await journal.append(0, [worldEntry('Market', 48), worldEntry('Arena\n\u001b[31m', 49)]);
	const { bytes, blobs } = worldEntry('', 7);
	const ofFork = Buffer.from(bytes).toString('latin1').replace('"main"', '"plan"');
	await journal.append(2, [{ bytes: Buffer.from(ofFork, 'latin1'), blobs }]);
	expect(await worlds.list()).toMatchObject([{ name: 'Arena  [31m', tick: 49, written: true }]);
	await journal.append(3, [entryOf('no entry of an engine')]);
	expect(await worlds.list()).toMatchObject([{ name: '', tick: null, written: true }]);
	await journal.close();
});

test('an unreadable pointer to the current world is reported, and no new world replaces it', async () => {
	const folder = await worlds.current();
	for (const [text, said] of [
		['{', 'current.json" names no stored world'],
		['[]', 'current.json" names no stored world'],
		['null', 'current.json" names no stored world'],
		['{"world":"../../elsewhere"}', 'current.json" names no stored world'],
		['{"world":"0123456789abcdef"}', '0123456789abcdef" are missing'],
	] as const) {
		await writeFile(join(worlds.folder, 'current.json'), text);
		await expect(worlds.current()).rejects.toThrow(said);
	}
	expect((await worlds.list()).map(({ id, current }) => [id, current])).toEqual([[basename(folder), false]]);
	expect(await worlds.makeCurrent(basename(folder))).toBe(folder);
	expect(await worlds.current()).toBe(folder);
});

test('without the file that names the current world, no world with content is skipped', async () => {
	const empty = await worlds.current();
	// After a start without any entry, the next start resumes its world.
	expect(await worlds.current()).toBe(empty);
	await rm(join(worlds.folder, 'current.json'));
	expect(await worlds.hasCurrent()).toBe(false);
	const unused = await worlds.current();
	expect(unused).not.toBe(empty);
	await write(unused, 1, 'Arena', 3);
	await rm(join(worlds.folder, 'current.json'));
	await expect(worlds.current()).rejects.toThrow('current.json" is missing');
	expect(await worlds.makeCurrent('Arena')).toBe(unused);
	expect(await worlds.current()).toBe(unused);
});

test.runIf(process.platform !== 'win32')('a link instead of the folder is refused', async () => {
	const elsewhere = join(data, '..', 'elsewhere');
	await mkdir(elsewhere);
	await mkdir(data);
	await symlink(elsewhere, worlds.folder);
	await expect(worlds.current()).rejects.toThrow('is not a folder');
	await expect(worlds.create()).rejects.toThrow('is not a folder');
	expect(await readdir(elsewhere)).toEqual([]);
});

test('no path of a caller leads to the folder', async () => {
	const folder = await worlds.current();
	await write(folder, 1, 'Arena', 1);
	const files = new DataFiles(data);
	for (const path of [`.orrery-worlds/current.json`, `.ORRERY-worlds/${basename(folder)}/journal.db`]) {
		expect((await files.read(path)).outcome).toBe('refused');
		expect((await files.write(path, new Uint8Array(1))).outcome).toBe('refused');
	}
});

test('the printed list has name, tick, size, time and id of each world', () => {
	const world = { id: '0123456789abcdef', when: '2026-01-02T03:04:05.000Z', written: true, current: false };
	expect(worldsText([], './data')).toBe('The folder ./data contains no world.\n');
	expect(
		worldsText(
			[
				{ ...world, name: 'Arena', tick: 1672, bytes: 3 * 2 ** 20, current: true },
				{ ...world, name: '', tick: null, bytes: 12, written: false },
				{ ...world, name: 'Dungeon', tick: null, bytes: 1200 },
			],
			'./data',
		),
	).toBe(
		`Arena             tick 1672, 3.0 MiB, written 2026-01-02T03:04:05.000Z, 0123456789abcdef, current
0123456789abcdef  no tick yet, 12 bytes, written 2026-01-02T03:04:05.000Z
Dungeon           tick unknown, 1.2 KiB, written 2026-01-02T03:04:05.000Z, 0123456789abcdef
`,
	);
});
