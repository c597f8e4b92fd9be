/**
 * Starts Chrome or Chromium for tests, with the flags that make WebGPU draw on a machine without a GPU.
 * Owns: finding the browser, its graphics flags, and closing tabs reliably. Never: installs a browser.
 */

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { GRAPHICS_FLAGS, HEADLESS_FLAGS } from '../../relay/browser-flags.ts';
import { PATIENCE } from './patience.ts';

const FLAGS = {
	webgpu: GRAPHICS_FLAGS,
	webgl2: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-rasterization'],
	none: ['--disable-gpu', '--disable-software-rasterizer'],
};

/** Default flags of Puppeteer against throttling. A throttled browser omits them, like a normal one. */
const UNTHROTTLED = [
	'--disable-background-timer-throttling',
	'--disable-backgrounding-occluded-windows',
	'--disable-renderer-backgrounding',
];
const USUAL_PATHS = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome-stable',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the path of the browser: from the environment, or a usual path, or else undefined for Puppeteer's own. */
export function browserPath(): string | undefined {
	const environmentPath = process.env.CHROME_PATH ?? process.env.PUPPETEER_EXECUTABLE_PATH;
	if (environmentPath !== undefined && environmentPath !== '') {
		if (!existsSync(environmentPath))
			throw new Error(
				`There is no browser at ${environmentPath}, which CHROME_PATH or PUPPETEER_EXECUTABLE_PATH names.`,
			);
		return environmentPath;
	}
	return USUAL_PATHS.find((path) => existsSync(path));
}

export interface LaunchOptions {
	/** True if the browser throttles hidden tabs. */
	readonly throttled?: boolean;
	/** Size in CSS pixels. Default: 1280 x 720. */
	readonly width?: number;
	readonly height?: number;
	/** Graphics of pages. Default: `webgpu`, with WebGL 2. */
	readonly graphics?: 'webgpu' | 'webgl2' | 'none';
}

/** Starts a headless browser. The caller closes it. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
	const graphics = FLAGS[options.graphics ?? 'webgpu'];
	const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
	const executablePath = browserPath();
	return puppeteer.launch({
		headless: true,
		...(executablePath === undefined ? {} : { executablePath }),
		args: [...HEADLESS_FLAGS, ...root, ...graphics],
		ignoreDefaultArgs: options.throttled === true ? UNTHROTTLED : [],
		defaultViewport: { width: options.width ?? 1280, height: options.height ?? 720 },
		protocolTimeout: PATIENCE,
	});
}

/** Time after which an open tab gets the command to close again (ms). */
const CLOSE_AGAIN = 1000;

/**
 * Opens a tab with bounded waits and a reliable `close`. Chromium confirms a command to close and then forgets it, if the
 * tab starts a new document at that time (crbug.com/536385539). This happens to a page that reloads because its world
 * moved.
 */
export async function newTab(browser: Pick<Browser, 'newPage'>): Promise<Page> {
	const page = await browser.newPage();
	page.setDefaultTimeout(PATIENCE);
	const close = page.close.bind(page);
	page.close = async (options) => {
		if (options?.runBeforeUnload === true) return close(options);
		const closed = close();
		const isOpen = () => Promise.race([closed.then(() => false), sleep(CLOSE_AGAIN, true)]);
		for (let waited = 0; waited < PATIENCE; waited += CLOSE_AGAIN) {
			if (!(await isOpen())) return;
			// The repeated command may fail because the tab is already closed; only the first one counts.
			void close().catch(() => {});
		}
		throw new Error(`The tab of ${page.url()} is still open after ${PATIENCE / 1000} s.`);
	};
	return page;
}
