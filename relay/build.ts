/**
 * Builds the page and its service worker into dist/page; with --package, also what only the npm package needs.
 * Owns: the decision to build. `npm run build` always builds; `npm start` only if the sources have changed.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { compressFolder } from './build/compress.ts';
import { isFresh, sourcesMark, stampBuild } from './build/freshness.ts';
import { pageFiles, sizeOf } from './build/page-size.ts';
import { PAGE, ROOT } from './folders.ts';
import { builtPage, ISOLATION, type PageSource } from './static-page.ts';

/** Pages beside the one that has the world: the proof plays games, the docs are the API reference. */
const BESIDE = [join(ROOT, 'web/proof/index.html'), join(ROOT, 'web/docs/index.html')];

/** Builds all pages. Rejects with vite's own message, which names file and line. */
export async function buildPage(): Promise<void> {
	// The mark is taken first: a file that changes while this runs must count as newer.
	const mark = await sourcesMark(ROOT);
	const { build } = await import('vite');
	// Node reads the settings as they are. Vite would bundle them with all that they import, which takes seconds.
	const settings = {
		configFile: join(ROOT, 'vite.config.ts'),
		configLoader: 'native',
		logLevel: 'warn',
	} as const;
	// Built apart, they share no file: what the one loads does not grow with the other.
	await build({ ...settings, publicDir: false, build: { rolldownOptions: { input: BESIDE } } });
	await build({ ...settings, build: { emptyOutDir: false } });
	await compressFolder(PAGE);
	await stampBuild(PAGE, mark);
}

/**
 * Builds the page if it is missing or older than its sources. A process of its own does this, so that its half GiB is
 * freed afterwards. The relay may run for days.
 */
export async function ensureBuilt(): Promise<void> {
	if (await isFresh(ROOT, PAGE)) return;
	const began = performance.now();
	process.stderr.write('Building the page ... ');
	await buildApart();
	process.stderr.write(`done in ${((performance.now() - began) / 1000).toFixed(1)} s.\n`);
}

/** Returns the page for a server that may never be asked for it: built, if that is needed, when it is first opened. */
export async function pageOnDemand(): Promise<PageSource> {
	let page = existsSync(join(PAGE, 'index.html')) ? await builtPage(PAGE) : undefined;
	let built: Promise<void> | undefined;
	return {
		async html(url) {
			built ??= ensureBuilt()
				.then(async () => {
					page = await builtPage(PAGE);
				})
				.catch((error: unknown) => {
					built = undefined;
					throw error;
				});
			await built;
			return page!.html(url);
		},
		serve: (request, response, path) =>
			page?.serve(request, response, path) === true || serveGuide(request, response, path),
		get policy() {
			return page?.policy;
		},
	};
}

/** Answers for the guide what the built page has not. Returns false for other addresses. */
function serveGuide(request: IncomingMessage, response: ServerResponse, path: string): boolean {
	const { method } = request;
	if ((method !== 'GET' && method !== 'HEAD') || !/^\/(guide$|guide\/|llms(-full)?\.txt$)/.test(path))
		return false;
	if (path === '/guide') response.writeHead(308, { ...ISOLATION, location: 'guide/' }).end();
	// The declarations of all routes load with it, and most servers are never asked for the guide.
	else
		import('./guide/texts.ts').then(
			({ giveGuideText }) => giveGuideText(request, response, path),
			(error: unknown) =>
				response.writeHead(500, { ...ISOLATION, 'content-type': 'text/plain' }).end(`${error}\n`),
		);
	return true;
}

function buildApart(): Promise<void> {
	return new Promise((done, failed) => {
		// Its messages name file and line; this one reports that it is done.
		const child = spawn(process.execPath, [import.meta.filename], {
			stdio: ['ignore', 'ignore', 'inherit'],
			// The page of a test run is the page that people get.
			env: { ...process.env, NODE_ENV: 'production' },
		});
		child.once('error', failed);
		child.once('exit', (code) => {
			if (code === 0) done();
			else failed(new Error('The page could not be built.'));
		});
	});
}

// `import.meta.main` is not in Node 22.
if (process.argv[1] === import.meta.filename) {
	const began = performance.now();
	await buildPage();
	if (process.argv.includes('--package')) {
		const { buildNode, buildTypes } = await import('./build/package.ts');
		await buildNode(join(ROOT, 'dist/node'));
		await buildTypes(join(ROOT, 'dist/types'));
	}
	const seconds = ((performance.now() - began) / 1000).toFixed(1);
	const loaded = Math.round(sizeOf(await pageFiles(PAGE), 'sent') / 1000);
	console.log(
		`Built dist/ in ${seconds} s; the page loads ${loaded} KB (compressed) before any picture of a world.`,
	);
}
