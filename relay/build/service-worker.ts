/**
 * Vite plugin that builds `/sw.js` from the sources of the service worker.
 * Owns: the content of this file, in the built folder and on the development server.
 */

import { build, type Plugin, type Rolldown } from 'vite';
import { apiPaths } from './api-paths.ts';

/** Builds the service worker at `entry` (absolute path) into one classic script, `/sw.js`. */
export function serviceWorker(entry: string): Plugin {
	let outDir = '';
	return {
		name: 'orrery-service-worker',
		configResolved(config) {
			outDir = config.build.outDir;
		},
		configureServer(server) {
			server.middlewares.use('/sw.js', (_request, response, next) => {
				buildWorker(entry, undefined).then((code) => {
					response.setHeader('content-type', 'text/javascript; charset=utf-8');
					response.setHeader('cache-control', 'no-cache');
					response.setHeader('service-worker-allowed', '/');
					response.end(code);
				}, next);
			});
		},
		async closeBundle(error) {
			if (error === undefined) await buildWorker(entry, outDir);
		},
	};
}

/** Builds `sw.js` and returns its code. Writes it into a folder, if one is given. */
async function buildWorker(entry: string, outDir: string | undefined): Promise<string> {
	const built = await build({
		configFile: false,
		publicDir: false,
		logLevel: 'warn',
		plugins: [apiPaths()],
		build: {
			write: outDir !== undefined,
			...(outDir === undefined ? {} : { outDir }),
			emptyOutDir: false,
			target: 'esnext',
			rolldownOptions: {
				checks: { pluginTimings: false },
				input: entry,
				output: { format: 'iife', entryFileNames: 'sw.js' },
			},
		},
	});
	const outputs = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[];
	const chunk = outputs.flatMap((output) => output.output).find((part) => part.fileName === 'sw.js');
	if (chunk?.type !== 'chunk') throw new Error(`The build of ${entry} produced no sw.js.`);
	return chunk.code;
}
