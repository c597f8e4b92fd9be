/**
 * The installed package with the page: its server, its types and its size.
 * Owns: the tests that need a browser or a compiler, in `npm run deep`. The others are in `test/relay/packed.test.ts`.
 */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../relay/folders.ts';
import { step } from '../../../shared/routes/simulation.ts';
import { spawn } from '../../../shared/routes/world.ts';
import { createClient, httpHandle } from '../../../shared/transport/client.ts';
import { installPackage, type PackedInstall } from '../../support/package.ts';
import { times } from '../../support/seed.ts';
import { startOrrery } from './start.ts';

const exec = promisify(execFile);
const MB = 1e6;

/** Packing the page and the types takes as long as ten other files. Only `npm run deep`, before a release, does it. */
const isDeep = times(1) > 1;

let folder: string;
let packed: PackedInstall;

beforeAll(async () => {
	if (!isDeep) return;
	folder = await mkdtemp(join(tmpdir(), 'orrery-packed-'));
	packed = await installPackage(folder, { page: true, types: true });
});
afterAll(() => isDeep && rm(folder, { recursive: true, force: true }));

test.runIf(isDeep)(
	'`orrery start` starts a world that accepts steps and draws pictures, and stops',
	async () => {
		const script = [packed.program, 'start'];
		const flags = ['--headless', '--scene', 'towers'];
		const orrery = await startOrrery(flags, { script });
		const client = createClient(httpHandle(orrery.url));
		await client.call(spawn, { body: { mesh: 'models/oak.glb', position: [0, 0, 0] } });
		expect((await client.call(step, { body: { ticks: 5 } })).new_tick).toBe(5);
		const picture = await fetch(`${orrery.url}/screenshot?width=64&height=64`, {
			headers: { accept: 'image/png' },
		});
		expect(picture.headers.get('content-type')).toBe('image/png');
		expect(await orrery.stop()).toBe(143);
		expect(orrery.output()).not.toContain('Warning');
	},
);

test.runIf(isDeep)('`orrery start --engine node` runs the packed engine without a browser', async () => {
	const script = [packed.program, 'start'];
	const orrery = await startOrrery(['--engine', 'node'], { program: '/no/browser', script });
	const client = createClient(httpHandle(orrery.url));
	await client.call(spawn, { body: { mesh: 'models/oak.glb', position: [0, 0, 0] } });
	expect((await client.call(step, { body: { ticks: 5 } })).new_tick).toBe(5);
	expect(await orrery.stop()).toBe(143);
});

test.runIf(isDeep)('its types compile under moduleResolution nodenext, with libraries checked', async () => {
	const project = join(folder, 'consumer');
	await mkdir(project);
	await symlink(join(folder, 'node_modules'), join(project, 'node_modules'));
	await writeFile(join(project, 'package.json'), '{ "type": "module" }');
	await writeFile(
		join(project, 'use.ts'),
		`import { CallError, createClient, peek, spawn, step } from 'orrery';
		import { createEngine } from 'orrery/engine';
		import { engineHandlers } from 'orrery/testing';
		const engine = await createEngine({ seed: 7 });
		const client = createClient(engine.handle);
		const { entity_id } = await client.call(spawn, { body: { mesh: 'cube', position: [0, 5, 0] } });
		const id: number = entity_id;
		const { state_digest } = await client.call(step, { body: { ticks: 60 } });
		const digest: string = state_digest;
		// @ts-expect-error
		await client.call(step, { body: { ticks: 'sixty' } });
		// @ts-expect-error
		const wrong: string = entity_id;
		void [CallError, peek, engineHandlers('http://world.test', engine.handle), id, digest, wrong];`,
	);
	const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
	const flags = '--noEmit --singleThreaded --strict --target ES2024 --module nodenext --types node'.split(
		' ',
	);
	const { stdout } = await exec(process.execPath, [tsc, ...flags, 'use.ts'], { cwd: project }).catch(
		(error) => error,
	);
	expect(stdout).toBe('');
});

test.runIf(isDeep)('the package has at most 25 MB, and 120 MB installed with its dependencies', async () => {
	expect(packed.size).toBeLessThan(25 * MB);
	const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
		packages: Readonly<Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>>;
	};
	const needed = Object.entries(packages)
		.filter(([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional)
		.map(([path]) => join(ROOT, path));
	const sizes = await Promise.all([packed.folder, ...needed].map(sizeOf));
	const installed = sizes.reduce((sum, size) => sum + size, 0);
	expect(installed).toBeLessThan(120 * MB);
	expect(needed.map((path) => path.split('node_modules/').at(-1))).not.toEqual(
		expect.arrayContaining([expect.stringMatching(/^(three|preact|vite|node)$/)]),
	);
});

async function sizeOf(folder: string): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const sizes = entries
		.filter((entry) => entry.isFile())
		.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
	return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
