/**
 * `npm run dev`: the page from its sources, reloaded as they change, with the relay on the same address.
 * Owns: joining vite's development server to the relay.
 */

import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { join, resolve } from 'node:path';
import { createServer } from 'vite';
import { pathMatcher } from '../shared/contract/path-matcher.ts';
import { routes } from '../shared/routes/index.ts';
import { HeadlessBrowser } from './browser.ts';
import { removeLeftBrowsers } from './browser-process.ts';
import { FlagError, parseFlags, USAGE } from './options.ts';
import { startRelay } from './server.ts';
import { listenForSignals, onShutdown, shutDown } from './shutdown.ts';
import { PAGES, type PageSource } from './static-page.ts';
import { EngineThread } from './thread/engine-thread.ts';
import { randomToken } from './tokens.ts';

const ROOT = resolve(import.meta.dirname, '..');

listenForSignals();
try {
	const options = parseFlags(process.argv.slice(2));
	if (options.help) {
		process.stdout.write(USAGE);
		await shutDown(0);
	}
	const keeperKey = randomToken();
	const profile = options.bare ? 'bare' : 'full';
	const { inNode, seed, verify } = options;
	const relay = await startRelay({
		keeperKey,
		port: options.port,
		data: options.data,
		hosts: options.hosts,
		page: await sourcePage(),
		pageOptions: { profile, seed, verify },
	});
	onShutdown(() => relay.close());
	relay.keep(options.headless || inNode);
	console.log(`Orrery (development server) is ready: open ${relay.url}/`);
	if (inNode) {
		const settings = { profile, seed, verify, gated: false } as const;
		const thread = new EngineThread({ settings, say: (sentence) => console.error(sentence) });
		onShutdown(() => thread.stop());
		thread.start(relay);
	}
	if (options.headless) {
		await removeLeftBrowsers();
		const headless = new HeadlessBrowser({
			url: `${relay.url}/?keeper=${keeperKey}`,
			program: process.env.CHROME_PATH || process.env.PUPPETEER_EXECUTABLE_PATH,
			say: (sentence) => console.error(sentence),
			here: () => relay.keeperHere(),
			onDead: () => relay.forgetKeeper(),
			onTrouble: (why, next) => relay.setTrouble(why, next),
		});
		onShutdown(() => headless.stop());
		await headless.start();
	}
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	await shutDown(error instanceof FlagError ? 2 : 1);
}

/** The page from its sources: vite answers whatever is not a route. */
async function sourcePage(): Promise<PageSource> {
	// It never listens: vite takes its sockets from it, and the relay gives it those of the page alone.
	const sockets = createHttpServer();
	const vite = await createServer({
		configFile: join(ROOT, 'vite.config.ts'),
		appType: 'custom',
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
			const file = PAGES[path];
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
			takes: (request) => request.headers['sec-websocket-protocol']?.startsWith('vite-') === true,
			upgrade: (request, stream, head) => void sockets.emit('upgrade', request, stream, head),
		},
	};
}
