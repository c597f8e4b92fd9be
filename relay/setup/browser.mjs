/**
 * Finds a Chrome or Chromium, or installs one.
 * Owns: the order of the search.
 * Never: replaces an installed browser.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { announceInstall, command } from './command.mjs';
import { engineFlags, runsInNode } from './engine.mjs';

/** Folder in which Puppeteer stores downloaded browsers. */
const CACHE = process.env.PUPPETEER_CACHE_DIR ?? join(homedir(), '.cache', 'puppeteer');

/**
 * Returns true if a start with these flags opens a headless browser.
 * @param {readonly string[]} flags
 * @returns {boolean}
 */
export function startNeedsBrowser(flags) {
	const engineOptions = engineFlags(flags);
	if (flags.includes('--help') || runsInNode(engineOptions)) return false;
	if (engineOptions.headless === true) return true;
	// Without a display, the server starts a headless browser, unless --no-open is given.
	const hasNoDisplay = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
	return hasNoDisplay && !flags.includes('--no-open');
}

/**
 * Returns the path of a browser's program. Installs a browser if there is none. Rejects with an instruction if this
 * fails.
 * @param {string} node
 * @returns {Promise<string>}
 */
export async function findBrowser(node) {
	return presentBrowser() ?? installBrowser(node);
}

/**
 * Installs a browser. Returns the path of its program. Rejects with an instruction if this fails or is forbidden.
 * @param {string} node
 * @returns {Promise<string>}
 */
export async function installBrowser(node) {
	const source =
		process.env.PUPPETEER_CHROME_DOWNLOAD_BASE_URL ?? "Google's download server of Chrome for Testing";
	announceInstall(
		'No Chrome or Chromium was found.',
		`Puppeteer downloads Chrome into ${CACHE}, from ${source}.`,
	);
	await command(node, [join(import.meta.dirname, 'download-chrome.mjs'), CACHE]);
	const downloaded = cachedBrowser();
	if (downloaded !== undefined && (await canStart(downloaded))) return downloaded;
	if (process.platform === 'linux' && process.getuid?.() === 0 && findOnPath('apt-get') !== undefined) {
		announceInstall(
			'Puppeteer did not provide a browser that starts.',
			'apt-get installs the package chromium and the libraries that it needs, as root, from the package sources of this system. Its version and source follow.',
		);
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		await command('apt-get', ['update', '-q'], { env });
		await command('apt-cache', ['policy', 'chromium'], { env });
		await command('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env });
		const program = installedBrowser();
		if (program !== undefined) return program;
	}
	throw new Error(
		'No Chrome or Chromium was found, and downloading one failed. Install one (on Debian or Ubuntu: ' +
			'sudo apt-get install chromium), or set CHROME_PATH to its program. Then run the same command again.',
	);
}

/**
 * Returns the path of an installed browser's program. Throws if the environment names a missing one.
 * @returns {string | undefined}
 */
export function presentBrowser() {
	return browserOfEnvironment() ?? cachedBrowser() ?? installedBrowser();
}

/** Returns the browser that the environment names. Throws if it is missing, because another browser would be a surprise. */
function browserOfEnvironment() {
	for (const name of ['CHROME_PATH', 'PUPPETEER_EXECUTABLE_PATH']) {
		const path = process.env[name];
		if (path === undefined || path === '') continue;
		if (!existsSync(path))
			throw new Error(`${name} is set to ${path}, which does not exist. Correct or unset it.`);
		return path;
	}
	return undefined;
}

/** Returns the newest Chrome in Puppeteer's cache; undefined if there is none. */
function cachedBrowser() {
	const cache = join(CACHE, 'chrome');
	if (!existsSync(cache)) return undefined;
	const programs = [
		'chrome',
		'chrome.exe',
		'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
	];
	const newestFirst = readdirSync(cache).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
	for (const version of newestFirst) {
		const folder = join(cache, version);
		if (!statSync(folder).isDirectory()) continue;
		for (const inner of readdirSync(folder)) {
			const program = programs.map((name) => join(folder, inner, name)).find((path) => existsSync(path));
			if (program !== undefined) return program;
		}
	}
	return undefined;
}

/** Returns a browser in one of the usual paths of this system; undefined if there is none. */
function installedBrowser() {
	if (process.platform === 'darwin') {
		const apps = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'];
		const paths = apps.flatMap((app) => [`/Applications/${app}`, join(homedir(), 'Applications', app)]);
		return paths.find((path) => existsSync(path));
	}
	if (process.platform === 'win32') {
		const folders = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
		const programs = ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe'];
		return folders
			.flatMap((folder) => (folder === undefined ? [] : programs.map((program) => join(folder, program))))
			.find((path) => existsSync(path));
	}
	const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome'];
	for (const name of names) {
		const path = findOnPath(name);
		if (path !== undefined) return path;
	}
	return ['/opt/google/chrome/chrome', '/snap/bin/chromium'].find((path) => existsSync(path));
}

/**
 * Returns the path of a program in the folders of PATH; undefined if there is none.
 * @param {string} program
 */
function findOnPath(program) {
	const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
	return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/**
 * Resolves to true if a browser starts. A downloaded Chrome needs libraries that a minimal system does not have.
 * @param {string} program
 */
function canStart(program) {
	return command(program, ['--headless', '--no-sandbox', '--version']);
}
