/**
 * Plays the games in browsers: each opens the built page `/proof` on a plain file server, and returns its results.
 * Owns: starting the browsers. Never: installs one.
 */

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import puppeteer, { type Browser } from 'puppeteer';
import send from 'send';
import { ensureBuilt } from '../../relay/build.ts';
import { PAGE } from '../../relay/folders.ts';
import { browserPath, launchBrowser } from '../support/browser.ts';
import { type GameResult, MissingRuntime, type Runtime } from './place.ts';

/** Timeout of all games in a browser on a slow machine. */
const LONGEST_MS = 900_000;

const FIREFOXES = [
	'/usr/bin/firefox-esr',
	'/usr/bin/firefox',
	'/Applications/Firefox.app/Contents/MacOS/firefox',
];

export function chromium(): Runtime {
	return {
		name: 'Chromium',
		async play() {
			if (browserPath() === undefined && !existsSync(await puppeteer.executablePath()))
				throw new MissingRuntime('no Chrome or Chromium here', ['chromium']);
			return playIn(await launchBrowser({ graphics: 'none' }));
		},
	};
}

export function firefox(): Runtime {
	return {
		name: 'Firefox',
		async play() {
			const configuredPath = process.env.FIREFOX_PATH;
			const executablePath = configuredPath || FIREFOXES.find((path) => existsSync(path));
			if (executablePath === undefined) throw new MissingRuntime('no firefox-esr here', ['firefox-esr']);
			return playIn(await startFirefox(executablePath));
		},
	};
}

async function startFirefox(executablePath: string): Promise<Browser> {
	try {
		return await puppeteer.launch({ browser: 'firefox', headless: true, executablePath });
	} catch (error) {
		throw new MissingRuntime(`Firefox does not start here (${(error as Error).message})`);
	}
}

async function playIn(browser: Browser): ReturnType<Runtime['play']> {
	await ensureBuilt();
	const site = createServer(
		(request, response) => void send(request, request.url!, { root: PAGE }).pipe(response),
	);
	await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
	try {
		const page = await browser.newPage();
		await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/proof/`);
		await page.waitForFunction(
			() => !['', 'running'].includes(document.documentElement.dataset.verdict ?? ''),
			{
				timeout: LONGEST_MS,
				polling: 500,
			},
		);
		const results = await page.$$eval('[data-game]', (rows) =>
			rows.map((row) => {
				const { game, verdict, tick, digest, why, ms } = (row as HTMLElement).dataset;
				return {
					name: game!,
					verdict: verdict!,
					tick: Number(tick),
					digest: digest!,
					why: why!,
					ms: Number(ms),
				};
			}),
		);
		return { as: `${await browser.version()} on ${process.arch}`, results: results satisfies GameResult[] };
	} finally {
		site.close();
		await browser.close();
	}
}
