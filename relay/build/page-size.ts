/**
 * Compressed size of all that the built page loads before its first use.
 * Owns: following what a file loads at once: scripts, styles, Workers and binaries, not what is loaded when it is first shown.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** Most bytes, compressed, that the page may load before any model. */
export const MOST_PAGE_BYTES = 1_210_000;

/** Binaries that a file names and asks for later: Lua, when a world has its first script. */
const ASKED_FOR_LATER = /^glue-.*\.wasm$/;

export interface LoadedFile {
	readonly name: string;
	/** Compressed with brotli. */
	readonly bytes: number;
}

/** Names in `assets/` that a file loads at once. The list of what may be loaded later has no slash before its names. */
function loadedBy(name: string, text: string): readonly string[] {
	if (!/\.(html|js)$/.test(name)) return [];
	const named = text.matchAll(/["'`]\.\/assets\/([\w.-]+)["'`]/g);
	const addressed = text.matchAll(/new URL\(\s*["'`]([\w.-]+\.(?:js|wasm))["'`]\s*,\s*import\.meta\.url/g);
	const imported = text.matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g);
	return [...named, ...addressed, ...imported]
		.map(([, file]) => file!)
		.filter((file) => !ASKED_FOR_LATER.test(file));
}

/** The files that the page in this folder loads at once, largest first. */
export async function pageFiles(folder: string): Promise<readonly LoadedFile[]> {
	const found = new Map<string, number>();
	const waiting = ['index.html'];
	for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
		if (found.has(path)) continue;
		const content = await readFile(join(folder, path));
		found.set(path, brotliCompressSync(content).length);
		waiting.push(...loadedBy(path, content.toString('latin1')).map((name) => `assets/${name}`));
	}
	return [...found].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
}

export const sizeOf = (files: readonly LoadedFile[]): number =>
	files.reduce((sum, { bytes }) => sum + bytes, 0);
