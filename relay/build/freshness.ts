/**
 * Comparison of the built page with the current sources.
 * Owns: the stamp in the built folder. Never: builds.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SOURCE_FOLDERS = [
	'web',
	'shared',
	'sw',
	'public',
	'relay/build',
	'relay/cli',
	'relay/guide',
	'relay/python',
	'test/behaviour/golden',
];
const SOURCE_FILES = ['vite.config.ts', 'package-lock.json', 'tsconfig.json'];
const STAMP = '.built-from';

/** Returns true if the page in `dist` was built from the current sources. Compares names, sizes and times. */
export async function isFresh(root: string, dist: string): Promise<boolean> {
	if (!existsSync(join(dist, STAMP)) || !existsSync(join(dist, 'index.html'))) return false;
	return (await readFile(join(dist, STAMP), 'utf8')) === (await hashSources(root));
}

/** Stores in `dist` the hash of the sources from which it was built. */
export async function stampBuild(dist: string, hash: string): Promise<void> {
	await writeFile(join(dist, STAMP), hash);
}

/** Returns a hash that changes when any source file does. */
export async function hashSources(root: string): Promise<string> {
	const files = [...SOURCE_FILES];
	for (const folder of SOURCE_FOLDERS) {
		if (!existsSync(join(root, folder))) continue;
		for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
			if (entry.isFile()) files.push(join(entry.parentPath, entry.name).slice(root.length + 1));
		}
	}
	const hash = createHash('sha256');
	const fileMarks = await Promise.all(
		files.sort().map(async (file) => {
			const { size, mtimeMs } = await stat(join(root, file));
			return `${file}\n${size}\n${mtimeMs}\n`;
		}),
	);
	for (const mark of fileMarks) hash.update(mark);
	return hash.digest('hex');
}
