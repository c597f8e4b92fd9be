/**
 * Bytes that the built page loads before its first use: as the relay sends them, and without compression.
 * Owns: following what a file loads at once (scripts, styles, Workers), besides the pictures of Start and the service worker. What is
 * loaded when it is first shown is no part of it.
 */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CODINGS } from '../codings.ts';

/** Maximum number of bytes that the page may load at first, compressed as the relay sends them and as they are. */
export const MAX_SENT_BYTES = 600_000;
export const MAX_PLAIN_BYTES = 2_000_000;

/** Files that are named and asked for later: physics and Lua when a tick needs them, the renderer with the first picture. */
const ASKED_FOR_LATER = /^(glue-.*\.wasm|rapier.*\.wasm|worker-.*\.js)$/;

export interface LoadedFile {
	readonly name: string;
	/** Bytes with brotli, if there is such a file. */
	readonly sent: number;
	/** Bytes as they are. */
	readonly plain: number;
}

/**
 * Returns the names in `assets/` that a file loads at once. The list of what may be loaded later has no slash before
 * its names.
 */
function loadedBy(name: string, text: string): readonly string[] {
	if (!/\.(html|js)$/.test(name)) return [];
	const named = text.matchAll(/["'`]\.\/assets\/([\w.-]+)["'`]/g);
	const addressed = text.matchAll(/new URL\(\s*["'`]([\w.-]+\.(?:js|wasm))["'`]\s*,\s*import\.meta\.url/g);
	const imported = text.matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g);
	return [...named, ...addressed, ...imported]
		.map(([, file]) => file!)
		.filter((file) => !ASKED_FOR_LATER.test(file));
}

/** Pictures on Start. */
const PICTURES = 'pictures/scenes';

/** Returns the files that the page in this folder loads at once, largest first. */
export async function pageFiles(folder: string): Promise<readonly LoadedFile[]> {
	const found = new Map<string, LoadedFile>();
	const waiting = ['index.html', 'sw.js', PICTURES].filter((name) => existsSync(join(folder, name)));
	for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
		if (found.has(name)) continue;
		if (name === PICTURES) {
			waiting.push(...(await readdir(join(folder, name))).map((file) => `${PICTURES}/${file}`));
			continue;
		}
		const path = join(folder, name);
		const content = await readFile(path);
		const coded = `${path}${CODINGS.br}`;
		const sent = existsSync(coded) ? (await readFile(coded)).length : content.length;
		found.set(name, { name, sent, plain: content.length });
		waiting.push(...loadedBy(name, content.toString('latin1')).map((file) => `assets/${file}`));
	}
	return [...found.values()].sort((a, b) => b.sent - a.sent);
}

export const sizeOf = (files: readonly LoadedFile[], kind: 'sent' | 'plain'): number =>
	files.reduce((sum, file) => sum + file[kind], 0);
