/**
 * The package that npm packs and installs: built, in node_modules, without sources and tests.
 * Owns: cases without a browser. `test/behaviour/browser/packed.test.ts` starts the package's server.
 */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLIC, ROOT } from '../../relay/folders.ts';
import { routes } from '../../shared/routes/index.ts';
import { JournalMemory, MemoryJournal } from '../../shared/transport/memory-journal.ts';
import { cutPiece } from '../../web/host/journal/piece.ts';
import { startEngine } from '../support/engine.ts';
import { installPackage, type PackedInstall } from '../support/package.ts';

const exec = promisify(execFile);

let folder: string;
let packed: PackedInstall;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-packed-'));
	packed = await installPackage(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const node = (...args: string[]) => exec(process.execPath, args, { cwd: folder });
const refusal = (...args: string[]) =>
	node(...args).then(
		() => undefined,
		({ code, stdout, stderr }) => ({ code, stdout, stderr }),
	);

test('helps and explains like the clone, and prints nothing else', async () => {
	const clone = join(ROOT, 'relay/orrery.mjs');
	for (const words of [['--help'], ['entity', 'create', '--help'], ['explain', 'forks']]) {
		const answer = await node(packed.program, ...words);
		expect(answer).toEqual(await node(clone, ...words));
		expect([answer.stdout.length > 3, answer.stderr]).toEqual([true, '']);
	}
});

test('`orrery start` reads the flags of the server', async () => {
	const { stdout } = await node(packed.program, 'start', '--help');
	expect(stdout).toContain('npx orrery start [flags]');
	expect(await refusal(packed.program, 'start', '--prot', '1')).toMatchObject({
		code: 2,
		stderr: 'There is no flag --prot. Did you mean --port?\n',
	});
	expect(await refusal(packed.program, 'start', '--dev')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('in a clone'),
	});
});

test('an older Node gets one sentence of advice', async () => {
	const versions = "{ value: { ...process.versions, node: '20.19.0' } }";
	const older = `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`;
	for (const words of [['start'], ['--version']])
		expect(await refusal('--import', older, packed.program, ...words)).toEqual({
			code: 1,
			stdout: '',
			stderr:
				'Orrery needs Node 22.13 or later, and this is Node 20.19.0. Install a newer one from https://nodejs.org.\n',
		});
});

test('replays a journal with the packed engine', async () => {
	const memory = new JournalMemory();
	const engine = await startEngine({ journal: new MemoryJournal(memory) });
	await engine.spawn({ position: [0, 5, 0], physics_body: 'Dynamic' });
	const source = 'count = 0\nfunction on_update(me, dt) count = count + 1 end';
	await engine.must('POST', '/script/load', { script_name: 'counter', source, entity_id: 0 });
	await engine.step(3);
	await engine.engine.close();
	const piece = join(folder, 'piece.orrery');
	await writeFile(piece, await cutPiece(new MemoryJournal(memory), 0, memory.next - 1));
	const { stdout, stderr } = await node(packed.program, 'replay', piece, '--verify');
	expect([stdout, stderr]).toEqual([expect.stringContaining('every result matches the journal'), '']);
	expect(stdout).toContain('main  tick 3  ');
});

test('its modules are the client with all routes, the engine, and the handlers of msw', async () => {
	const script = join(folder, 'use.mjs');
	await writeFile(
		script,
		`import * as orrery from 'orrery';
		import { createEngine } from 'orrery/engine';
		import { engineHandlers } from 'orrery/testing';
		import { setupServer } from 'msw/node';
		const engine = await createEngine({ seed: 7 });
		const server = setupServer(...engineHandlers('http://world.test', engine.handle));
		server.listen();
		const client = orrery.createClient(orrery.httpHandle('http://world.test'));
		await client.call(orrery.spawn, { body: { position: [0, 5, 0], physics_body: 'Dynamic' } });
		const { state_digest } = await client.call(orrery.step, { body: { ticks: 60 } });
		server.close();
		const values = new Set(Object.values(orrery));
		const ids = orrery.routes.filter((route) => values.has(route)).map(({ id }) => id);
		console.log(JSON.stringify({ state_digest, ids }));`,
	);
	const { stdout, stderr } = await node(script);
	const engine = await startEngine({ seed: 7 });
	await engine.spawn({ position: [0, 5, 0], physics_body: 'Dynamic' });
	const { state_digest } = await engine.step(60);
	engine.engine.close();
	expect(stderr).toBe('');
	expect(JSON.parse(stdout)).toEqual({ state_digest, ids: routes.map(({ id }) => id) });
});

test('runs the suite on the packed engine', async () => {
	const { stdout } = await node(
		packed.program,
		'suite',
		'run',
		'--solution',
		'reference',
		'--only',
		'repair',
	);
	expect(stdout).toBe('8 of 8 tasks passed with seed 1: repair 8/8.\n');
});

test('the TypeScript of the guide runs unchanged: the tests under Vitest, the loop in Node', async () => {
	const project = join(folder, 'guide');
	await mkdir(project);
	await symlink(join(folder, 'node_modules'), join(project, 'node_modules'));
	await writeFile(join(project, 'package.json'), '{ "type": "module" }');
	const blocksOf = async (page: string) =>
		[...(await readFile(join(PUBLIC, 'guide', page), 'utf8')).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
			([, code]) => code!,
		);
	const examples = await blocksOf('ci.md');
	expect(examples).toHaveLength(2);
	for (const [i, code] of examples.entries()) await writeFile(join(project, `example${i}.test.ts`), code);
	const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
	// Vitest fails if a test fails, or if there is none.
	await node(vitest, 'run', '--update', '--maxWorkers=1', '--no-isolate', '--root', project);
	// The first run writes the digest into the test.
	expect(await readFile(join(project, 'example0.test.ts'), 'utf8')).toMatch(
		/toMatchInlineSnapshot\(`"[0-9a-f]{16}"`\)/,
	);
	const [loop] = await blocksOf('learning-loop.md');
	await writeFile(join(project, 'loop.mjs'), loop!);
	expect((await exec(process.execPath, ['loop.mjs'], { cwd: project })).stdout).toBe('');
});

test('has all files that it runs, its licence, and no sources', async () => {
	expect((await readdir(packed.folder)).sort()).toEqual([
		'LICENSE',
		'README.md',
		'dist',
		'package.json',
		'relay',
	]);
	expect(await readdir(join(packed.folder, 'relay'))).toEqual(['orrery.mjs']);
});
