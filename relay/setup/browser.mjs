/**
 * Finds a Chrome or Chromium, or brings one.
 * Owns: where it is looked for, and in which order.
 * Never: replaces a browser that is there.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { announceInstall, command } from './command.mjs';
import { engineFlags, runsInNode } from './engine.mjs';

/** Folder in which Puppeteer keeps downloaded browsers. */
const CACHE = process.env.PUPPETEER_CACHE_DIR ?? join(homedir(), '.cache', 'puppeteer');

/**
 * True if a start with these flags opens a headless browser.
 * @param {readonly string[]} flags
 * @returns {boolean}
 */
export function startNeedsBrowser(flags) {
	const chosen = engineFlags(flags);
	if (flags.includes('--help') || runsInNode(chosen)) return false;
	if (chosen.headless === true) return true;
	// Without a display, only --no-open keeps the server from starting one.
	const hidden = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
	return hidden && !flags.includes('--no-open');
}

/**
 * The path of a browser's program. Rejects with what to install when there is none and none can be brought.
 * @param {string} node
 * @returns {Promise<string>}
 */
export async function findBrowser(node) {
	return presentBrowser() ?? bringBrowser(node);
}

/**
 * Installs a browser, and returns the path of its program. Rejects with what to install if that fails or is forbidden.
 * @param {string} node
 * @returns {Promise<string>}
 */
export async function bringBrowser(node) {
	const source =
		process.env.PUPPETEER_CHROME_DOWNLOAD_BASE_URL ?? "Google's download server of Chrome for Testing";
	announceInstall(
		'No Chrome or Chromium was found.',
		`Puppeteer downloads Chrome into ${CACHE}, from ${source}.`,
	);
	await command(node, [join(import.meta.dirname, 'download-chrome.mjs'), CACHE]);
	const fetched = cached();
	if (fetched !== undefined && (await starts(fetched))) return fetched;
	if (process.platform === 'linux' && process.getuid?.() === 0 && onPath('apt-get') !== undefined) {
		announceInstall(
			'Puppeteer did not provide a browser that starts.',
			'apt-get installs the package chromium and the libraries that it needs, as root, from the package sources of this system. Its version and source follow.',
		);
		const quiet = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		await command('apt-get', ['update', '-q'], { env: quiet });
		await command('apt-cache', ['policy', 'chromium'], { env: quiet });
		await command('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env: quiet });
		const package_ = installed();
		if (package_ !== undefined) return package_;
	}
	throw new Error(
		'No Chrome or Chromium was found, and downloading one failed. Install one (on Debian or Ubuntu: ' +
			'sudo apt-get install chromium), or set CHROME_PATH to its program. Then run the same command again.',
	);
}

/**
 * The path of a browser's program that is there already. Throws when the environment names a wrong one.
 * @returns {string | undefined}
 */
export function presentBrowser() {
	return named() ?? cached() ?? installed();
}

/** Browser that the environment names. A wrong name is an error, because another browser would be a surprise. */
function named() {
	for (const name of ['CHROME_PATH', 'PUPPETEER_EXECUTABLE_PATH']) {
		const path = process.env[name];
		if (path === undefined || path === '') continue;
		if (!existsSync(path))
			throw new Error(`${name} is set to ${path}, which does not exist. Correct or unset it.`);
		return path;
	}
	return undefined;
}

/** The newest Chrome in Puppeteer's cache. */
function cached() {
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

/** The usual places of this kind of system. */
function installed() {
	if (process.platform === 'darwin') {
		const apps = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'];
		const places = apps.flatMap((app) => [`/Applications/${app}`, join(homedir(), 'Applications', app)]);
		return places.find((path) => existsSync(path));
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
		const path = onPath(name);
		if (path !== undefined) return path;
	}
	return ['/opt/google/chrome/chrome', '/snap/bin/chromium'].find((path) => existsSync(path));
}

/** @param {string} program */
function onPath(program) {
	const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
	return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/**
 * A fetched Chrome still needs libraries that a bare system lacks.
 * @param {string} program
 */
function starts(program) {
	return command(program, ['--headless', '--no-sandbox', '--version']);
}
