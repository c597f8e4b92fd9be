/**
 * Builds the page and its service worker into dist/page. With --package it also builds the files that only the npm
 * package needs.
 * Owns: the decision to build. `npm run build` always builds; `npm start` only if the sources have changed.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { compressFolder } from './build/compress.ts';
import { hashSources, isFresh, stampBuild } from './build/freshness.ts';
import { pageFiles, totalBytes } from './build/page-size.ts';
import { PAGE, ROOT } from './folders.ts';
import { builtPage, ISOLATION, type PageSource } from './static-page.ts';

/** Pages without an editor: the proof, which plays games, and the API reference. */
const OTHER_PAGES = [join(ROOT, 'web/proof/index.html'), join(ROOT, 'web/docs/index.html')];

/** Builds all pages. Rejects with vite's own message, which names file and line. */
export async function buildPage(): Promise<void> {
	// The hash is computed first, so that a file that changes during the build counts as newer.
	const hash = await hashSources(ROOT);
	const { build } = await import('vite');
	// Node loads the settings directly. Vite would first bundle them with all their imports, which takes seconds.
	const settings = {
		configFile: join(ROOT, 'vite.config.ts'),
		configLoader: 'native',
		logLevel: 'warn',
	} as const;
	// The pages are built separately and share no file, so that the code of one page does not enlarge another.
	await build({ ...settings, publicDir: false, build: { rolldownOptions: { input: OTHER_PAGES } } });
	await build({ ...settings, build: { emptyOutDir: false } });
	await compressFolder(PAGE);
	await stampBuild(PAGE, hash);
}

/**
 * Builds the page if it is missing or older than its sources. A separate process does this, because a build takes half
 * a GiB of memory and the relay may run for days.
 */
export async function ensureBuilt(): Promise<void> {
	if (await isFresh(ROOT, PAGE)) return;
	const startTime = performance.now();
	process.stderr.write('Building the page ... ');
	await buildInOwnProcess();
	process.stderr.write(`done in ${((performance.now() - startTime) / 1000).toFixed(1)} s.\n`);
}

/** Returns a page that is built, if necessary, when it is first opened. Many servers never need it. */
export async function pageOnDemand(): Promise<PageSource> {
	let page = existsSync(join(PAGE, 'index.html')) ? await builtPage(PAGE) : undefined;
	let build: Promise<void> | undefined;
	return {
		async html(url) {
			build ??= ensureBuilt()
				.then(async () => {
					page = await builtPage(PAGE);
				})
				.catch((error: unknown) => {
					build = undefined;
					throw error;
				});
			await build;
			return page!.html(url);
		},
		serve: (request, response, path) =>
			page?.serve(request, response, path) === true || serveGuide(request, response, path),
		get policy() {
			return page?.policy;
		},
	};
}

/** Answers requests for the guide from its sources, if it is not built. Returns false for other addresses. */
function serveGuide(request: IncomingMessage, response: ServerResponse, path: string): boolean {
	const { method } = request;
	if ((method !== 'GET' && method !== 'HEAD') || !/^\/(guide$|guide\/|llms(-full)?\.txt$)/.test(path))
		return false;
	if (path === '/guide') response.writeHead(308, { ...ISOLATION, location: 'guide/' }).end();
	// Loaded late, because it loads the declarations of all routes, and few servers serve the guide.
	else
		import('./guide/texts.ts').then(
			({ sendGuideText }) => sendGuideText(request, response, path),
			(error: unknown) =>
				response.writeHead(500, { ...ISOLATION, 'content-type': 'text/plain' }).end(`${error}\n`),
		);
	return true;
}

function buildInOwnProcess(): Promise<void> {
	return new Promise((resolve, reject) => {
		// Its errors are shown, because they name file and line. Its summary is not.
		const child = spawn(process.execPath, [import.meta.filename], {
			stdio: ['ignore', 'ignore', 'inherit'],
			// A test run gets the same page as a user.
			env: { ...process.env, NODE_ENV: 'production' },
		});
		child.once('error', reject);
		child.once('exit', (code) => {
			if (code === 0) resolve();
			else reject(new Error('The page could not be built.'));
		});
	});
}

// `import.meta.main` is not in Node 22.
if (process.argv[1] === import.meta.filename) {
	const startTime = performance.now();
	await buildPage();
	if (process.argv.includes('--package')) {
		const { buildNode, buildTypes } = await import('./build/package.ts');
		await buildNode(join(ROOT, 'dist/node'));
		await buildTypes(join(ROOT, 'dist/types'));
	}
	const seconds = ((performance.now() - startTime) / 1000).toFixed(1);
	const loadedKilobytes = Math.round(totalBytes(await pageFiles(PAGE), 'sent') / 1000);
	console.log(
		`Built dist/ in ${seconds} s; the page loads ${loadedKilobytes} KB (compressed) before any picture of a world.`,
	);
}
