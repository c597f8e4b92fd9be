/**
 * How much the page loads before anybody does anything.
 * Owns: the cases of build/page-size.ts, and the limit.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MOST_PAGE_BYTES, pageFiles, sizeOf } from '../../../relay/build/page-size.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-size-'));
});
afterEach(() => {
	vi.unstubAllEnvs();
	return rm(folder, { recursive: true, force: true });
});

test('what is loaded at once is followed through scripts and Workers, and what is loaded later is not', async () => {
	const files: Record<string, string> = {
		'index.html': '<script src="/assets/main.js"></script><link href="/assets/main.css">',
		'assets/main.js':
			'const later=["assets/later.js"];import"./part.js";import(`./later.js`);new Worker(new URL(`/assets/worker.js`,self))',
		'assets/main.css': 'p { color: red }',
		'assets/part.js': 'import{a}from"./main.js"',
		'assets/worker.js': 'fetch(`/assets/engine.wasm`);const lua=()=>fetch(`/assets/glue-1.wasm`)',
		'assets/glue-1.wasm': '\0asm of Lua',
		'assets/engine.wasm': '\0asm',
		'assets/later.js': 'later()',
	};
	await mkdir(join(folder, 'assets'));
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
	const found = (await pageFiles(folder)).map(({ name }) => name).sort();
	expect(found).toEqual(
		Object.keys(files)
			.filter((name) => name !== 'assets/later.js' && name !== 'assets/glue-1.wasm')
			.sort(),
	);
});

test('the page stays under its limit, and what a view needs only when it is shown is no part of it', async () => {
	// As it is built for people: with the tests' own environment, what helps to find faults stays in.
	vi.stubEnv('NODE_ENV', 'production');
	await build({
		configFile: join(ROOT, 'vite.config.ts'),
		logLevel: 'error',
		build: { outDir: folder, emptyOutDir: true, copyPublicDir: false, sourcemap: false },
	});
	const files = await pageFiles(folder);
	const names = files.map(({ name }) => name).join();
	for (const part of ['index-', 'engine.worker-', 'worker-', 'rapier']) expect(names).toContain(part);
	for (const later of ['game-', 'inspector-', 'outcomes-', 'console-', 'draco', 'glue'])
		expect(names).not.toContain(later);
	expect(sizeOf(files), JSON.stringify(files)).toBeLessThan(MOST_PAGE_BYTES);
});
