/**
 * Size of the page's load before a person does anything.
 * Owns: the cases of build/page-size.ts.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pageFiles } from '../../../relay/build/page-size.ts';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-size-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('static imports of scripts and Workers count as the first load, and dynamic imports do not', async () => {
	const files: Record<string, string> = {
		'index.html': '<script src="./assets/main.js"></script><link href="./assets/main.css">',
		'assets/main.js':
			'const later=["assets/later.js"];import"./part.js";import(`./later.js`);new Worker(new URL(`worker.js`,import.meta.url))',
		'assets/main.css': 'p { color: red }',
		'assets/part.js': 'import{a}from"./main.js"',
		'assets/worker.js':
			'fetch(new URL(`engine.wasm`,import.meta.url));const lua=()=>fetch(new URL(`glue-1.wasm`,import.meta.url))',
		'assets/glue-1.wasm': '\0asm of Lua',
		'assets/engine.wasm': '\0asm',
		'pictures/scenes/a.webp': 'RIFF',
		'assets/later.js': 'later()',
	};
	for (const name of ['assets', 'pictures/scenes']) await mkdir(join(folder, name), { recursive: true });
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
	await writeFile(join(folder, 'assets/main.js.br'), 'short');
	const loaded = await pageFiles(folder);
	expect(loaded.find(({ name }) => name === 'assets/main.js')).toMatchObject({
		sent: 5,
		plain: files['assets/main.js']!.length,
	});
	const found = loaded.map(({ name }) => name).sort();
	expect(found).toEqual(
		Object.keys(files)
			.filter((name) => name !== 'assets/later.js' && name !== 'assets/glue-1.wasm')
			.sort(),
	);
});
