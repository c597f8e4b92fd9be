/**
 * A headless browser that holds the world's tab, and is kept alive.
 * Owns: which browser that is, and starting the page anew after a crash or a hang.
 * Never: ends a process that it, or a relay before it on this port, did not start.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer';
import { type BrowserAt, type BrowserNote, type BrowserNotes, isAlive } from './browser-note.ts';
import {
	browserIn,
	KilledError,
	killGroup,
	NoAnswerError,
	reachBrowser,
	startBrowser,
	whileOpen,
} from './browser-process.ts';
import { Restarts } from './restarts.ts';

export interface HeadlessOptions {
	/** The page's address. */
	readonly url: string;
	/** Where it is noted which browser this is. */
	readonly notes: BrowserNotes;
	/** What the page's address shows for the relay to know it. */
	readonly key: string;
	/** Identity of the world that the relay has; empty for none. Whenever it changes, `note` is to be called. */
	readonly world: () => string;
	/** The browser's program; Puppeteer's own choice when absent. */
	readonly program: string | undefined;
	readonly say: (sentence: string) => void;
	/** Whether its page has come to the relay. */
	readonly here: () => boolean;
	/** The tab's page is known to be dead, and why. */
	readonly onDead: (why: string) => void;
	/** It dies again and again: why, and when it is started again (ms since 1970). */
	readonly onTrouble: (why: string, next: number) => void;
	/** Milliseconds in which a browser that was left behind answers each question; ADOPT_WAIT unless given. */
	readonly adoptWait?: number;
	/** Milliseconds that the first restart waits which does not come at once; each one after it waits twice as long. FIRST_WAIT unless given. */
	readonly firstWait?: number;
	/** Milliseconds in which its page comes to the relay at first; PAGE_WAIT unless given. */
	readonly pageWait?: number;
}

/** Milliseconds that a browser may take to close by itself. */
const CLOSE_WAIT = 5000;
/** Milliseconds in which a page comes to the relay, at first and at most: half a page, whose relay was killed while it loaded, never does. */
const PAGE_WAIT = 15_000;
const LONGEST_PAGE_WAIT = 120_000;
/** Milliseconds after which a note that could not be written is tried again. */
const NOTE_AGAIN = 2000;
/** Milliseconds in which a browser answers: a tab that crashed while nobody looked never does. */
const ADOPT_WAIT = 10_000;

/** `reload`: the page alone. `relaunch`: the whole browser. */
type Repair = 'reload' | 'relaunch';

export class HeadlessBrowser {
	readonly #options: HeadlessOptions;
	#browser: Browser | undefined;
	#page: Page | undefined;
	/** Undefined until it says where it is. */
	#at: BrowserAt | undefined;
	/** The present browser's own folder, gone when it ends. */
	#profile: string | undefined;
	#stopping = false;
	/** There is a browser that can be started. */
	#launched = false;
	readonly #restarts: Restarts;
	/** Repairs happen one after the other. */
	#work: Promise<void> = Promise.resolve();
	/** The repair that has not begun: what happens until then is mended by it, too. */
	#planned: Repair | undefined;
	/** It has begun. */
	#mending = false;
	/** Ends the wait before a restart. */
	#wake = (): void => {};
	/** What could not be noted is tried again. */
	#again: NodeJS.Timeout | undefined;
	#unnoted = false;
	#expected: NodeJS.Timeout | undefined;
	/** Its page did not come, and was loaded again. */
	#missed = false;

	constructor(options: HeadlessOptions) {
		this.#options = options;
		this.#restarts = new Restarts(options.firstWait);
	}

