/**
 * The built page on a plain file server, without a relay: the tabs of one browser share one world.
 */

import type { Browser, Page } from 'puppeteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, newTab } from '../../support/browser.ts';
import { clickOn } from '../../support/click.ts';
import { call, ready, type Site, serveSite } from './plain-site.ts';
import { moveHere } from './tabs.ts';

/** A heap of spheres, whose steps take time. */
const SPHERES = Array.from({ length: 150 }, (_, i) => ({
	method: 'POST',
	path: '/spawn',
	body: {
		position: [i % 5, 1 + Math.floor(i / 25), Math.floor(i / 5) % 5],
		physics_body: 'Dynamic',
		collider: { shape: 'Sphere', radius: 0.5 },
	},
}));

let site: Site;
let browser: Browser;
let url: string;

beforeAll(async () => {
	site = await serveSite();
	url = site.url;
	browser = await launchBrowser({ width: 800, height: 500 });
});

afterAll(async () => {
	await browser?.close();
	await site?.stop();
});

test('tabs without a relay: one owns the world, others visit; a takeover brings the whole world, an end is reported', async () => {
	const owner = await open();
	await call(owner, 'POST', '/batch', { requests: SPHERES });
	await call(owner, 'POST', '/snapshot', { label: 'kept' });
	await call(owner, 'POST', '/fork', { fork_id: 'plan' });
	await call(owner, 'POST', '/fork/plan/step', { ticks: 5 });
	const { world } = await call(owner, 'GET', '/');

	const visitor = await open();
	await visitor.waitForFunction(() =>
		document.querySelector('.visit-note')?.textContent.includes('Another tab runs this world'),
	);
	expect(await call(visitor, 'GET', '/')).toMatchObject({ world, body: { tick: 0, entity_count: 150 } });
	await visitor.waitForSelector('::-p-text(To start afresh, use the tab that runs this world)');
	expect(await visitor.$('button::-p-text(Start afresh)')).toBeNull();

	// The owner finishes its current call before it releases the world.
	const step = call(visitor, 'POST', '/step', { ticks: 500 });
	await takeWorld(visitor);
	const stepped = await step;
	expect(stepped).toMatchObject({ status: 200, world, body: { tick: 500 } });
	await owner.waitForSelector('.visit-note');
	expect(await visitor.$('.visit-note')).toBeNull();
	const { body } = await call(owner, 'GET', '/');
	expect(body).toMatchObject({ tick: 500, state_digest: stepped.body.state_digest, entity_count: 150 });
	expect((await call(visitor, 'GET', '/fork/list')).body).toMatchObject({ forks: ['plan'] });
	expect((await call(visitor, 'GET', '/snapshot/list')).body).toMatchObject({
		snapshots: [{ label: 'kept', tick: 0 }],
	});

	// The remaining tab resumes the same world from this browser's journal.
	const stored = await call(visitor, 'GET', '/');
	await visitor.close({ runBeforeUnload: true });
	await waitUntilOwned(owner);
	const after = await call(owner, 'GET', '/');
	expect(after).toMatchObject({ world, body: { tick: 500, state_digest: stored.body.state_digest } });
	expect(after.body).not.toHaveProperty('last_world.world');
	expect((await call(owner, 'GET', '/fork/list')).body).toMatchObject({ forks: ['plan'] });
	await forget(owner);
	await owner.close();
});

