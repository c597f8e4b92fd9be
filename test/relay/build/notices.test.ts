/**
 * The notices of what the page ships: every package in the built page, found by its source maps, and no licence but allowed ones.
 * Owns: the cases of build/notices.ts.
 */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
	ALLOWED_LICENCES,
	cratesIn,
	NOTICES_FILE,
	noticesOf,
	packageFolder,
} from '../../../relay/build/notices.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-notices-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('every package in the built page and its workers is in them, with its licence', async () => {
	await build({
		configFile: join(ROOT, 'vite.config.ts'),
		logLevel: 'error',
		build: { outDir: folder, emptyOutDir: true, minify: false, copyPublicDir: false },
	});
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

async function packed(name: string, manifest: object, texts: readonly string[]): Promise<string> {
	const place = join(folder, 'node_modules', name);
	await mkdir(place, { recursive: true });
	await writeFile(join(place, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }));
	for (const file of texts) await writeFile(join(place, file), `The text of ${file}.`);
	return place;
}

test('a licence that is not allowed, is not said or has no text fails the build', async () => {
	const good = await packed('good', { license: 'Apache-2.0' }, ['LICENSE.md', 'NOTICE']);
	expect(noticesOf([good])).toMatch(
		/good 1\.0\.0\nApache-2\.0\n\nThe text of LICENSE\.md\.\n\nThe text of NOTICE\./,
	);
	const viral = await packed('viral', { license: 'GPL-3.0' }, ['LICENSE']);
	expect(() => noticesOf([good, viral])).toThrow('viral 1.0.0 is in the page under GPL-3.0');
	const silent = await packed('silent', {}, ['LICENSE']);
	expect(() => noticesOf([silent])).toThrow('under no licence');
	const bare = await packed('bare', { license: 'MIT' }, []);
	expect(() => noticesOf([bare])).toThrow('bare 1.0.0 comes without the text of its licence');
});

test('the Rust crates that a WebAssembly file names are listed with their versions', async () => {
	const place = await packed('native', { license: 'MIT' }, ['LICENSE']);
	const at = '/cargo/registry/src/index.crates.io-1949cf8c6b5b557f';
	await writeFile(
		join(place, 'native_bg.wasm'),
		`\0asm${at}/web-time-1.1.0/src/lib.rs\0${at}/ena-0.14.4/src/a.rs\0${at}/ena-0.14.4/src/b.rs`,
	);
	expect(cratesIn(place)).toEqual(['ena 0.14.4', 'web-time 1.1.0']);
	expect(noticesOf([place])).toMatch(/compiled from Rust.*\nena 0\.14\.4\nweb-time 1\.1\.0\n/);
	const rapier = cratesIn(join(ROOT, 'node_modules/@dimforge/rapier3d-compat'));
	expect(rapier.map((crate) => crate.split(' ')[0])).toEqual(expect.arrayContaining(['nalgebra', 'parry3d']));
});

test('the package of a module is told from its path', () => {
	expect(packageFolder('/x/node_modules/@a/b/node_modules/c/lib/i.js?v=1')).toBe(
		'/x/node_modules/@a/b/node_modules/c',
	);
	expect(packageFolder('/x/node_modules/@a/b/i.js')).toBe('/x/node_modules/@a/b');
	expect(packageFolder('/x/web/main.ts')).toBeUndefined();
	expect(packageFolder('\0virtual:thing')).toBeUndefined();
});
