/** What the list of worlds says of a world after a start and after an end, however soon that comes. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WorldFolders, WorldNotes } from '../../relay/journal/world-folders.ts';
import { noteEnd, noteWorld } from '../../relay/note-world.ts';
import type { CallHandler } from '../../shared/contract/wire.ts';

let data: string;
let folder: string;
let said: string[];
beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-worlds-'));
	folder = await new WorldFolders(data).goOn();
	said = [];
});
afterEach(() => rm(data, { recursive: true, force: true }));

const say = (sentence: string): void => void said.push(sentence);
const listed = async () => (await new WorldFolders(data).list())[0];

/** An engine whose world has this name and tick. */
const engineAt =
	(world_name: string, tick: number): CallHandler =>
	async ({ method, path }) => {
		expect([method, path]).toEqual(['GET', '/']);
		return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ ok: true, world_name, tick })) };
	};

test('what a start has read is noted, and what was done since at the end', async () => {
	const notes = new WorldNotes(folder);
	await noteWorld(notes, { world_name: 'Arena', tick: 300 }, say);
	expect(await listed()).toMatchObject({ name: 'Arena', tick: 300 });
	await noteEnd(notes, engineAt('Arena', 342), say);
	expect(await listed()).toMatchObject({ id: basename(folder), name: 'Arena', tick: 342 });
	expect(said).toEqual([]);
});

test('a start and an end at which nothing is new write nothing', async () => {
	let now = 0;
	const notes = new WorldNotes(folder, () => now);
	await notes.note('Arena\n', 7);
	now = 1000;
	await noteWorld(notes, { world_name: 'Arena\n', tick: 7 }, say);
	await noteEnd(notes, engineAt('Arena\n', 7), say);
	expect((await notes.read())?.at).toBe(new Date(0).toISOString());
	await noteEnd(notes, engineAt('Market', 7), say);
	expect(await notes.read()).toMatchObject({ name: 'Market', at: new Date(1000).toISOString() });
});

test('an end waits only so long for an engine, and one that fails or refuses keeps nothing from ending', async () => {
	const notes = new WorldNotes(folder);
	await noteEnd(notes, () => new Promise(() => {}), say, 20);
	expect(said).toEqual([]);
	await noteEnd(notes, () => Promise.reject(new Error('The relay ends.')), say);
	await noteEnd(notes, async () => ({ status: 503, headers: {}, body: Buffer.from('{"ok":false}') }), say);
	expect(await listed()).toMatchObject({ tick: null });
	expect(said.splice(0)).toEqual(
		Array(2).fill(expect.stringContaining('The state of the world could not be read')),
	);
	await rm(folder, { recursive: true });
	await noteEnd(notes, engineAt('Arena', 1), say);
	expect(said).toEqual([
		expect.stringMatching(/^The tick could not be stored for the list of worlds: .*ENOENT/),
	]);
});