test('a world without a relay survives a reload and a killed tab, and ends when a person ends it', async () => {
	let page = await open();
	await call(page, 'POST', '/spawn', {
		position: [0, 9, 0],
		physics_body: 'Dynamic',
		collider: { shape: 'Sphere', radius: 1 },
	});
	await call(page, 'POST', '/snapshot', { label: 'kept' });
	await call(page, 'POST', '/fork', { fork_id: 'plan' });
	await call(page, 'POST', '/fork/plan/step', { ticks: 7 });
	const { world, body } = await call(page, 'POST', '/step', { ticks: 30 });
	const digests = async () => {
		const main = await call(page, 'GET', '/digest');
		const plan = await call(page, 'GET', '/digest?world=plan');
		return [main.world, main.body.state_digest, plan.body.state_digest];
	};
	const before = await digests();
	expect(before.slice(0, 2)).toEqual([world, body.state_digest]);

	await page.reload();
	await ready(page);
	expect(await digests()).toEqual(before);
	expect((await call(page, 'GET', '/snapshot/list')).body).toMatchObject({ snapshots: [{ label: 'kept' }] });
	await page.waitForSelector('button::-p-text(Continue main, tick 30)');
	// Later changes are stored too.
	await call(page, 'POST', '/step', { ticks: 3 });
	const later = await digests();

	const crashed = new Promise((resolve) => page.once('error', resolve));
	// This command gets no answer, because the page is gone.
	void (await page.createCDPSession()).send('Page.crash').catch(() => {});
	await crashed;
	await page.close();
	page = await open();
	expect(await digests()).toEqual(later);
	expect((await call(page, 'GET', '/history')).status).toBe(200);

	await forget(page);
	const afresh = await call(page, 'GET', '/');
	expect(afresh.body).toMatchObject({ tick: 0, entity_count: 0 });
	expect(afresh.world).not.toBe(world);
	await page.close();
});

test('a changed journal stops the page with a clear error, until a person decides', async () => {
	const page = await open();
	await call(page, 'POST', '/spawn', { position: [0, 9, 0] });
	await call(page, 'POST', '/step', { ticks: 3 });
	await page.goto(`${url}third-party-notices.txt`);
	const damaged = () =>
		page.evaluate(async () => {
			const root = await navigator.storage.getDirectory();
			const handle = await (await root.getDirectoryHandle('journal')).getFileHandle('entries-0');
			const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
			const isDamaged = bytes[60] === 255;
			bytes[60] = 255;
			const stream = await handle.createWritable();
			await stream.write(bytes);
			await stream.close();
			return isDamaged;
		});
	expect(await damaged()).toBe(false);
	await page.goto(url);
	await page.waitForSelector('::-p-text("entries-0" is damaged)');
	expect(await damaged()).toBe(true);

	// A visiting tab gets an answer immediately.
	const visitor = await open();
	await visitor.waitForSelector('.visit-note');
	expect(await visitor.evaluate(async () => (await fetch('./digest')).status)).toBe(404);
	await moveHere(visitor);
	await visitor.waitForSelector('::-p-text(The world was not moved: "entries-0" is damaged)');
	await visitor.close();
	await forget(page);
	expect((await call(page, 'GET', '/')).body).toMatchObject({ tick: 0, entity_count: 0 });
	await page.close();
});

test('a cached tab in the background releases its world and its place in the queue', async () => {
	const owner = await open();
	const { world } = await call(owner, 'POST', '/batch', { requests: SPHERES });
	const visitor = await open();
	// A running call is refused when its engine ends, instead of waiting for ever.
	const step = { method: 'POST', path: '/step', body: { ticks: 10_000 } };
	const long = call(visitor, 'POST', '/batch', { requests: Array(100).fill(step) });
	await expect
		.poll(async () => (await call(owner, 'GET', '/calls')).body)
		.toMatchObject({ calls: [{ path: '/batch', state: 'running' }] });
	expect(await leave(owner)).toBe(true);
	expect(await long).toMatchObject({ status: 502, body: { code: 'engine_lost' } });
	await waitUntilOwned(visitor);
	expect(await call(visitor, 'POST', '/spawn', {})).toMatchObject({ status: 201, world });

	await owner.goBack();
	await owner.waitForSelector('.visit-note');
	expect(await call(owner, 'GET', '/')).toMatchObject({ world, body: { entity_count: 151 } });
	// The cached tab is in the queue again, before the third tab, until it is left.
	const third = await open();
	expect(await leave(owner)).toBe(true);
	expect(await leave(visitor)).toBe(true);
	await waitUntilOwned(third);
	expect(await call(third, 'GET', '/')).toMatchObject({ world, body: { entity_count: 151 } });
	await owner.close();
	await visitor.close();
	await forget(third);
	await third.close();
});

