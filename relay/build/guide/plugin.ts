/**
 * Vite plugin that builds the guide: into the built folder, and for the development server.
 * Owns: the addresses of the guide in development. The relay serves the built files without this plugin.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { AssetFile } from './files.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
	css: 'text/css',
	html: 'text/html',
	js: 'text/javascript',
	json: 'application/json',
	md: 'text/markdown',
	txt: 'text/plain',
};

/** Builds the guide with the script at `entry` (absolute path), which loads its style. */
export function guide(entry: string): Plugin {
	let outDir = '';
	let hasPublic = true;
	return {
		name: 'orrery-guide',
		configResolved(config) {
			outDir = config.build.outDir;
			hasPublic = config.publicDir !== '';
		},
		configureServer(server) {
			let builtFiles: Promise<ReadonlyMap<string, string>> | undefined;
			server.watcher.add(join(server.config.publicDir, 'guide'));
			server.watcher.on('all', () => {
				builtFiles = undefined;
			});
			server.middlewares.use((request, response, next) => {
				const path = request.url!.split('?')[0]!;
				if (!/^\/(guide(\/|$)|llms|assets\/guide)/.test(path)) return next();
				if (path === '/guide') return void response.writeHead(308, { location: 'guide/' }).end();
				builtFiles ??= buildFiles(entry);
				builtFiles.then((files) => {
					const file = [path, `${path}.html`, `${path}index.html`]
						.map((item) => item.slice(1))
						.find((candidate) => files.has(candidate));
					if (file === undefined) return next();
					response.setHeader('content-type', `${MEDIA_TYPES[file.split('.').at(-1)!]}; charset=utf-8`);
					response.setHeader('cache-control', 'no-cache');
					response.end(files.get(file));
				}, next);
			});
		},
		async closeBundle(error) {
			// A separate build, such as that of the other pages, has no public files and needs no guide.
			if (error !== undefined || !hasPublic) return;
			for (const [path, content] of await buildFiles(entry)) {
				await mkdir(dirname(join(outDir, path)), { recursive: true });
				await writeFile(join(outDir, path), content);
			}
		},
	};
}

async function buildFiles(entry: string): Promise<ReadonlyMap<string, string>> {
	// Loaded late, because tests and settings that load this file must not load every declaration.
	const { guideFiles } = await import('./files.ts');
	return guideFiles(await buildAssets(entry));
}

/** Builds script and style of the guide, with a hash of their content in their names. */
export async function buildAssets(entry: string): Promise<readonly AssetFile[]> {
	const built = await build({
		configFile: false,
		publicDir: false,
		logLevel: 'warn',
		build: {
			write: false,
			target: 'esnext',
			cssCodeSplit: false,
			rolldownOptions: {
				input: entry,
				checks: { pluginTimings: false },
				output: {
					format: 'iife',
					entryFileNames: 'assets/guide-[hash].js',
					assetFileNames: 'assets/guide-[hash][extname]',
				},
			},
		},
	});
	const outputs = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[];
	return outputs
		.flatMap(({ output }) => output)
		.map((part) => ({
			path: part.fileName,
			content: part.type === 'chunk' ? part.code : String(part.source),
		}));
}
