/**
 * Checks the built page: how much it loads before a person does anything, and the notices of its packages.
 * The source maps name every package in the page.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ALLOWED_LICENCES, NOTICES_FILE } from '../../../relay/build/notices.ts';
import { MAX_PLAIN_BYTES, MAX_SENT_BYTES, pageFiles, totalBytes } from '../../../relay/build/page-size.ts';
import { ensureBuilt } from '../../../relay/build.ts';
import { PAGE, ROOT } from '../../../relay/folders.ts';

// Builds the page unless the gate already has.
beforeAll(ensureBuilt);

test('the first load stays under its size limits, without the parts that load later', async () => {
	const files = await pageFiles(PAGE);
	const names = files.map(({ name }) => name).join();
	for (const part of ['index-', 'engine.worker-', 'arena.webp', 'sw.js']) expect(names).toContain(part);
	for (const chunk of [
		'game-',
		'inspector-',
		'outcomes-',
		'console-',
		'draco',
		'glue',
		'rapier',
		'three',
		'/worker-',
	])
		expect(names).not.toContain(chunk);
	expect(totalBytes(files, 'sent'), JSON.stringify(files)).toBeLessThan(MAX_SENT_BYTES);
	expect(totalBytes(files, 'plain')).toBeLessThan(MAX_PLAIN_BYTES);
});

test('the notices list every package of the page and its workers, with its licence', async () => {
	const built = await readdir(PAGE, { recursive: true });
	const packages = new Set<string>();
	for (const file of built.filter((name) => name.endsWith('.map'))) {
		const { sources } = JSON.parse(await readFile(join(PAGE, file), 'utf8')) as { sources: string[] };
		for (const source of sources) {
			const name = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
			if (name !== undefined) packages.add(name);
		}
	}
	// A binary is a separate file, which no map reports.
	if (built.some((name) => /glue-[\w-]+\.wasm$/.test(name))) packages.add('wasmoon');
	expect([...packages]).toEqual(
		expect.arrayContaining(['three', 'zod', 'preact', '@dimforge/rapier3d-compat', 'wasmoon']),
	);
	const text = await readFile(join(PAGE, NOTICES_FILE), 'utf8');
	for (const name of packages) {
		const { version, license } = JSON.parse(
			await readFile(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'),
		) as { version: string; license: string };
		expect(ALLOWED_LICENCES, name).toContain(license);
		expect(text).toContain(`\n${name} ${version}\n${license}\n\n`);
	}
	expect(text.match(/^-{80}$/gm)).toHaveLength(packages.size);
});
