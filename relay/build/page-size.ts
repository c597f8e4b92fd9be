/**
 * Sizes of the files that the built page loads at its start, with and without compression.
 * Owns: the search for these files: scripts, styles, the engine's Worker, the pictures of Start, and the service worker.
 * Files that are loaded later do not count.
 */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CODINGS } from '../codings.ts';

/** Maximum bytes at the start, as the relay sends them and without compression. */
export const MAX_SENT_BYTES = 600_000;
export const MAX_PLAIN_BYTES = 2_000_000;

/**
 * Files that are loaded later: physics and Lua (`.wasm`) when a tick needs them, and the renderer (`worker-*.js`) with the
 * first picture.
 */
const LOADED_LATER = /^(glue-.*\.wasm|rapier.*\.wasm|worker-.*\.js)$/;

export interface LoadedFile {
	readonly name: string;
	/** Bytes as the relay sends them: with brotli, if there is a compressed file. */
	readonly sent: number;
	/** Bytes without compression. */
	readonly plain: number;
}

/**
 * Returns the names of files in `assets/` that a file loads immediately. The file also lists files that
 * it may load later, but without `./` before their path.
 */
function filesLoadedBy(name: string, text: string): readonly string[] {
	if (!/\.(html|js)$/.test(name)) return [];
	const assetPaths = text.matchAll(/["'`]\.\/assets\/([\w.-]+)["'`]/g);
	const urlImports = text.matchAll(/new URL\(\s*["'`]([\w.-]+\.(?:js|wasm))["'`]\s*,\s*import\.meta\.url/g);
	const scriptImports = text.matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g);
	return [...assetPaths, ...urlImports, ...scriptImports]
		.map(([, file]) => file!)
		.filter((file) => !LOADED_LATER.test(file));
}

/** Pictures on Start. */
const PICTURES = 'pictures/scenes';

/** Returns the files that the page in a folder loads at its start, largest first. */
export async function pageFiles(folder: string): Promise<readonly LoadedFile[]> {
	const loadedFiles = new Map<string, LoadedFile>();
	const pending = ['index.html', 'sw.js', PICTURES].filter((name) => existsSync(join(folder, name)));
	for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
		if (loadedFiles.has(name)) continue;
		if (name === PICTURES) {
			pending.push(...(await readdir(join(folder, name))).map((file) => `${PICTURES}/${file}`));
			continue;
		}
		const path = join(folder, name);
		const content = await readFile(path);
		const compressedPath = `${path}${CODINGS.br}`;
		const sent = existsSync(compressedPath) ? (await readFile(compressedPath)).length : content.length;
		loadedFiles.set(name, { name, sent, plain: content.length });
		pending.push(...filesLoadedBy(name, content.toString('latin1')).map((file) => `assets/${file}`));
	}
	return [...loadedFiles.values()].sort((a, b) => b.sent - a.sent);
}

export const totalBytes = (files: readonly LoadedFile[], kind: 'sent' | 'plain'): number =>
	files.reduce((sum, file) => sum + file[kind], 0);
