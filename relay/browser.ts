/**
 * Headless browser whose tab runs the world.
 * Owns: its repair. After a crash or a hang it loads the page again, or starts another browser.
 * Never: knows the world. The next browser resumes it from the journal.
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
	/** True if the graphics card draws; otherwise the processor draws. */
	readonly gpu?: boolean;
	/** Prints a sentence for the operator. */
	readonly say: (sentence: string) => void;
	/** Returns true while the browser's page is connected to the server. */
	readonly isConnected: () => boolean;
	/** Called when the browser's page has died. */
	readonly onDead: () => void;
	/** Called when the browser dies repeatedly, with the reason and the time of the next attempt (ms since 1970). */
	readonly onTrouble: (why: string, next: number) => void;
	/** Milliseconds of the first wait before a restart. The default is that of `Restarts`. */
	readonly firstWait?: number;
	/** Milliseconds in which the page must connect at the first try. The default is PAGE_WAIT. */
	readonly pageWait?: number;
}

/** Maximum milliseconds in which a browser closes by itself. */
const MAX_CLOSE_MS = 5000;
/** Milliseconds in which a page must connect to the server: at the first try, and the maximum of later tries. */
const PAGE_WAIT = 15_000;
const MAX_PAGE_WAIT = 120_000;

/** `reload` loads the page again. `relaunch` replaces the whole browser. */
type Repair = 'reload' | 'relaunch';

export class HeadlessBrowser {
	readonly #options: HeadlessOptions;
	#started: StartedBrowser | undefined;
	#page: Page | undefined;
	readonly #ending = new AbortController();
	/** True if a browser has started before. */
	#hasLaunched = false;
	readonly #restarts: Restarts;
	/** End of the last repair. Repairs run in order. */
	#work: Promise<void> = Promise.resolve();
	/** The repair that has not begun. It also repairs any fault until it begins. */
	#plannedRepair: Repair | undefined;
	/** Ends the wait for the page to connect. */
	#connectTimer: NodeJS.Timeout | undefined;
	/** True if the page of this browser did not connect and was loaded again. */
	#hasMissedConnection = false;

	constructor(options: HeadlessOptions) {
		this.#options = options;
		this.#restarts = new Restarts(options.firstWait);
	}

