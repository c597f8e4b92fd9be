/**
 * Vite plugin that writes `offline.json`: the list of files that a browser stores to open the page without a server.
 * Owns: the choice of files: all that the page and its worlds can load, without the other pages.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Omitted files: source maps, files of the guide, which has its own list, and decoders that no shipped world needs. */
const OMITTED = /\.map$|\.txt$|^guide\/|^assets\/(guide-|draco)|^pictures\/[^/]+$/;

/** Returns the plugin. `publicFolder`: folder whose files are copied unchanged. */
export function offlineList(publicFolder: string): Plugin {
	return {
		name: 'orrery-offline-list',
		apply: 'build',
		generateBundle: {
			order: 'post',
			handler(_, bundle) {
				// Other pages are built separately.
				if (!('index.html' in bundle)) return;
				const hash = createHash('sha256');
				const copiedNames = readdirSync(publicFolder, { recursive: true, withFileTypes: true })
					.filter((entry) => entry.isFile())
					.map(({ parentPath, name }) => join(parentPath, name).slice(publicFolder.length + 1))
					.filter((name) => !OMITTED.test(name));
				for (const name of copiedNames) hash.update(name).update(readFileSync(join(publicFolder, name)));
				const builtNames = Object.keys(bundle).filter((name) => !OMITTED.test(name));
				hash.update(builtNames.sort().join());
				const index = bundle['index.html'];
				if (index?.type === 'asset') hash.update(index.source);
				this.emitFile({
					type: 'asset',
					fileName: 'offline.json',
					source: JSON.stringify({
						version: hash.digest('hex').slice(0, 16),
						files: [...builtNames, ...copiedNames.sort()].map((name) =>
							name === 'index.html' ? './' : name,
						),
					}),
				});
			},
		},
	};
}
