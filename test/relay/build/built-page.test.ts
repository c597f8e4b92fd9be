/**
 * The page as it is built for people: how much it loads before anybody does anything, and the notices of what it ships.
 * Owns: one build for both. Every package in the page is found by its source maps.
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ALLOWED_LICENCES, NOTICES_FILE } from '../../../relay/build/notices.ts';
import { MOST_PAGE_BYTES, pageFiles, sizeOf } from '../../../relay/build/page-size.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-page-'));
	// With the tests' own environment, what helps to find faults stays in.
	vi.stubEnv('NODE_ENV', 'production');
	await build({
		configFile: join(ROOT, 'vite.config.ts'),
		logLevel: 'error',
		build: { outDir: folder, emptyOutDir: true, copyPublicDir: false, sourcemap: 'hidden' },
	});
	vi.unstubAllEnvs();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the page stays under its limit, and what a view needs only when it is shown is no part of it', async () => {
	const files = await pageFiles(folder);
	const names = files.map(({ name }) => name).join();
	for (const part of ['index-', 'engine.worker-', 'worker-', 'rapier']) expect(names).toContain(part);
	for (const later of ['game-', 'inspector-', 'outcomes-', 'console-', 'draco', 'glue'])
		expect(names).not.toContain(later);
	expect(sizeOf(files), JSON.stringify(files)).toBeLessThan(MOST_PAGE_BYTES);
});

test('every package in the built page and its workers is in them, with its licence', async () => {
	const built = await readdir(folder, { recursive: true });
	const packages = new Set<string>();
	for (const file of built.filter((name) => name.endsWith('.map'))) {
		const { sources } = JSON.parse(await readFile(join(folder, file), 'utf8')) as { sources: string[] };
		for (const source of sources) {
			const name = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
			if (name !== undefined) packages.add(name);
		}
	}
	// A binary is a file of its own, which no map tells of.
	if (built.some((name) => /glue-[\w-]+\.wasm$/.test(name))) packages.add('wasmoon');
	expect([...packages]).toEqual(
		expect.arrayContaining(['three', 'zod', 'preact', '@dimforge/rapier3d-compat', 'wasmoon']),
	);
	const text = await readFile(join(folder, NOTICES_FILE), 'utf8');
	for (const name of packages) {
		const { version, license } = JSON.parse(
			await readFile(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'),
		) as { version: string; license: string };
		expect(ALLOWED_LICENCES, name).toContain(license);
		expect(text).toContain(`\n${name} ${version}\n${license}\n\n`);
	}
	expect(text.match(/^-{80}$/gm)).toHaveLength(packages.size);
});
