/**
 * Benchmark of the page: the first picture, the reaction to a key, screenshots, and drawing beside calls.
 * Owns: these measurements, with a normally started Orrery and browsers without a cache.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer';
import { type Lab, openLabIn } from '../behaviour/browser/lab.ts';
import { startOrrery } from '../behaviour/browser/start.ts';
import { launchBrowser } from '../support/browser.ts';
import { servePage } from '../web/render/serve-page.ts';
import { median, type Result, ratioResult, timeResult } from './measure.ts';

const STARTS = 3;
const PRESSES = 30;
const ROUNDS = 40;
const PICTURES_MS = 4000;
const THINGS = 400;

export async function benchPage(): Promise<Result[]> {
	return [...(await firstPictures()), await screenshots(), await besideCalls()];
}

const arena = () => readFile(join(import.meta.dirname, '../../public/scenes/arena.json'), 'utf8');

/** Measures the first picture of a browser without a cache, and the time from a key to its effect in the page. */
async function firstPictures(): Promise<Result[]> {
	const orrery = await startOrrery(['--headless']);
	try {
		const post = async (path: string, body: string): Promise<void> => {
			const headers = { 'content-type': 'application/json' };
			const { status } = await fetch(`${orrery.url}${path}`, { method: 'POST', headers, body });
			if (status !== 200) throw new Error(`${path} answered ${status}.`);
		};
		await post('/scenario', await arena());
		await post('/play', '{}');
		const pictures: number[] = [];
		let keys: number[] = [];
		for (let start = 0; start < STARTS; start++) {
			const browser = await launchBrowser();
			try {
				const page = await browser.newPage();
				await page.goto(`${orrery.url}/#make`, { waitUntil: 'domcontentloaded' });
				pictures.push(await firstPicture(page));
				if (start === STARTS - 1) keys = await keyTimes(page);
			} finally {
				await browser.close();
			}
		}
		return [
			timeResult('page', 'first picture of the arena, nothing cached', median(pictures), 3000),
			timeResult('page', 'from a key to what it does in the page, beside drawing', median(keys), 100),
		];
	} finally {
		await orrery.stop();
	}
}

/** Returns the time from the navigation to the first picture (ms). */
const firstPicture = (page: Page): Promise<number> =>
	page
		.waitForFunction(
			() => {
				const picture = document.querySelector('canvas.picture');
				return picture !== null &&
					getComputedStyle(picture).visibility === 'visible' &&
					document.querySelector('.waiting-ring') === null
					? performance.now()
					: null;
			},
			{ polling: 'raf' },
		)
		.then(async (found) => (await found.jsonValue()) as number);

/** Returns the times from a key press until the list of keys is drawn open or closed, while the world plays (ms). */
async function keyTimes(page: Page): Promise<number[]> {
	const times: number[] = [];
	for (let press = 0; press < PRESSES; press++) {
		const answered = await page.evaluateHandle(() => {
			const isOpen = () => document.querySelector('dialog[open]') !== null;
			const before = isOpen();
			const answer = new Promise<number>((done) => {
				let pressed = 0;
				const hear = ({ timeStamp }: Event) => {
					pressed = timeStamp;
				};
				addEventListener('keydown', hear, { capture: true, once: true });
				const observer = new MutationObserver(() => {
					if (isOpen() === before) return;
					observer.disconnect();
					requestAnimationFrame((drawn) => done(drawn - pressed));
				});
				observer.observe(document, { childList: true, subtree: true, attributes: true });
			});
			// Wrapped in an object, because a bare promise would be awaited.
			return { answer };
		});
		await page.keyboard.press(press % 2 === 0 ? '?' : 'Escape');
		times.push(await answered.evaluate(({ answer }) => answer));
	}
	return times;
}

/** Measures a screenshot of 1280 x 720, and the part of it after the drawing. */
async function screenshots(): Promise<Result> {
	const served = await servePage();
	const browser = await launchBrowser();
	try {
		const page = await browser.newPage();
		await page.goto(`${served.url}bench.html`);
		await page.waitForFunction(() => 'screenshots' in window);
		const { whole_ms, drawn_ms } = await page.evaluate((rounds) => window.screenshots(rounds), ROUNDS);
		const beyond = whole_ms - drawn_ms;
		return {
			...ratioResult('page', 'a screenshot of 1280 x 720', whole_ms, 'drawing it', drawn_ms),
			aim: 'at most 15 ms beyond drawing',
			met: beyond <= 15,
			note: `${beyond.toFixed(1)} ms beyond`,
		};
	} finally {
		await browser.close();
		await served.close();
	}
}

/** Measures the work of a picture while calls come as fast as they are answered, against a world without calls. */
async function besideCalls(): Promise<Result> {
	const served = await servePage();
	const lab = await openLabIn(await launchBrowser({ width: 160, height: 90 }), served.url);
	try {
		const requests = Array.from({ length: THINGS }, (_, i) => ({
			path: '/spawn',
			body: { mesh: 'cube', position: [(i % 20) - 10, 0, Math.floor(i / 20) - 10], velocity: [0.01, 0, 0] },
		}));
		await lab.must('POST', '/batch', { requests });
		await lab.must('POST', '/play', {});
		const quiet: number[] = [];
		const called: number[] = [];
		for (let round = 0; round < 6; round++) {
			quiet.push(await pictureTime(lab, false));
			called.push(await pictureTime(lab, true));
		}
		return ratioResult(
			'page',
			'a picture beside calls without end',
			median(called),
			'no calls',
			median(quiet),
			1.2,
		);
	} finally {
		await lab.close();
		await served.close();
	}
}

/** Returns the mean work for one live picture (ms), beside continuous calls if `busy`. */
function pictureTime({ page }: Lab, busy: boolean): Promise<number> {
	return page.evaluate(
		async (ms, calls) => {
			const from = window.lab.events.length;
			const end = performance.now() + ms;
			while (performance.now() < end) {
				if (calls) await window.lab.call('GET', '/digest');
				await new Promise((rest) => setTimeout(rest, calls ? 0 : 100));
			}
			let [pictures, work] = [0, 0];
			for (const event of window.lab.events.slice(from)) {
				if (event.type !== 'drawn') continue;
				pictures += event.pictures;
				work += event.pictures * event.submit_ms;
			}
			return work / pictures;
		},
		PICTURES_MS,
		busy,
	);
}
