/**
 * A headless browser whose tab runs the world.
 * Owns: its repair: the page is loaded again, or another browser started, after a crash or a hang.
 * Never: knows what the world is. The next browser resumes it from the journal.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { reasonOf } from '../shared/contract/reason.ts';
import { hasNoSandbox, KilledError, type StartedBrowser, startBrowser } from './browser-process.ts';
import { Restarts } from './restarts.ts';

export interface HeadlessOptions {
	/** The page's address. */
	readonly url: string;
	/** The browser's program; undefined if none was found. */
	readonly program: string | undefined;
	/** True: the graphics card draws. Otherwise the processor does. */
	readonly gpu?: boolean;
	readonly say: (sentence: string) => void;
	/** Returns true while its page is connected to the server. */
	readonly here: () => boolean;
	/** Its page is known to be dead. */
	readonly onDead: () => void;
	/** It dies repeatedly: why, and when the next try is (ms since 1970). */
	readonly onTrouble: (why: string, next: number) => void;
	/** Milliseconds of the first wait before a restart. */
	readonly firstWait?: number;
	/** Milliseconds in which its page connects, at the first try; PAGE_WAIT unless given. */
	readonly pageWait?: number;
}

/** Milliseconds in which a browser closes by itself. */
const CLOSE_WAIT = 5000;
/** Milliseconds in which a page connects to the server, at the first try and at most. */
const PAGE_WAIT = 15_000;
const MAX_PAGE_WAIT = 120_000;

/** `reload`: the page alone. `relaunch`: the whole browser. */
type Repair = 'reload' | 'relaunch';

export class HeadlessBrowser {
	readonly #options: HeadlessOptions;
	#started: StartedBrowser | undefined;
	#page: Page | undefined;
	readonly #ending = new AbortController();
	/** A browser has started before. */
	#launched = false;
	readonly #restarts: Restarts;
	/** Repairs run in order. */
	#work: Promise<void> = Promise.resolve();
	/** The repair that has not begun. It also repairs what fails until then. */
	#planned: Repair | undefined;
	#expected: NodeJS.Timeout | undefined;
	/** Its page did not connect, and was loaded again. */
	#missed = false;

	constructor(options: HeadlessOptions) {
		this.#options = options;
		this.#restarts = new Restarts(options.firstWait);
	}

