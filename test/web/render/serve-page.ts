/**
 * Builds the view's test page and serves it on a free port of this machine.
 * Owns: a temporary folder and a small HTTP server, both gone after `close`.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { build } from 'vite';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

export interface ServedPage {
	readonly url: string;
	close(): Promise<void>;
}

/** Builds and serves. `port` 0 takes any free one. */
export async function servePage(port = 0): Promise<ServedPage> {
	const folder = await mkdtemp(join(tmpdir(), 'view-page-'));
	await build({
		root: join(import.meta.dirname, 'page'),
		base: './',
		configFile: false,
		logLevel: 'error',
		build: {
			rolldownOptions: {
				checks: { pluginTimings: false },
				input: ['index.html', 'bench.html', 'memory.html', 'world.html', 'sound.html', 'culling.html'].map(
					(name) => join(import.meta.dirname, 'page', name),
				),
			},
			outDir: folder,
			emptyOutDir: true,
			minify: false,
			target: 'esnext',
			chunkSizeWarningLimit: 10_000,
		},
		worker: { format: 'es', rolldownOptions: { checks: { pluginTimings: false } } },
	});
	const server = createServer((request, response) => {
		const path = normalize(new URL(request.url ?? '/', 'http://page').pathname);
		const file = join(folder, path === '/' ? 'index.html' : path);
		readFile(file).then(
			(bytes) =>
				response
					.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
					.end(bytes),
			() => response.writeHead(404).end(),
		);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The page server has no port.');
	return {
		url: `http://127.0.0.1:${address.port}/`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await rm(folder, { recursive: true, force: true });
		},
	};
}