	/** Starts the browser and opens the page. Rejects if the browser cannot start. A browser that dies is replaced. */
	async start(): Promise<void> {
		if (hasNoSandbox())
			this.#options.say(
				'The browser has no sandbox, because the user is root. To have one, run the server as another user.',
			);
		const started = this.#launch();
		// Repairs wait until this start has succeeded or failed. The caller gets a failure.
		this.#work = Promise.allSettled([started]).then(() => {});
		try {
			await started;
		} catch (error) {
			const canStart = this.#hasLaunched || error instanceof KilledError;
			if (!canStart || this.#isStopping)
				throw new Error(`The headless browser could not be started. ${reasonOf(error)}`, { cause: error });
			// A repair that is already planned covers this fault too.
			if (this.#plannedRepair === undefined)
				this.#planRepair(`The page could not be opened (${firstLine(error)})`, 'relaunch');
		}
	}

	/** Records that the browser's page owns the world and answers calls. */
	noteReady(): void {
		this.#restarts.noteReady();
		this.#hasMissedConnection = false;
	}

	/** Replaces the whole browser, because the page does not answer and the browser may be the reason. */
	replaceHungPage(): void {
		this.#planRepair('The tab hangs', 'relaunch');
	}

	/** Ends the browser and removes its profile. */
	async stop(): Promise<void> {
		this.#ending.abort();
		clearTimeout(this.#connectTimer);
		await this.#close();
		// A browser that is starting is closed as soon as it has started.
		await withTimeout(MAX_CLOSE_MS, this.#work);
	}

	get #isStopping(): boolean {
		return this.#ending.signal.aborted;
	}

	async #launch(): Promise<void> {
		this.#hasMissedConnection = false;
		const started = await startBrowser(this.#options.program, this.#options.gpu);
		this.#hasLaunched = true;
		this.#started = started;
		if (this.#isStopping) return this.#close();
		const { browser, page } = started;
		browser.on('disconnected', () => {
			if (this.#started !== started || this.#isStopping) return;
			this.#options.onDead();
			this.#planRepair('The browser ended', 'relaunch');
		});
		this.#follow(page);
		await this.#load(page);
	}

	#follow(page: Page): void {
		this.#page = page;
		page.on('error', () => {
			if (this.#page !== page) return;
			this.#options.onDead();
			this.#planRepair('The tab crashed', 'reload');
		});
		page.on('pageerror', (error) => this.#options.say(`The page reports: ${reasonOf(error)}`));
	}

	async #load(page: Page): Promise<void> {
		this.#waitForConnection(page);
		// `goto` never resolves on a crashed page.
		const crashed = new Promise<never>((_, reject) => page.once('error', reject));
		await Promise.race([page.goto(this.#options.url, { waitUntil: 'domcontentloaded' }), crashed]);
	}

	/** Repairs the browser if its page does not connect in time. */
	#waitForConnection(page: Page): void {
		clearTimeout(this.#connectTimer);
		// A slow machine gets more time with every try.
		const wait = Math.min(MAX_PAGE_WAIT, (this.#options.pageWait ?? PAGE_WAIT) * (1 + this.#restarts.count));
		this.#connectTimer = setTimeout(() => {
			if (this.#page !== page || this.#options.isConnected()) return;
			// If the second page does not connect either, the browser is the reason.
			this.#planRepair(
				'The page did not connect to the server',
				this.#hasMissedConnection ? 'relaunch' : 'reload',
			);
			this.#hasMissedConnection = true;
		}, wait).unref();
	}

	/** Plans a repair: immediately for the first times, then after growing waits. `reason`: a clause about the fault. */
	#planRepair(reason: string, repair: Repair): void {
		if (this.#isStopping) return;
		if (this.#plannedRepair !== undefined) {
			if (repair === 'relaunch') this.#plannedRepair = repair;
			return;
		}
		this.#plannedRepair = repair;
		const wait = this.#restarts.next();
		const remedy = repair === 'reload' ? 'loading it again' : 'starting another browser';
		if (wait === 0) this.#options.say(`${reason}; ${remedy}.`);
		else {
			const why = `${reason} repeatedly.`;
			this.#options.say(`${why} The next attempt is in ${wait / 1000} s.`);
			this.#options.onTrouble(why, Date.now() + wait);
		}
		this.#work = this.#work
			.then(() => this.#runRepair(wait))
			.catch((error: unknown) => {
				if (this.#isStopping || this.#plannedRepair !== undefined) return;
				// A browser that cannot open the page is replaced.
				this.#planRepair(`The browser could not be started (${firstLine(error)})`, 'relaunch');
			});
	}

	async #runRepair(wait: number): Promise<void> {
		// A hung browser cannot close by itself, and must not keep running during the wait.
		if (this.#plannedRepair === 'relaunch') await this.#kill();
		const { signal } = this.#ending;
		if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => {});
		const repair = this.#plannedRepair;
		this.#plannedRepair = undefined;
		if (signal.aborted) return;
		if (repair === 'reload' && this.#page !== undefined) return this.#load(this.#page);
		await this.#kill();
		await this.#launch();
	}

	/** Closes the browser. It is killed if it does not close in time. */
	async #close(): Promise<void> {
		const browser = this.#started?.browser;
		if (browser?.connected === true) await withTimeout(MAX_CLOSE_MS, browser.close());
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

/** Returns the reason of an error without the program's output, which follows on further lines. */
function firstLine(error: unknown): string {
	return reasonOf(error).split('\n', 1)[0]!.trim();
}

/** Resolves when the work has succeeded or failed, or after this many milliseconds. */
async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<void> {
	await Promise.race([work.catch(() => {}), sleep(milliseconds, undefined, { ref: false })]);
}