	/**
	 * Takes back the browser that a relay on this port left behind when it was killed. False when there is none that can be
	 * taken back; what is left of it is ended then.
	 */
	async adopt(note: BrowserNote): Promise<boolean> {
		const at = note.at ?? (await browserIn(note.profile));
		if (at === undefined || !isAlive(at.pid)) {
			await this.#clear(note);
			return false;
		}
		let browser: Browser;
		try {
			browser = await reachBrowser(at.endpoint, this.#options.adoptWait ?? ADOPT_WAIT);
		} catch (error) {
			// Where nobody is at an address that only that browser can have, the process is another one, which is left alone.
			if (error instanceof NoAnswerError) await this.#endLeft(note, at, error);
			else await this.#clear(note);
			return false;
		}
		this.#watch(browser, at, note.profile);
		try {
			const origin = new URL(this.#options.url).origin;
			const pages = await whileOpen(browser, () => browser.pages());
			const page = pages.find((open) => open.url().startsWith(origin));
			if (page === undefined) await this.#open();
			else this.#follow(page);
			await this.note();
			return page !== undefined;
		} catch (error) {
			// It ended meanwhile, and another is on its way.
			if (this.#replaces) return false;
			// Its tab crashed.
			this.#browser = undefined;
			this.#page = undefined;
			await browser.disconnect();
			await this.#endLeft(note, at, error);
			return false;
		}
	}

	/** A browser that is known by its address and is of no use. */
	async #endLeft(note: BrowserNote, { pid }: BrowserAt, error: unknown): Promise<void> {
		const why = messageOf(error);
		this.#options.say(`The browser of the last run does not answer; it is ended. ${why}`);
		killGroup(pid);
		await this.#clear(note);
	}

	async #clear(note: BrowserNote): Promise<void> {
		await this.#options.notes.remove();
		await removeProfile(note.profile);
	}

	/** Starts the browser and opens the page. Rejects when the browser does not start; one whose tab dies meanwhile is replaced. */
	async start(): Promise<void> {
		// One that was taken back has ended meanwhile.
		if (this.#replaces) return;
		const started = this.#launch();
		// The caller gets a failure; repairs only wait for the end of it.
		this.#work = Promise.allSettled([started]).then(() => {});
		try {
			await started;
		} catch (error) {
			const starts = this.#launched || error instanceof KilledError;
			if (!starts || this.#stopping)
				throw new Error(`The headless browser could not be started. ${messageOf(error)}`, { cause: error });
			this.#repair(`The page could not be opened (${firstLine(error)})`, 'relaunch');
		}
	}

	/** Whether there is a browser, or one is being started. */
	get running(): boolean {
		return this.#browser !== undefined || this.#replaces;
	}

	/** Another browser, or the page anew, is on its way. */
	get #replaces(): boolean {
		return this.#planned !== undefined || this.#mending;
	}

	/** Its page holds the world, and answers calls. */
	holds(): void {
		this.#restarts.holds();
		this.#missed = false;
	}

	/** The page answers no more. Its whole browser is replaced: in the old one the page still keeps the world's place. */
	replaceHungPage(): void {
		this.#repair('The tab hangs', 'relaunch');
	}

	/** Ends the browser and removes its profile, and the note of it. */
	async stop(): Promise<void> {
		this.#stopping = true;
		clearTimeout(this.#again);
		clearTimeout(this.#expected);
		this.#wake();
		await this.#end();
		// One that was just being started ends itself as soon as it is there.
		await withTimeout(CLOSE_WAIT, this.#work);
		await this.#end();
		await this.#options.notes.remove();
	}

	async #launch(): Promise<void> {
		const profile = await mkdtemp(join(tmpdir(), 'orrery-browser-'));
		this.#profile = profile;
		this.#missed = false;
		// A relay that finds this note finds the browser by its folder.
		await this.note();
		const { browser, at } = await startBrowser(this.#options.program, profile, async (started) => {
			this.#launched = true;
			this.#at = started;
			await this.note();
		});
		this.#watch(browser, at, profile);
		if (this.#stopping) return this.#end();
		await this.#open();
	}

	/**
	 * Writes down which browser this is, and which world there is: who finds the note but no browser knows what was lost.
	 * Without it everything works but finding them again after a crash.
	 */
	async note(): Promise<void> {
		const [at, profile] = [this.#at, this.#profile];
		if (profile === undefined || this.#stopping) return;
		const { notes, key, world, say } = this.#options;
		clearTimeout(this.#again);
		try {
			await notes.write({
				relay: process.pid,
				...(at === undefined ? {} : { at }),
				profile,
				key,
				world: world(),
			});
			this.#unnoted = false;
		} catch (error) {
			if (!this.#unnoted) say(`The browser could not be noted in the data folder: ${messageOf(error)}`);
			this.#unnoted = true;
			this.#again = setTimeout(() => void this.note(), NOTE_AGAIN).unref();
		}
	}

	#watch(browser: Browser, at: BrowserAt, profile: string): void {
		this.#browser = browser;
		this.#at = at;
		this.#profile = profile;
		browser.on('disconnected', () => {
			if (this.#browser !== browser || this.#stopping) return;
			this.#options.onDead('Its headless browser ended.');
			this.#repair('The browser ended', 'relaunch');
		});
	}

	async #open(): Promise<void> {
		const browser = this.#browser;
		if (browser === undefined) return;
		await whileOpen(browser, async () => {
			const [blank] = this.#page === undefined ? await browser.pages() : [];
			const page = blank ?? (await browser.newPage());
			this.#follow(page);
			await page.goto(this.#options.url, { waitUntil: 'domcontentloaded' });
		});
	}

	#follow(page: Page): void {
		this.#page = page;
		this.#expect(page);
		page.on('error', () => {
			if (this.#page !== page) return;
			this.#options.onDead('Its headless tab crashed.');
			this.#repair('The tab crashed', 'reload');
		});
		page.on('pageerror', (error) => {
			this.#options.say(`The page reports: ${error instanceof Error ? error.message : String(error)}`);
		});
	}

	#expect(page: Page): void {
		clearTimeout(this.#expected);
		// A slow machine gets more time with every try.
		const wait = Math.min(
			LONGEST_PAGE_WAIT,
			(this.#options.pageWait ?? PAGE_WAIT) * (1 + this.#restarts.count),
		);
		this.#expected = setTimeout(() => {
			if (this.#page !== page || this.#options.here()) return;
			// Where not even the second one comes, it is the browser that cannot.
			this.#repair('The page did not come to the server', this.#missed ? 'relaunch' : 'reload');
			this.#missed = true;
		}, wait).unref();
	}

	/** Has the page loaded again, or another browser started: at once for the first times, and then after a wait that grows. */
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
			const why = `${sentence}, again and again.`;
			this.#options.say(`${why} The next try comes in ${wait / 1000} s.`);
			this.#options.onTrouble(why, Date.now() + wait);
		}
		this.#work = this.#work
			.then(() => this.#mend(wait))
			.catch((error: unknown) => {
				if (this.#stopping) return;
				// A browser in which not even a page opens is of no use.
				this.#repair(`The browser could not be started (${firstLine(error)})`, 'relaunch');
			})
			.finally(() => {
				this.#mending = false;
			});
	}

	async #mend(wait: number): Promise<void> {
		// What hangs may be the browser itself, so it is not asked to close; nor does it go on while another is waited for.
		if (this.#planned === 'relaunch') await this.#kill();
		if (wait > 0 && !this.#stopping) {
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, wait);
				this.#wake = () => {
					clearTimeout(timer);
					resolve();
				};
			});
		}
		const repair = this.#planned;
		this.#planned = undefined;
		this.#mending = true;
		if (this.#stopping) return;
		const [browser, page] = [this.#browser, this.#page];
		if (repair === 'reload' && browser !== undefined && page !== undefined) {
			this.#expect(page);
			await whileOpen(browser, () => page.goto(this.#options.url, { waitUntil: 'domcontentloaded' }));
			return;
		}
		await this.#kill();
		await this.#launch();
	}

	async #kill(): Promise<void> {
		if (this.#at !== undefined) killGroup(this.#at.pid);
		await this.#end();
	}

	/** Closes the browser; one that does not close in time is killed, with its children. */
	async #end(): Promise<void> {
		const browser = this.#browser;
		const profile = this.#profile;
		const at = this.#at;
		this.#at = undefined;
		this.#browser = undefined;
		this.#page = undefined;
		this.#profile = undefined;
		if (browser?.connected === true) await withTimeout(CLOSE_WAIT, browser.close());
		// A hung tab's process can outlive the rest, and one that is just starting cannot be asked.
		if (at !== undefined) killGroup(at.pid);
		if (profile !== undefined) await removeProfile(profile);
	}
}

/** Puppeteer adds advice for its own users below. */
function firstLine(error: unknown): string {
	return messageOf(error).split('\n', 1)[0]!.trim();
}

/** A socket to a browser that has just ended fails with an event, which is no Error. */
function messageOf(error: unknown): string {
	const { message } = (error ?? {}) as { readonly message?: unknown };
	return typeof message === 'string' && message !== '' ? message : String(error);
}

/** A browser on its way out may still write for a moment. */
function removeProfile(profile: string): Promise<void> {
	return rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** True when it is done within so many milliseconds; a failure counts as done. */
async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
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
