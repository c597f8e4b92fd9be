/**
 * Serves the panels with the fake engine, to view them and for browser tests.
 * Owns: a vite server. To start it alone with a port: `node test/web/ui/serve-page.ts 4300`.
 */

import { join } from 'node:path';
import { createServer } from 'vite';

export interface ServedPage {
	readonly url: string;
	close(): Promise<void>;
}

/** Serves the page on a port of this machine. Rejects when the port is taken. */
export async function servePanels(port: number): Promise<ServedPage> {
	const root = join(import.meta.dirname, 'page');
	const server = await createServer({
		root,
		configFile: false,
		logLevel: 'error',
		cacheDir: join(import.meta.dirname, '../../../node_modules/.vite-panels'),
		server: {
			port,
			strictPort: true,
			host: '127.0.0.1',
			hmr: false,
			fs: { allow: [join(import.meta.dirname, '../../..')] },
		},
	});
	await server.listen();
	return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

if (process.argv[1] === import.meta.filename) {
	const { url } = await servePanels(Number(process.argv[2] ?? 4300));
	console.log(`The panels are at ${url}`);
}
