/**
 * Starts Chrome or Chromium for tests, with the flags that make WebGPU draw on a machine without a GPU.
 * Owns: where the browser is looked for, what it can draw with, and tabs that do close. Never: installs one.
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

/** Puppeteer adds these by itself; a throttled browser goes without, as a person's does. */
const UNTHROTTLED = [
	'--disable-background-timer-throttling',
	'--disable-backgrounding-occluded-windows',
	'--disable-renderer-backgrounding',
];
const PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome-stable',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the browser to run: what the environment names, else one in the usual places, else Puppeteer's own. */
export function browserPath(): string | undefined {
	const named = process.env.CHROME_PATH ?? process.env.PUPPETEER_EXECUTABLE_PATH;
	if (named !== undefined && named !== '') {
		if (!existsSync(named))
			throw new Error(
				`There is no browser at ${named}, which CHROME_PATH or PUPPETEER_EXECUTABLE_PATH names.`,
			);
		return named;
	}
	return PLACES.find((place) => existsSync(place));
}

export interface LaunchOptions {
	/** True leaves the browser's throttling of hidden tabs on. */
	readonly throttled?: boolean;
	/** CSS pixels; 1280 x 720 unless given. */
	readonly width?: number;
	readonly height?: number;
	/** Graphics of pages; `webgpu` (and WebGL 2) unless given. */
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

/** Milliseconds after which a tab that is still open is told again to close. */
const CLOSE_AGAIN = 1000;

/**
 * Opens a tab whose waits are bounded, and whose `close` closes it. Chromium confirms the command to close, and
 * forgets it, if the tab begins a document in that moment (crbug.com/536385539). A page that reloads because its
 * world moved does that.
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
			// The first command settles with the tab. That this one may find no tab is no fault.
			void close().catch(() => {});
		}
		throw new Error(`The tab of ${page.url()} is still open after ${PATIENCE / 1000} s.`);
	};
	return page;
}
