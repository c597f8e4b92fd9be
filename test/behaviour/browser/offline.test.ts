/** The built page without a relay: starting a game, the files that it loads, and working without the server. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { clickOn } from '../../support/click.ts';
import { call, ready, type Site, serveSite } from './plain-site.ts';
import { openTabs, type Tabs } from './tabs.ts';

let site: Site;
let tabs: Tabs;

beforeAll(async () => {
	site = await serveSite();
	// A small window, because the CPU draws.
	tabs = await openTabs(480, 270);
});

afterAll(async () => {
	await tabs?.close();
	await site?.stop();
});

test('a game opened from Start below a path loads its files then, and still works without the server', async () => {
	const page = await tabs.newPage();
	const first: Promise<number>[] = [];
	const names: string[] = [];
	page.on('response', (response) => {
		names.push(response.url());
		first.push(
			response.buffer().then(
				({ length }) => length,
				() => 0,
			),
		);
	});
	await page.goto(site.url);
	await ready(page);
	const play = await page.waitForSelector('button[aria-label^="Play "]:enabled');
	await page.waitForNetworkIdle();
	const before = names.length;
	expect((await Promise.all(first.slice(0, before))).reduce((sum, bytes) => sum + bytes)).toBeLessThan(
		2_000_000,
	);
	expect(names.join()).not.toMatch(/rapier|glue|\/worker-/);
	await play!.click();
	await expect.poll(async () => (await call(page, 'GET', '/')).body.entity_count).toBeGreaterThan(20);
	await expect.poll(() => names.slice(before).join()).toMatch(/\/worker-/);

	// Another game: a plate with its name covers the picture until the picture shows the new world.
	await page.waitForFunction(
		() => location.hash === '#play' && document.querySelector('.view-play .waiting-ring') === null,
	);
	await call(page, 'POST', '/pause', {});
	await page.evaluate(() => {
		const visited = new Set<string>();
		Object.assign(window, { seen: visited });
		new MutationObserver(() => {
			const plate = document.querySelector('.arrival')?.textContent;
			if (plate) visited.add(plate);
		}).observe(document.body, { childList: true, subtree: true });
		location.hash = 'start';
	});
	await clickOn(page, 'button[aria-label="Play Market"]');
	await page.waitForSelector('.score ::-p-text(first to 200 gold)');
	await page.waitForFunction(() => document.querySelector('.arrival') === null);
	await call(page, 'POST', '/pause', {});
	expect(await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])).toEqual([
		'Market',
	]);
	expect((await call(page, 'GET', '/fork/list')).body).toMatchObject({ forks: [] });
	await page.evaluate(() => {
		location.hash = 'forks';
	});
	await page.waitForSelector('.world-pane img');

	// The first picture starts caching the page. After that, the server ends.
	await page.waitForFunction(async () => (await caches.match('offline.json')) !== undefined);
	const { body } = await call(page, 'GET', '/digest');
	await site.stop();
	await page.reload();
	await ready(page);
	await expect.poll(async () => (await call(page, 'GET', '/digest')).body).toEqual(body);
	expect(await call(page, 'POST', '/step', { ticks: 30 })).toMatchObject({ status: 200 });
	await page.evaluate(() => {
		location.hash = 'make';
	});
	await page.waitForSelector('canvas.picture');
	await page.waitForFunction(() => document.querySelector('.stage .waiting-ring') === null);
	const cdp = await page.createCDPSession();
	const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
	expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
	await site.startAgain();

	await page.goto(`${site.url}proof/`);
	await page.waitForSelector('h1');
	await page.goto(`${site.url}docs/`);
	await page.waitForSelector('::-p-text(No world answers here)');
	expect(site.strayed.filter((path) => path !== '/favicon.ico')).toEqual([]);
});
