/**
 * Tabs of two browser profiles that claim the world from each other and from the server's browser.
 * Owns: these browsers, the order of moves, and stopping (SIGSTOP) and continuing the tabs of the owner.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer';
import { launchBrowser } from '../support/browser.ts';
import { renderersOf } from './memory.ts';
import type { Random } from './random.ts';
import type { SoakTally } from './tally.ts';

const BUTTON = 'Move the world here';
/** One move in N stops the tabs of the owner first. */
const STOP_EVERY = 4;
/** Maximum wait (ms). A stopped owner counts as gone after 30 s, and the next owner reads the journal. */
const MAX_WAIT = 120_000;
/** Options of waiting. They use an interval, because a hidden tab draws no frames. */
const WAIT_OPTIONS = { timeout: MAX_WAIT, polling: 100 };

interface Profile {
	readonly browser: Browser;
	readonly pages: readonly Page[];
}

export class Contest {
	readonly #url: string;
	readonly #profiles: readonly Profile[];
	readonly #tally: SoakTally;
	moves = 0;
	stops = 0;

	private constructor(url: string, profiles: readonly Profile[], tally: SoakTally) {
		this.#url = url;
		this.#profiles = profiles;
		this.#tally = tally;
	}

	/** Opens two tabs in one profile and one in another. All of them visit the world. */
	static async open(url: string, tally: SoakTally): Promise<Contest> {
		const profiles = [await openProfile(url, 2), await openProfile(url, 1)];
		return new Contest(url, profiles, tally);
	}

	/** Moves the world between tabs until `isOngoing` returns false, at least once from a stopped owner. */
	async run(isOngoing: () => boolean, random: Random): Promise<void> {
		for (let i = 1; isOngoing() || this.stops === 0; i++) {
			try {
				const owner = await this.#waitForOwner();
				if (i % STOP_EVERY === 0 && owner !== undefined) await this.#moveFromStopped(owner);
				else {
					const { pages } = this.#profiles[random.below(2)]!;
					await this.#move(pages[random.below(pages.length)]!);
				}
			} catch (error) {
				const texts = this.#profiles.flatMap(({ pages }) => pages.map((page) => page.evaluate(textOf)));
				const text = (await Promise.all(texts)).join(' | ');
				this.#tally.errors.push(`Move ${i} of the contest: ${String(error)} The tabs show: ${text}`);
				return;
			}
		}
	}

	async close(): Promise<void> {
		await Promise.all(this.#profiles.map(({ browser }) => browser.close()));
	}

	/**
	 * Waits for the end of a handover. Returns the profile of the tab that owns the world; undefined for the server's
	 * browser.
	 */
	async #waitForOwner(): Promise<Profile | undefined> {
		for (
			const end = performance.now() + MAX_WAIT;
			performance.now() < end;
			await wait(WAIT_OPTIONS.polling)
		) {
			const owners: Profile[] = [];
			for (const profile of this.#profiles)
				for (const page of profile.pages) if (!(await isVisitor(page))) owners.push(profile);
			if (owners.length < 2 && (await fetch(this.#url)).ok) return owners[0];
		}
		throw new Error('Two tabs still report that they own the world.');
	}

	/** Moves the world to a tab. Returns false if that failed, for example because the owner still loads it. */
	async #move(page: Page): Promise<boolean> {
		// A page without the button owns the world already.
		if (!(await clickMove(page))) return true;
		await page.waitForFunction(
			(button) => {
				const text = document.body.textContent;
				return !text.includes(button) || text.includes('The world was not moved');
			},
			WAIT_OPTIONS,
			BUTTON,
		);
		if (await isVisitor(page)) return false;
		this.moves++;
		return true;
	}

	/** Stops the tabs of the owner, moves the world, and continues them. Rejects unless they become visitors. */
	async #moveFromStopped(owner: Profile): Promise<void> {
		const stopped = renderersOf(owner.browser.process()!.pid!);
		for (const pid of stopped) process.kill(pid, 'SIGSTOP');
		try {
			const [page] = this.#profiles.find((profile) => profile !== owner)!.pages;
			while (!(await this.#move(page!)));
		} finally {
			for (const pid of stopped) process.kill(pid, 'SIGCONT');
		}
		for (const page of owner.pages)
			await page.waitForFunction(
				(button) => document.body.textContent.includes(button),
				WAIT_OPTIONS,
				BUTTON,
			);
		this.stops++;
	}
}

async function openProfile(url: string, tabs: number): Promise<Profile> {
	const browser = await launchBrowser({ width: 480, height: 320, graphics: 'none' });
	const pages: Page[] = [];
	for (let i = 0; i < tabs; i++) {
		const page = await browser.newPage();
		await page.goto(url);
		await page.waitForFunction((button) => document.body.textContent.includes(button), WAIT_OPTIONS, BUTTON);
		pages.push(page);
	}
	return { browser, pages };
}

const textOf = (): string => document.body.textContent.replaceAll(/\s+/g, ' ').slice(0, 300);

async function isVisitor(page: Page): Promise<boolean> {
	try {
		return await page.evaluate((button) => document.body.textContent.includes(button), BUTTON);
	} catch (error) {
		// A tab that lost the world reloads.
		if (String(error).includes('context was destroyed')) return true;
		throw error;
	}
}

/** Clicks the button of a page. Returns false if the page has none. */
const clickMove = (page: Page): Promise<boolean> =>
	page.evaluate((name) => {
		const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
			textContent.includes(name),
		);
		button?.click();
		return button !== undefined;
	}, BUTTON);
