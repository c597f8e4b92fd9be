/** Notices of the page's packages: only allowed licences, and the Rust crates in a binary. Owns: the cases of build/notices.ts. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cratesIn, noticesOf, packageFolder } from '../../../relay/build/notices.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-notices-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function writePackage(name: string, manifest: object, texts: readonly string[]): Promise<string> {
	const path = join(folder, 'node_modules', name);
	await mkdir(path, { recursive: true });
	await writeFile(join(path, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }));
	for (const file of texts) await writeFile(join(path, file), `The text of ${file}.`);
	return path;
}

test('a licence that is forbidden, missing or without text fails the build', async () => {
	const good = await writePackage('good', { license: 'Apache-2.0' }, ['LICENSE.md', 'NOTICE']);
	expect(noticesOf([good])).toMatch(
		/good 1\.0\.0\nApache-2\.0\n\nThe text of LICENSE\.md\.\n\nThe text of NOTICE\./,
	);
	const viral = await writePackage('viral', { license: 'GPL-3.0' }, ['LICENSE']);
	expect(() => noticesOf([good, viral])).toThrow('viral 1.0.0 is in the page under GPL-3.0');
	const silent = await writePackage('silent', {}, ['LICENSE']);
	expect(() => noticesOf([silent])).toThrow('under no licence');
	const bare = await writePackage('bare', { license: 'MIT' }, []);
	expect(() => noticesOf([bare])).toThrow('bare 1.0.0 has no file with the text of its licence');
});

test('the Rust crates of a WebAssembly file are listed with their versions', async () => {
	const nativeFolder = await writePackage('native', { license: 'MIT' }, ['LICENSE']);
	const cratePath = '/cargo/registry/src/index.crates.io-1949cf8c6b5b557f';
	await writeFile(
		join(nativeFolder, 'native_bg.wasm'),
		`\0asm${cratePath}/web-time-1.1.0/src/lib.rs\0${cratePath}/ena-0.14.4/src/a.rs\0${cratePath}/ena-0.14.4/src/b.rs`,
	);
	expect(cratesIn(nativeFolder)).toEqual(['ena 0.14.4', 'web-time 1.1.0']);
	expect(noticesOf([nativeFolder])).toMatch(/compiled from Rust.*\nena 0\.14\.4\nweb-time 1\.1\.0\n/);
	const rapier = cratesIn(join(ROOT, 'node_modules/@dimforge/rapier3d-compat'));
	expect(rapier.map((crate) => crate.split(' ')[0])).toEqual(expect.arrayContaining(['nalgebra', 'parry3d']));
});

test('the path of a module gives its package', () => {
	expect(packageFolder('/x/node_modules/@a/b/node_modules/c/lib/i.js?v=1')).toBe(
		'/x/node_modules/@a/b/node_modules/c',
	);
	expect(packageFolder('/x/node_modules/@a/b/i.js')).toBe('/x/node_modules/@a/b');
	expect(packageFolder('/x/web/main.ts')).toBeUndefined();
	expect(packageFolder('\0virtual:thing')).toBeUndefined();
});
