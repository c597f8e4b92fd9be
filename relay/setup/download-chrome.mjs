/**
 * Downloads the Chrome of this version of Puppeteer into a cache. Runs as a separate program, on a Node that Puppeteer
 * supports.
 * Owns: the choice of the version. Never: prints a stack trace.
 *
 * Usage: node relay/setup/download-chrome.mjs <cache folder>
 */

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [cacheDir = ''] = process.argv.slice(2);
// The packages that Puppeteer needs may be in another folder than Puppeteer.
const core = createRequire(createRequire(import.meta.url).resolve('puppeteer-core'));
const { Browser, install } = await import(pathToFileURL(core.resolve('@puppeteer/browsers')).href);
const revisions = core.resolve('puppeteer-core/internal/revisions.js');
const { PUPPETEER_REVISIONS } = await import(pathToFileURL(revisions).href);
try {
	await install({
		browser: Browser.CHROME,
		buildId: PUPPETEER_REVISIONS.chrome,
		cacheDir,
		baseUrl: process.env.PUPPETEER_CHROME_DOWNLOAD_BASE_URL,
		downloadProgressCallback: 'default',
	});
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
