/**
 * The page from its sources, reloaded when they change.
 * Owns: the connection of vite's development server to the relay.
 */

import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { createServer } from 'vite';
import { pathMatcher } from '../shared/contract/path-matcher.ts';
import { routes } from '../shared/routes/index.ts';
import { ROOT } from './folders.ts';
import { onShutdown } from './shutdown.ts';
import { OTHER_PAGES, type PageSource } from './static-page.ts';

/** Returns the page from its sources. Vite answers all paths that are not routes. */
export async function sourcePage(): Promise<PageSource> {
	// This server never listens. Vite takes its sockets from it, and the relay passes it only the page's sockets.
	const sockets = createHttpServer();
	const vite = await createServer({
		configFile: join(ROOT, 'vite.config.ts'),
		// Node loads the file directly. Vite would first bundle it with all its imports, which takes seconds.
		configLoader: 'native',
		appType: 'custom',
		// Includes packages that only a Worker imports. Without this, vite finds them late and reloads the page.
		optimizeDeps: { entries: ['**/index.html', '**/*worker.ts'] },
		server: { middlewareMode: true, hmr: { server: sockets } },
	});
	onShutdown(() => vite.close());
	const routeAt = pathMatcher(routes);
	const isRoute = (method: string, path: string) =>
		routeAt(path)?.byMethod.has(method === 'HEAD' ? 'GET' : method) === true;
	const html = async (url: string, file: string) =>
		vite.transformIndexHtml(url, await readFile(join(ROOT, 'web', file), 'utf8'));
	return {
		html: (url) => html(url, 'index.html'),
		serve(request, response, path) {
			const method = request.method ?? 'GET';
			if ((method !== 'GET' && method !== 'HEAD') || isRoute(method, path)) return false;
			response.setHeader('cross-origin-opener-policy', 'same-origin');
			response.setHeader('cross-origin-embedder-policy', 'require-corp');
			const file = OTHER_PAGES[path];
			if (file !== undefined) {
				html(file, file.slice(1)).then(
					(page) => response.setHeader('content-type', 'text/html; charset=utf-8').end(page),
					(error: unknown) => response.writeHead(500).end(String(error)),
				);
				return true;
			}
			vite.middlewares(request, response, () => {
				response.statusCode = 404;
				response.end();
			});
			return true;
		},
		sockets: {
			accepts: (request) => request.headers['sec-websocket-protocol']?.startsWith('vite-') === true,
			upgrade: (request, stream, head) => void sockets.emit('upgrade', request, stream, head),
		},
	};
}
