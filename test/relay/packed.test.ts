/**
 * The package as npm packs and installs it: below node_modules, where Node takes no types off, and without tests.
 * Owns: that `npx orrery` works from it as from a clone.
 */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { JournalMemory, MemoryJournal } from '../../shared/contract/memory-journal.ts';
import { cutPiece } from '../../web/host/journal/piece.ts';
import { startEngine } from '../support/engine.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const exec = promisify(execFile);

let folder: string;
let bin: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-packed-'));
	const packages = join(folder, 'node_modules');
	await mkdir(packages);
	// The packages beside it are those of the clone; this one is unpacked from what npm packs.
	for (const name of await readdir(join(ROOT, 'node_modules')))
		if (!name.startsWith('.')) await symlink(join(ROOT, 'node_modules', name), join(packages, name));
	const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	await exec(npm, ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
	const file = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!;
	await exec('tar', ['xzf', file], { cwd: folder });
	await rename(join(folder, 'package'), join(packages, 'orrery'));
	const { bin: bins } = JSON.parse(await readFile(join(packages, 'orrery/package.json'), 'utf8')) as {
		bin: { orrery: string };
	};
	bin = join(packages, 'orrery', bins.orrery);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const orrery = (from: string, ...words: string[]) =>
	exec(process.execPath, [from, ...words], { cwd: folder });

test('says its version and helps, as the clone does, and nothing else', async () => {
	const clone = join(ROOT, 'relay/orrery.mjs');
	for (const words of [['--version'], ['--help'], ['entity', 'create', '--help'], ['explain', 'forks']]) {
		const answer = await orrery(bin, ...words);
		expect(answer).toEqual(await orrery(clone, ...words));
		expect([answer.stdout.length > 3, answer.stderr]).toEqual([true, '']);
	}
});

test('replays a journal, with the engine that it carries', async () => {
	const memory = new JournalMemory();
	const engine = await startEngine({ journal: new MemoryJournal(memory) });
	await engine.spawn({ position: [0, 5, 0], physics_body: 'Dynamic' });
	const source = 'count = 0\nfunction on_update(me, dt) count = count + 1 end';
	await engine.must('POST', '/script/load', { script_name: 'counter', source, entity_id: 0 });
	await engine.step(3);
	await engine.engine.close();
	const piece = join(folder, 'piece.orrery');
	await writeFile(piece, await cutPiece(new MemoryJournal(memory), 0, memory.next - 1));
	const { stdout, stderr } = await orrery(bin, 'replay', piece, '--verify');
	expect([stdout, stderr]).toEqual([expect.stringContaining('every result matches the journal'), '']);
	expect(stdout).toContain('main  tick 3  ');
});

test('carries what it runs, its licence and no tests', async () => {
	const top = await readdir(join(folder, 'node_modules/orrery'));
	expect(top).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'relay', 'shared', 'public']));
	expect(top).not.toContain('test');
});
