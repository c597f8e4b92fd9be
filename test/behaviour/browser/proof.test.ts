/**
 * The pages beside the world. `/proof` replays a game in the browser, and reports a different result. (`npm run portable`
 * runs all games in all browsers.) `/guide` can be searched, and works without its server.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HTTPRequest, Page } from 'puppeteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE } from '../../../relay/folders.ts';
import { type Relay, startRelay } from '../../../relay/server.ts';
import { builtPage } from '../../../relay/static-page.ts';
import { openTabs, type Tabs } from './tabs.ts';

let folder: string;
let relay: Relay;
let tabs: Tabs;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-proof-'));
	relay = await startRelay({ port: 0, data: folder, page: await builtPage(PAGE) });
	tabs = await openTabs();
});

afterAll(async () => {
	await tabs.close();
	await relay.close();
	await rm(folder, { recursive: true, force: true });
});

/** Opens `/proof`, and waits for its verdict. `answerScene` answers the requests for scenes. */
async function open(answerScene: (name: string, request: HTTPRequest) => void): Promise<Page> {
	const page = await tabs.newPage();
	await page.setRequestInterception(true);
	page.on('request', (request) => {
		const scene = /\/scenes\/(\w+)\.json$/.exec(request.url())?.[1];
		if (scene === undefined) void request.continue();
		else answerScene(scene, request);
	});
	await page.goto(`${relay.url}/proof`);
	await page.waitForFunction(() => document.documentElement.dataset.verdict !== 'running');
	return page;
}

const gameIn = (page: Page, name: string) =>
	page.$eval(`[data-game=${name}]`, (row) => ({
		verdict: (row as HTMLElement).dataset.verdict,
		why: (row as HTMLElement).dataset.why,
		text: row.textContent ?? '',
	}));

const missing = (request: HTTPRequest) => void request.respond({ status: 404, body: '' });

test('a replayed game is equal; games that cannot be replayed are reported and do not pass', async () => {
	const page = await open((name, request) =>
		name === 'dungeon' ? void request.continue() : missing(request),
	);
	const dungeon = await gameIn(page, 'dungeon');
	expect(dungeon).toMatchObject({ verdict: 'equal', why: '' });
	expect(dungeon.text).toContain('Equal');
	const signatures = await page.$$eval('[data-game=dungeon] code', (codes) =>
		codes.map((code) => code.textContent),
	);
	expect(signatures[0]).toMatch(/^([0-9a-f]{4} ?){4}$/);
	expect(signatures[1]).toBe(signatures[0]);
	const arena = await gameIn(page, 'arena');
	expect(arena).toMatchObject({ verdict: 'failed', why: 'This server has no scene arena.' });
	expect(await page.$eval('.sum', (sum) => sum.textContent)).toContain('1 of 5 games are equal here');
	expect(await page.$eval('.where', (where) => where.textContent)).toMatch(/^Chromium \d+ on Linux/);
});

test('a game with another result reports its first difference', async () => {
	const page = await open((name, request) => {
		if (name !== 'dungeon') return missing(request);
		void fetch(request.url())
			.then((answer) => answer.json())
			.then(({ entities, ...scene }: { entities: object[] }) =>
				request.respond({
					contentType: 'application/json',
					body: JSON.stringify({ ...scene, entities: [...entities, { position: [500, 0, 500] }] }),
				}),
			);
	});
	const { verdict, why } = await gameIn(page, 'dungeon');
	expect(verdict).toBe('different');
	expect(why).toMatch(/^Tick \d+ gave [0-9a-f]{16}, expected [0-9a-f]{16}\.$/);
});

test('the proof page and the API reference have their own security policy, and load without a world', async () => {
	for (const path of ['/proof', '/docs'].flatMap((page) => [page, `${page}/`, `${page}/index.html`])) {
		const answer = await fetch(relay.url + path);
		expect(answer.status).toBe(200);
		expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
		expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
		expect(await answer.text()).not.toContain('orrery-relay');
	}
});

test('the guide can be searched and paged through, fits a phone, and works without its server', async () => {
	const own = await startRelay({ port: 0, data: join(folder, 'guide'), page: await builtPage(PAGE) });
	const page = await tabs.newPage();
	const faults: string[] = [];
	page.on('pageerror', (error) => faults.push(String(error)));
	page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
	const title = () => page.$eval('h1', (heading) => heading.textContent);
	try {
		await page.goto(`${own.url}/guide`);
		expect([page.url(), await title()]).toEqual([`${own.url}/guide/`, 'Orrery guide']);
		await Promise.all([page.waitForNavigation(), page.click('.turn .next')]);
		expect([page.url(), await title()]).toEqual([`${own.url}/guide/first-world.html`, 'A first world']);

		await page.keyboard.press('/');
		await page.keyboard.type('stale handle');
		await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
		expect(page.url()).toBe(`${own.url}/guide/reference-errors.html#stale_handle`);

		await page.setViewport({ width: 400, height: 720 });
		for (const name of ['index', 'first-world', 'limits', 'routes-gameplay', 'reference-types']) {
			await page.goto(`${own.url}/guide/${name}`);
			expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(400);
		}
		await page.click('.menu');
		await page.waitForSelector('.contents:popover-open');

		await page.waitForFunction(async () => (await caches.match('offline.json')) !== undefined);
		expect(faults).toEqual([]);
		await own.close();
		for (const address of ['guide', 'guide/forks', 'guide/arena.html']) {
			await page.goto(`${own.url}/${address}`);
			expect(await title(), address).toMatch(/^(Orrery guide|Forks|Arena)$/);
		}
		await expect
			.poll(() => page.$eval('article img', (picture) => (picture as HTMLImageElement).naturalWidth))
			.toBeGreaterThan(100);
		await page.keyboard.press('/');
		await page.keyboard.type('digest');
		await page.waitForSelector('[role=option]');
	} finally {
		await page.close();
		await own.close();
	}
});
