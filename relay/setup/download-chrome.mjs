/**
 * Downloads the Chrome that this version of Puppeteer is made for into its cache. Runs by itself, on a Node that Puppeteer runs on.
 * Owns: which browser that is. Never: downloads another one; shows a stack if it fails.
 *
 * Usage: node relay/setup/download-chrome.mjs <cache folder>
 */

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [cacheDir = ''] = process.argv.slice(2);
// Puppeteer's own packages need not be beside it.
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
