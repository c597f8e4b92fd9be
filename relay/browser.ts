/**
 * A headless browser that holds the world's tab, and is kept alive.
 * Owns: the browser's process, and starting the page anew after a crash or a hang.
 * Never: ends a process that it did not start.
 */

import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer';
import { GRAPHICS, QUIET } from './browser-flags.ts';

export interface HeadlessOptions {
	/** The page's address. */
	readonly url: string;
	/** The browser's program; Puppeteer's own choice when absent. */
	readonly program: string | undefined;
	readonly say: (sentence: string) => void;
	/** The tab's page is known to be dead, and why. */
	readonly onDead: (why: string) => void;
	/** The browser cannot be kept alive; nothing more is tried. */
	readonly onGivenUp: (why: string) => void;
}

/** Restarts within the last minute after which it is given up. */
const MOST_RESTARTS = 5;
/** Milliseconds that a browser may take to close by itself. */
const CLOSE_WAIT = 5000;

export class HeadlessBrowser {
	readonly #options: HeadlessOptions;
	#browser: Browser | undefined;
	#page: Page | undefined;
	/** The present browser's own folder, gone when it ends. */
	#profile: string | undefined;
	#stopping = false;
	#restarts: number[] = [];
	/** Repairs happen one after the other. */
	#work: Promise<void> = Promise.resolve();

	constructor(options: HeadlessOptions) {
		this.#options = options;
	}

	/** Starts the browser and opens the page. Rejects when the browser does not start. */
	start(): Promise<void> {
		const started = this.#launch();
		// Whoever calls hears of a failure; repairs only wait for the end of it.
		this.#work = Promise.allSettled([started]).then(() => {});
		return started;
	}

	/** The page answers no more. Its whole browser is replaced: in the old one the page still keeps the world's place. */
	replaceHungPage(): void {
		this.#repair('The tab hangs; starting another browser.', () => this.#relaunch());
	}

	/** Ends the browser and removes its profile. */
	async stop(): Promise<void> {
		this.#stopping = true;
		await this.#end();
		// One that was just being started ends itself as soon as it is there.
		await within(CLOSE_WAIT, this.#work);
		await this.#end();
	}

	async #launch(): Promise<void> {
		const { default: puppeteer } = await import('puppeteer');
		const { program } = this.#options;
		const profile = await mkdtemp(join(tmpdir(), 'orrery-browser-'));
		this.#profile = profile;
		const browser = await puppeteer.launch({
			headless: true,
			userDataDir: profile,
			...(program === undefined ? {} : { executablePath: program }),
			// Chromium's sandbox refuses to run as root.
			args: [...QUIET, ...GRAPHICS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
			defaultViewport: { width: 1280, height: 720 },
			handleSIGINT: false,
			handleSIGTERM: false,
			handleSIGHUP: false,
		});
		this.#browser = browser;
		if (this.#stopping) return this.#end();
		browser.on('disconnected', () => {
			if (this.#browser !== browser || this.#stopping) return;
			this.#options.onDead('Its headless browser ended.');
			this.#repair('The browser ended; starting another.', () => this.#relaunch());
		});
		await this.#open();
	}

	async #relaunch(): Promise<void> {
		await this.#end();
		await this.#launch();
	}

	async #open(): Promise<void> {
		const browser = this.#browser;
		if (browser === undefined) return;
		const [blank] = this.#page === undefined ? await browser.pages() : [];
		const page = blank ?? (await browser.newPage());
		this.#page = page;
		page.on('error', () => {
			if (this.#page !== page) return;
			this.#options.onDead('Its headless tab crashed.');
			this.#repair('The tab crashed; loading it again.', async () => {
				await page.reload({ waitUntil: 'domcontentloaded' });
			});
		});
		page.on('pageerror', (error) => {
			this.#options.say(`The page reports: ${error instanceof Error ? error.message : String(error)}`);
		});
		await page.goto(this.#options.url, { waitUntil: 'domcontentloaded' });
	}

	#repair(sentence: string, action: () => Promise<void>): void {
		if (this.#stopping) return;
		const now = performance.now();
		this.#restarts = [...this.#restarts.filter((at) => now - at < 60_000), now];
		if (this.#restarts.length > MOST_RESTARTS) {
			this.#stopping = true;
			this.#options.onGivenUp(
				`The tab died ${MOST_RESTARTS + 1} times within a minute, so it is not started again.`,
			);
			return;
		}
		this.#options.say(sentence);
		this.#work = this.#work.then(action).catch((error: unknown) => {
			if (this.#stopping) return;
			const why = error instanceof Error ? error.message : String(error);
			this.#options.say(`That did not work: ${why}`);
			// A browser in which not even a page opens is of no use; its end starts another.
			this.#repair('Starting another browser.', () => this.#relaunch());
		});
	}

	/** Closes the browser; one that does not close in time is killed, with its children. */
	async #end(): Promise<void> {
		const browser = this.#browser;
		const profile = this.#profile;
		this.#browser = undefined;
		this.#page = undefined;
		this.#profile = undefined;
		if (browser !== undefined) {
			const child = browser.process();
			await within(CLOSE_WAIT, browser.close());
			// A hung tab's process can outlive the rest.
			if (child !== null) killGroup(child);
		}
		// A browser on its way out may still write for a moment.
		if (profile !== undefined)
			await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}

/** Puppeteer gives the browser a process group of its own, so that its children go with it. */
function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	try {
		if (process.platform === 'win32') child.kill('SIGKILL');
		else process.kill(-child.pid, 'SIGKILL');
	} catch {
		// It has ended by itself in the meantime.
	}
}

/** True when it is done within so many milliseconds; a failure counts as done. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<boolean>((resolve) => {
		timer = setTimeout(() => resolve(false), milliseconds);
	});
	const done = work.then(
		() => true,
		() => true,
	);
	const inTime = await Promise.race([done, late]);
	clearTimeout(timer);
	return inTime;
}
