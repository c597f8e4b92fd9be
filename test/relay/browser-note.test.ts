/** What a relay finds of the browser that one before it left behind: only a regular file of its own is read. */

import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BrowserNotes } from '../../relay/browser-note.ts';

let data: string;
beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-notes-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const NOTE = {
	relay: process.pid,
	at: { pid: process.pid, endpoint: 'ws://x' },
	profile: '/p',
	key: 'k',
	world: 'w',
};

test('a note is read as it was written', async () => {
	const notes = new BrowserNotes(data, 4000);
	await notes.write(NOTE);
	expect(await notes.read()).toEqual(NOTE);
	const { at: _, ...starting } = NOTE;
	await notes.write(starting);
	expect(await notes.read()).toEqual(starting);
	await notes.write(NOTE);
	expect(await new BrowserNotes(data, 4001).others()).toHaveLength(1);
});

test('a note is what was asked for last, however many changes come at once', async () => {
	const notes = new BrowserNotes(data, 4000);
	const worlds = Array.from({ length: 50 }, (_, i) => `w${i}`);
	await Promise.all(worlds.map((world) => notes.write({ ...NOTE, world })));
	expect(await notes.read()).toEqual({ ...NOTE, world: 'w49' });
	await Promise.all([notes.write(NOTE), notes.remove()]);
	expect(await notes.read()).toBeUndefined();
});

test.runIf(process.platform !== 'win32')('a pipe, a folder or garbage in its place is no note', async () => {
	const at = (port: number) => join(data, `.orrery-browser-${port}.json`);
	execFileSync('mkfifo', [at(4000)]);
	await mkdir(at(4001));
	await writeFile(at(4002), '{');
	for (const port of [4000, 4001, 4002]) expect(await new BrowserNotes(data, port).read()).toBeUndefined();
	expect(await new BrowserNotes(data, 4003).others()).toEqual([]);
});

test('in a copy of the data folder the note of the original is none', async () => {
	await new BrowserNotes(data, 4000).write(NOTE);
	const copy = `${data}-copy`;
	await cp(data, copy, { recursive: true });
	try {
		expect(await new BrowserNotes(copy, 4001).others()).toEqual([]);
		expect(await new BrowserNotes(copy, 4000).read()).toBeUndefined();
		expect(await new BrowserNotes(data, 4001).others()).toHaveLength(1);
	} finally {
		await rm(copy, { recursive: true, force: true });
	}
});