test('a world whose journal has no room is handed over only after it has room again', async () => {
	const owner = await open();
	await call(owner, 'POST', '/spawn', {});
	const visitor = await open();
	const cdp = await owner.createCDPSession();
	const { usage } = await cdp.send('Storage.getUsageAndQuota', { origin: new URL(url).origin });
	await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin, quotaSize: usage });
	let answer = await call(owner, 'POST', '/spawn', {});
	// As many calls as fit into one entry.
	const requests = Array.from({ length: 160 }, (_, x) => ({
		method: 'POST',
		path: '/spawn',
		body: { position: [x, 9, 0] },
	}));
	for (let tries = 0; tries < 400 && answer.status < 300; tries++)
		answer = await call(owner, 'POST', '/batch', { requests });
	expect(answer).toMatchObject({ status: 503, body: { code: 'not_kept' } });
	const { body } = await call(owner, 'GET', '/');
	await moveHere(visitor);
	await visitor.waitForSelector(
		"::-p-text(The world was not moved: This browser's storage for the page is full)",
	);
	expect(await owner.$('::-p-text(The engine stopped)')).toBeNull();

	await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin });
	await expect.poll(async () => (await call(owner, 'GET', '/journal')).body).toMatchObject({ works: true });
	await takeWorld(visitor);
	expect(await call(visitor, 'GET', '/digest')).toMatchObject({ body: { state_digest: body.state_digest } });
	await owner.close();
	await forget(visitor);
	await visitor.close();
});

test('a bare page that visited resumes the stored world, and its changes are stored', async () => {
	const owner = await open();
	const { world } = await call(owner, 'POST', '/spawn', {});
	const bare = await open('?profile=bare');
	await bare.waitForSelector('.visit-note');
	expect(await call(bare, 'GET', '/')).toMatchObject({ world });
	await owner.close();
	await waitUntilOwned(bare);
	expect(await call(bare, 'POST', '/spawn', {})).toMatchObject({ status: 201, world });
	// A bare page that takes the world over stores its changes, too.
	const next = await open('?profile=bare');
	await takeWorld(next);
	expect(await call(next, 'POST', '/spawn', {})).toMatchObject({ status: 201, world });
	await bare.close();
	const last = await open();
	await next.close();
	await waitUntilOwned(last);
	expect(await call(last, 'GET', '/')).toMatchObject({ world, body: { entity_count: 3, profile: 'full' } });
	await forget(last);
	await last.close();
});

/** Follows a link to another page. Resolves to true if the browser caches the left page. */
async function leave(page: Page): Promise<boolean> {
	await page.evaluate(() =>
		addEventListener('pagehide', ({ persisted }) => sessionStorage.setItem('kept', String(persisted))),
	);
	await page.goto(`${url}third-party-notices.txt`);
	return page.evaluate(() => sessionStorage.getItem('kept') === 'true');
}

/** Lets the page delete its world, and waits for the new one. */
async function forget(page: Page): Promise<void> {
	page.once('dialog', (dialog) => void dialog.accept());
	const gone = page.waitForNavigation();
	await clickOn(page, 'button::-p-text(Start afresh)');
	await gone;
	await ready(page);
}

async function open(query = ''): Promise<Page> {
	const page = await newTab(browser);
	await page.goto(`${url}${query}`);
	await ready(page);
	return page;
}

/** Resolves when a tab owns the world. It polls by time, because a hidden tab has no animation frames. */
async function waitUntilOwned(page: Page): Promise<void> {
	await page.waitForFunction(() => document.querySelector('.visit-note') === null, { polling: 100 });
}

/** Moves the world to a page. */
async function takeWorld(page: Page): Promise<void> {
	await moveHere(page);
	await waitUntilOwned(page);
}
