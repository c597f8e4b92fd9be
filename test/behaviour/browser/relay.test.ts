/**
 * A running Orrery in a real browser: the service worker, a hostile page, reloads, and a tab that takes the world over.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clickOn } from '../../support/click.ts';
import { withoutMemory } from '../../support/engine.ts';
import { PATIENCE } from '../../support/patience.ts';
import { type Started, startOrrery } from './start.ts';
import { moveHere, openTabs, type Tabs } from './tabs.ts';

let browser: Tabs;
let orrery: Started;
let page: Page;

beforeAll(async () => {
	browser = await openTabs(960, 640);
	orrery = await startOrrery(['--no-open'], { words: 'Open http' });
	page = await browser.newPage();
	await page.goto(orrery.url);
	await orrery.untilOutput('Orrery is ready');
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
});

afterAll(async () => {
	await orrery.stop();
	await browser.close();
});

test('the page is isolated, and its calls pass through the service worker', async () => {
	expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
	const answered = page.waitForResponse((response) => response.url().endsWith('/digest'));
	const digest = await page.evaluate(async () => (await fetch('/digest')).json());
	expect((await answered).fromServiceWorker()).toBe(true);
	expect(digest).toEqual(await (await fetch(`${orrery.url}/digest`)).json());
	const spawned = await page.evaluate(async () => {
		const headers = { 'content-type': 'application/json' };
		return (await fetch('/spawn', { method: 'POST', headers, body: '{"position":[1,2,3]}' })).status;
	});
	expect(spawned).toBe(201);
});

test('an EventSource gets events through the service worker, also of calls that come through the relay', async () => {
	const streamed = page.waitForResponse((response) => response.url().includes('/events/stream'));
	const eventReceived = page.evaluate(
		() =>
			new Promise((resolve) => {
				const source = new EventSource('/events/stream?since=0&events=signal');
				source.addEventListener('message', ({ data, lastEventId }) => {
					source.close();
					resolve({ ...JSON.parse(data as string), id: lastEventId });
				});
			}),
	);
	expect((await streamed).fromServiceWorker()).toBe(true);
	const headers = { 'content-type': 'application/json' };
	const post = (path: string, body: string) => fetch(orrery.url + path, { method: 'POST', headers, body });
	await post('/events', '{"type":"SignalEvent","name":"horn"}');
	await post('/step', '{}');
	expect(await eventReceived).toMatchObject({
		type: 'SignalEvent',
		name: 'horn',
		id: expect.stringMatching(/^\d+-\d+-\d+$/),
	});
});

test('a service worker that was stopped asks for a new port', async () => {
	const session = await page.createCDPSession();
	await session.send('ServiceWorker.enable');
	await session.send('ServiceWorker.stopAllWorkers');
	const answered = page.waitForResponse((response) => response.url().endsWith('/digest'));
	expect(await page.evaluate(async () => (await fetch('/digest')).status)).toBe(200);
	expect((await answered).fromServiceWorker()).toBe(true);
});

test('the service worker answers a navigation to a GET route, and the relay answers one to the page', async () => {
	const other = await browser.newPage();
	const answer = await other.goto(`${orrery.url}/digest`);
	expect(answer?.fromServiceWorker()).toBe(true);
	expect(await answer?.json()).toMatchObject({ ok: true });
	const home = await other.goto(`${orrery.url}/`);
	expect(home?.fromServiceWorker()).toBe(false);
	expect(home?.headers()['content-type']).toContain('text/html');
	await other.close();
});

test('the view Make sets the look of the world, shows refusals, and follows changes of others', async () => {
	const fog = async () => (await fetch(`${orrery.url}/fog/settings`)).json();
	await page.goto(`${orrery.url}/#make`);
	// Simulates a slow machine: the next animation frame comes after the field has lost the focus.
	await page.evaluate(() => {
		const soon = window.requestAnimationFrame.bind(window);
		window.requestAnimationFrame = (callback) => soon(() => void setTimeout(soon, 300, callback));
	});
	await clickOn(page, '::-p-xpath(//summary[h3="Fog"])');
	const density = (await page.waitForSelector('[aria-label="Fog density"]'))!;
	const write = async (text: string) => {
		await density.click();
		await density.press('a', { commands: ['SelectAll'] });
		await density.type(text);
		await density.press('Enter');
	};
	await write('0.25');
	await vi.waitFor(async () => expect(await fog()).toMatchObject({ density: 0.25, enabled: true }), PATIENCE);

	await write('200');
	const error = (await page.waitForSelector('.inspector [role="alert"]'))!;
	expect(await error.evaluate((element) => element.textContent)).toContain('Range is 0 to 100');
	expect(await fog()).toMatchObject({ density: 0.25 });

	await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
	const headers = { 'content-type': 'application/json' };
	await fetch(`${orrery.url}/fog/settings`, { method: 'POST', headers, body: '{"density":0.5}' });
	await page.waitForFunction((input) => (input as HTMLInputElement).value === '0.5', {}, density);
});

test('the API reference runs an example in a fork, shows its answer and picture, and leaves no trace', async () => {
	const read = async (path: string) => (await fetch(`${orrery.url}${path}`)).json();
	const before = [await read('/digest'), (await read('/fork/list')).forks];
	const docs = await browser.newPage();
	await docs.goto(`${orrery.url}/docs`);
	await docs.waitForSelector('.docs-nav a');
	expect(await docs.$$eval('h1', (titles) => titles.map((title) => title.textContent))).toEqual([
		'API reference',
	]);
	await docs.keyboard.press('/');
	await docs.keyboard.type('spawn');
	await docs.keyboard.press('Enter');
	await docs.waitForFunction(() => location.hash === '#post-spawn');
	await clickOn(docs, '.example button::-p-text(Run)');
	await docs.waitForSelector('[data-ran=done]');
	const note = await docs.$eval('[data-ran=done]', (line) => line.textContent);
	expect(note).toContain('Main is unchanged');
	expect(await docs.$eval('.example .answer', (answer) => answer.textContent)).toMatch(
		/^201.*"entity_id": \d+/s,
	);
	const widths = await docs.$$eval('.pictures img', (pictures) =>
		Promise.all(pictures.map((picture) => picture.decode().then(() => picture.naturalWidth))),
	);
	expect(widths).toEqual([640, 640]);
	expect([await read('/digest'), (await read('/fork/list')).forks]).toEqual(before);
	// The reference is only a client; it does not become the owner of the world.
	expect(await docs.evaluate(() => document.querySelector('meta[name="orrery-relay"]'))).toBeNull();
	await docs.close();
});

test('a hostile page can neither call, nor pose as the tab, nor frame the page', async () => {
	const before = await (await fetch(`${orrery.url}/digest`)).json();
	const site = createServer((_, response) => {
		response.setHeader('content-type', 'text/html');
		response.end('<!doctype html><title>hostile</title>');
	});
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	const hostile = await browser.newPage();
	try {
		// Another port of this machine, and another name for it: neither is the relay's origin.
		const { port } = site.address() as AddressInfo;
		for (const host of ['127.0.0.1', 'localhost']) {
			await hostile.goto(`http://${host}:${port}/`);
			const outcomes = await hostile.evaluate(async (url) => {
				const attempt = async (run: () => Promise<unknown>): Promise<string> => {
					try {
						return `read ${JSON.stringify(await run())}`;
					} catch {
						return 'refused';
					}
				};
				const json = { 'content-type': 'application/json' };
				const text = { 'content-type': 'text/plain' };
				const socket = (): Promise<string> =>
					new Promise((resolve) => {
						const ws = new WebSocket(`${url.replace('http', 'ws')}/link`);
						ws.onopen = () => resolve('open');
						ws.onclose = () => resolve('refused');
					});
				const framed = (): Promise<string> =>
					new Promise((resolve) => {
						const frame = document.createElement('iframe');
						frame.src = `${url}/`;
						frame.onload = () => resolve(frame.contentDocument === null ? 'refused' : 'framed');
						document.body.append(frame);
						setTimeout(() => resolve('refused'), 3000);
					});
				const image = (): Promise<string> =>
					new Promise((resolve) => {
						const picture = new Image();
						picture.onload = () => resolve('shown');
						picture.onerror = () => resolve('refused');
						picture.src = `${url}/screenshot`;
					});
				return {
					get: await attempt(async () => (await fetch(`${url}/observe`)).status),
					page: await attempt(async () =>
						(await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text(),
					),
					post: await attempt(
						async () => (await fetch(`${url}/spawn`, { method: 'POST', headers: json, body: '{}' })).status,
					),
					simple: await attempt(
						async () =>
							(await fetch(`${url}/spawn`, { method: 'POST', mode: 'no-cors', headers: text, body: '{}' }))
								.type,
					),
					socket: await socket(),
					framed: await framed(),
					image: await image(),
				};
			}, orrery.url);
			expect(outcomes).toEqual({
				get: 'refused',
				page: 'refused',
				post: 'refused',
				simple: 'refused',
				socket: 'refused',
				framed: 'refused',
				image: 'refused',
			});
		}
		// A window that the hostile page navigates gets a notice instead of an engine.
		const arrived = hostile.waitForNavigation();
		await hostile.evaluate((url) => {
			location.href = `${url}/`;
		}, orrery.url);
		await arrived;
		expect(await hostile.content()).toContain('so Orrery did not start');
	} finally {
		await hostile.close();
		site.close();
	}
	expect(await (await fetch(`${orrery.url}/digest`)).json()).toEqual(before);
});

test('a reload keeps the world, and callers wait instead of failing', async () => {
	const before = await (await fetch(`${orrery.url}/digest`)).json();
	const [answer] = await Promise.all([
		new Promise<Response>((resolve, reject) => {
			setTimeout(() => fetch(`${orrery.url}/digest`).then(resolve, reject), 50);
		}),
		page.reload(),
	]);
	expect(answer.status).toBe(200);
	expect(await (await fetch(`${orrery.url}/digest`)).json()).toEqual(before);
});

test('a tab that takes the world over has the same world, with its forks and snapshots', async () => {
	const send = async (path: string, body: object = {}) => {
		const headers = { 'content-type': 'application/json' };
		const answer = await fetch(`${orrery.url}${path}`, {
			method: 'POST',
			headers,
			body: JSON.stringify(body),
		});
		return answer.json();
	};
	const read = async (path: string) => withoutMemory(await (await fetch(`${orrery.url}${path}`)).json());
	await send('/spawn', {
		position: [0, 5, 0],
		physics_body: 'Dynamic',
		collider: { shape: 'Sphere', radius: 0.5 },
	});
	const { tick } = await send('/step', { ticks: 10 });
	await send('/snapshot', { label: 'kept' });
	await send('/fork', { fork_id: 'plan' });
	await send('/fork/plan/step', { ticks: 5 });
	/** Retries the status, which is refused while the engine is busy. All other reads wait. */
	const readStatus = () =>
		vi.waitFor(async () => {
			const status = await read('/');
			expect(status).toMatchObject({ ok: true });
			return status;
		}, PATIENCE);
	const paths = ['/fork/list', '/snapshot/list', '/snapshot/list?world=plan', '/snapshot/kept'];
	const readAll = async () => [...(await Promise.all(paths.map(read))), await readStatus()];
	const before = await readAll();

	const other = await browser.newPage();
	await other.goto(orrery.url);
	// The former owner reloads its page.
	const reloaded = page.waitForNavigation();
	await moveHere(other);
	await reloaded;
	await page.waitForSelector('button::-p-text(Move the world here)');
	await other.waitForFunction(() => document.querySelector('.visit-note') === null);
	expect(await readAll()).toEqual(before);
	expect(await send('/snapshot/kept/restore?world=plan')).toMatchObject({ ok: true, tick });
	const [main, plan] = [await send('/step', { ticks: 9 }), await send('/fork/plan/step', { ticks: 9 })];
	expect(plan.state_digest).toBe(main.state_digest);
	await page.close();
	page = other;
});
