/**
 * Bytes that the built page loads at its start: as the relay sends them, and without compression.
 * Owns: the search for these files: scripts, styles, Workers, the pictures of Start, and the service worker. Files that
 * are loaded later do not count.
 */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CODINGS } from '../codings.ts';

/** Maximum bytes at the start, as the relay sends them and without compression. */
export const MAX_SENT_BYTES = 600_000;
export const MAX_PLAIN_BYTES = 2_000_000;

/** Files that are loaded later: physics and Lua when a tick needs them, and the renderer with the first picture. */
const LOADED_LATER = /^(glue-.*\.wasm|rapier.*\.wasm|worker-.*\.js)$/;

export interface LoadedFile {
	readonly name: string;
	/** Bytes as the relay sends them: with brotli, if there is a compressed file. */
	readonly sent: number;
	/** Bytes without compression. */
	readonly plain: number;
}

/**
 * Returns the names of files in `assets/` that a file loads immediately. Files that it may load later are also listed in
 * it, but without `./` before their path.
 */
function loadedBy(name: string, text: string): readonly string[] {
	if (!/\.(html|js)$/.test(name)) return [];
	const named = text.matchAll(/["'`]\.\/assets\/([\w.-]+)["'`]/g);
	const addressed = text.matchAll(/new URL\(\s*["'`]([\w.-]+\.(?:js|wasm))["'`]\s*,\s*import\.meta\.url/g);
	const imported = text.matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g);
	return [...named, ...addressed, ...imported]
		.map(([, file]) => file!)
		.filter((file) => !LOADED_LATER.test(file));
}

/** Pictures on Start. */
const PICTURES = 'pictures/scenes';

/** Returns the files that the page in a folder loads at its start, largest first. */
export async function pageFiles(folder: string): Promise<readonly LoadedFile[]> {
	const found = new Map<string, LoadedFile>();
	const pending = ['index.html', 'sw.js', PICTURES].filter((name) => existsSync(join(folder, name)));
	for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
		if (found.has(name)) continue;
		if (name === PICTURES) {
			pending.push(...(await readdir(join(folder, name))).map((file) => `${PICTURES}/${file}`));
			continue;
		}
		const path = join(folder, name);
		const content = await readFile(path);
		const coded = `${path}${CODINGS.br}`;
		const sent = existsSync(coded) ? (await readFile(coded)).length : content.length;
		found.set(name, { name, sent, plain: content.length });
		pending.push(...loadedBy(name, content.toString('latin1')).map((file) => `assets/${file}`));
	}
	return [...found.values()].sort((a, b) => b.sent - a.sent);
}

export const sizeOf = (files: readonly LoadedFile[], kind: 'sent' | 'plain'): number =>
	files.reduce((sum, file) => sum + file[kind], 0);