	/** Starts the browser and opens the page. Rejects if the browser cannot start. If it dies meanwhile, it is replaced. */
	async start(): Promise<void> {
		if (hasNoSandbox())
			this.#options.say(
				'The browser has no sandbox, because the user is root. To have one, run the server as another user.',
			);
		const started = this.#launch();
		// The caller gets a failure. Repairs wait for its end.
		this.#work = Promise.allSettled([started]).then(() => {});
		try {
			await started;
		} catch (error) {
			const starts = this.#launched || error instanceof KilledError;
			if (!starts || this.#stopping)
				throw new Error(`The headless browser could not be started. ${reasonOf(error)}`, { cause: error });
			// A repair that is already planned mends this fault too.
			if (this.#planned === undefined)
				this.#repair(`The page could not be opened (${firstLine(error)})`, 'relaunch');
		}
	}

	/** Notes that its page owns the world and answers calls. */
	holds(): void {
		this.#restarts.holds();
		this.#missed = false;
	}

	/** Replaces the whole browser, because the page does not answer and the browser may be the reason. */
	replaceHungPage(): void {
		this.#repair('The tab hangs', 'relaunch');
	}

	/** Ends the browser and removes its profile. */
	async stop(): Promise<void> {
		this.#ending.abort();
		clearTimeout(this.#expected);
		await this.#close();
		// A browser that is starting is closed as soon as it has started.
		await withTimeout(CLOSE_WAIT, this.#work);
	}

	get #stopping(): boolean {
		return this.#ending.signal.aborted;
	}

	async #launch(): Promise<void> {
		this.#missed = false;
		const started = await startBrowser(this.#options.program, this.#options.gpu);
		this.#launched = true;
		this.#started = started;
		if (this.#stopping) return this.#close();
		const { browser, page } = started;
		browser.on('disconnected', () => {
			if (this.#started !== started || this.#stopping) return;
			this.#options.onDead();
			this.#repair('The browser ended', 'relaunch');
		});
		this.#follow(page);
		await this.#load(page);
	}

	#follow(page: Page): void {
		this.#page = page;
		page.on('error', () => {
			if (this.#page !== page) return;
			this.#options.onDead();
			this.#repair('The tab crashed', 'reload');
		});
		page.on('pageerror', (error) => this.#options.say(`The page reports: ${reasonOf(error)}`));
	}

	async #load(page: Page): Promise<void> {
		this.#expect(page);
		// A page that crashed loads nothing more, and is not waited for.
		const crashed = new Promise<never>((_, reject) => page.once('error', reject));
		await Promise.race([page.goto(this.#options.url, { waitUntil: 'domcontentloaded' }), crashed]);
	}

	#expect(page: Page): void {
		clearTimeout(this.#expected);
		// A slow machine gets more time with every try.
		const wait = Math.min(MAX_PAGE_WAIT, (this.#options.pageWait ?? PAGE_WAIT) * (1 + this.#restarts.count));
		this.#expected = setTimeout(() => {
			if (this.#page !== page || this.#options.here()) return;
			// If the second page does not connect either, the browser is the reason.
			this.#repair('The page did not connect to the server', this.#missed ? 'relaunch' : 'reload');
			this.#missed = true;
		}, wait).unref();
	}

	/** Loads the page again, or starts another browser: immediately for the first times, then after waits that grow. */
	#repair(sentence: string, repair: Repair): void {
		if (this.#stopping) return;
		if (this.#planned !== undefined) {
			if (repair === 'relaunch') this.#planned = repair;
			return;
		}
		this.#planned = repair;
		const wait = this.#restarts.next();
		const next = repair === 'reload' ? 'loading it again' : 'starting another browser';
		if (wait === 0) this.#options.say(`${sentence}; ${next}.`);
		else {
			const why = `${sentence} repeatedly.`;
			this.#options.say(`${why} The next attempt is in ${wait / 1000} s.`);
			this.#options.onTrouble(why, Date.now() + wait);
		}
		this.#work = this.#work
			.then(() => this.#mend(wait))
			.catch((error: unknown) => {
				if (this.#stopping || this.#planned !== undefined) return;
				// A browser that opens no page is of no use.
				this.#repair(`The browser could not be started (${firstLine(error)})`, 'relaunch');
			});
	}

	async #mend(wait: number): Promise<void> {
		// A browser that hangs cannot close by itself. It must not run on during the wait either.
		if (this.#planned === 'relaunch') await this.#kill();
		const { signal } = this.#ending;
		if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => {});
		const repair = this.#planned;
		this.#planned = undefined;
		if (signal.aborted) return;
		if (repair === 'reload' && this.#page !== undefined) return this.#load(this.#page);
		await this.#kill();
		await this.#launch();
	}

	/** Closes the browser. It is killed if it does not close in time. */
	async #close(): Promise<void> {
		const browser = this.#started?.browser;
		if (browser?.connected === true) await withTimeout(CLOSE_WAIT, browser.close());
		// The process of a hung tab can outlive the rest.
		await this.#kill();
	}

	async #kill(): Promise<void> {
		const started = this.#started;
		this.#started = undefined;
		this.#page = undefined;
		await started?.end();
	}
}

/** Returns the reason without the program's own output. */
function firstLine(error: unknown): string {
	return reasonOf(error).split('\n', 1)[0]!.trim();
}

/** Resolves when the work is done, failed, or has taken this many milliseconds. */
async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<void> {
	await Promise.race([work.catch(() => {}), sleep(milliseconds, undefined, { ref: false })]);
}
