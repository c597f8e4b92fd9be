/**
 * The doors of a running Orrery in a real browser: the service worker, a hostile page, takeover, crashes, and its end.
 */

import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BrowserNotes } from '../../../relay/browser-note.ts';
import { launchBrowser } from '../../support/browser.ts';
import { apartFromMemory } from '../../support/engine.ts';
import { type Started, startOrrery } from './start.ts';
import { openTabs, type Tabs } from './tabs.ts';

const PORT = 4170;
let browser: Tabs;
let orrery: Started;
let page: Page;

beforeAll(async () => {
	browser = await openTabs();
	orrery = await startOrrery(PORT, ['--no-open'], 'Open http');
	page = await browser.newPage();
	await page.goto(orrery.url);
	await orrery.untilSaid('Orrery is ready');
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

test('a service worker that was stopped asks for a new port', async () => {
	const session = await page.createCDPSession();
	await session.send('ServiceWorker.enable');
	await session.send('ServiceWorker.stopAllWorkers');
	const answered = page.waitForResponse((response) => response.url().endsWith('/digest'));
	expect(await page.evaluate(async () => (await fetch('/digest')).status)).toBe(200);
	expect((await answered).fromServiceWorker()).toBe(true);
});

test('a navigation to a read is answered by the service worker, the page itself by the relay', async () => {
	const other = await browser.newPage();
	const answer = await other.goto(`${orrery.url}/digest`);
	expect(answer?.fromServiceWorker()).toBe(true);
	expect(await answer?.json()).toMatchObject({ ok: true });
	const home = await other.goto(`${orrery.url}/`);
	expect(home?.fromServiceWorker()).toBe(false);
	expect(home?.headers()['content-type']).toContain('text/html');
	await other.close();
});

test('the view Make sets what the world looks like, says what is refused, and follows what others set', async () => {
	const fog = async () => (await fetch(`${orrery.url}/fog/settings`)).json();
	await page.goto(`${orrery.url}/#make`);
	// A machine that draws late: what a field does with the next picture comes when the field was left already.
	await page.evaluate(() => {
		const soon = window.requestAnimationFrame.bind(window);
		window.requestAnimationFrame = (callback) => soon(() => void setTimeout(soon, 300, callback));
	});
	await (await page.waitForSelector('::-p-xpath(//summary[h3="Fog"])'))!.click();
	const density = (await page.waitForSelector('[aria-label="Fog density"]'))!;
	const write = async (text: string) => {
		await density.click();
		await density.press('a', { commands: ['SelectAll'] });
		await density.type(text);
		await density.press('Enter');
	};
	await write('0.25');
	await vi.waitFor(async () => expect(await fog()).toMatchObject({ density: 0.25, enabled: true }), 10_000);

	await write('200');
	const error = (await page.waitForSelector('.inspector [role="alert"]'))!;
	expect(await error.evaluate((element) => element.textContent)).toContain('Range is 0 to 100');
	expect(await fog()).toMatchObject({ density: 0.25 });

	await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
	const headers = { 'content-type': 'application/json' };
	await fetch(`${orrery.url}/fog/settings`, { method: 'POST', headers, body: '{"density":0.5}' });
	await page.waitForFunction((input) => (input as HTMLInputElement).value === '0.5', {}, density);
});

test('the API reference runs an example in a fork, shows its answer and its picture, and leaves nothing', async () => {
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
	await (await docs.waitForSelector('.example button::-p-text(Run)'))!.click();
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
	// Where the world is, is where it was: the reference is a client like any other.
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
			const got = await hostile.evaluate(async (url) => {
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
			expect(got).toEqual({
				get: 'refused',
				page: 'refused',
				post: 'refused',
				simple: 'refused',
				socket: 'refused',
				framed: 'refused',
				image: 'refused',
			});
		}
		// A window that it opens shows a doorstep, not an engine.
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

test('a reload keeps the world, and callers waiting, not failing', async () => {
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

test('a tab that takes over has the world as it was, with its forks and snapshots', async () => {
	const send = async (path: string, body: object = {}) => {
		const headers = { 'content-type': 'application/json' };
		const answer = await fetch(`${orrery.url}${path}`, {
			method: 'POST',
			headers,
			body: JSON.stringify(body),
		});
		return answer.json();
	};
	const read = async (path: string) => apartFromMemory(await (await fetch(`${orrery.url}${path}`)).json());
	await send('/spawn', {
		position: [0, 5, 0],
		physics_body: 'Dynamic',
		collider: { shape: 'Sphere', radius: 0.5 },
	});
	await send('/step', { ticks: 10 });
	await send('/snapshot', { label: 'kept' });
	await send('/fork', { fork_id: 'plan' });
	await send('/fork/plan/step', { ticks: 5 });
	const paths = ['/', '/fork/list', '/snapshot/list', '/snapshot/list?world=plan', '/snapshot/kept'];
	const before = await Promise.all(paths.map(read));

	const other = await browser.newPage();
	await other.goto(orrery.url);
	const button = await other.waitForSelector('button::-p-text(Move the world here)');
	await button!.click();
	await page.waitForSelector('button::-p-text(Move the world here)');
	await other.waitForFunction(() => document.querySelector('.visit-note') === null);
	expect(await Promise.all(paths.map(read))).toEqual(before);
	expect(await send('/snapshot/kept/restore?world=plan')).toMatchObject({ ok: true, tick: 10 });
	const [main, plan] = [await send('/step', { ticks: 9 }), await send('/fork/plan/step', { ticks: 9 })];
	expect(plan.state_digest).toBe(main.state_digest);
	await page.close();
	page = other;
});

test('headless: a visitor in another profile looks and drives, and holds the world only when it asks to', async () => {
	const other = await startOrrery(PORT + 2, ['--headless']);
	const stranger = await launchBrowser();
	try {
		const read = async (path: string) => apartFromMemory(await (await fetch(`${other.url}${path}`)).json());
		const spawn = () =>
			fetch(`${other.url}/spawn`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: '{"mesh":"cube"}',
			});
		const world = (await spawn()).headers.get('x-orrery-world');
		const visitor = await stranger.newPage();
		await visitor.goto(`${other.url}/#make`);
		await visitor.waitForSelector('.visit-note');
		await visitor.waitForFunction(() => document.body.textContent.includes('Box'));
		await visitor.keyboard.press('.');
		await visitor.waitForFunction(() => document.querySelector('.bar')?.textContent.includes('tick 1'));
		expect(await read('/')).toMatchObject({ tick: 1, entity_count: 1, last_world: null });
		// Its coming and going changed nothing.
		await visitor.close();
		expect((await spawn()).headers.get('x-orrery-world')).toBe(world);
		const taker = await stranger.newPage();
		const before = await read('/');
		await hold(taker, other.url);
		expect(await read('/')).toEqual(before);
		expect((await spawn()).headers.get('x-orrery-world')).toBe(world);
		// Closed, or loaded again: the world goes home as it is, and keeps its name.
		await spawn();
		const atClose = await read('/');
		const closed = new Promise((resolve) => taker.once('close', resolve));
		await taker.close({ runBeforeUnload: true });
		await closed;
		// Any call waits until somebody holds the world; the status alone is told meanwhile.
		await read('/digest');
		expect(await read('/')).toEqual(atClose);
		expect((await spawn()).headers.get('x-orrery-world')).toBe(world);
		const again = await stranger.newPage();
		again.on('dialog', (dialog) => void dialog.accept());
		await hold(again, other.url);
		await spawn();
		const atReload = await read('/');
		await again.reload();
		await again.waitForSelector('.visit-note');
		await read('/digest');
		expect(await read('/')).toEqual(atReload);
		expect((await spawn()).headers.get('x-orrery-world')).toBe(world);
		// Killed with all that is in it: the headless browser goes on where it was.
		await hold(again, other.url);
		await spawn();
		const atKill = (await read('/')) as Status;
		stranger.process()!.kill('SIGKILL');
		// A call that comes before anybody knows waits as well.
		expect((await spawn()).headers.get('x-orrery-world')).toBe(world);
		const { entity_count: count, last_world } = (await read('/')) as Status;
		expect({ count, last_world }).toEqual({ count: atKill.entity_count + 1, last_world: null });
		expect(other.said()).not.toContain('is lost');
	} finally {
		if (stranger.connected) await stranger.close();
		await other.stop();
	}
});

test('headless: a crashed tab and a killed browser are replaced, and nothing is left at the end', async () => {
	const other = await startOrrery(PORT + 1, ['--headless', '--seed', '7']);
	expect(await (await fetch(`${other.url}/`)).json()).toMatchObject({ seed: 7 });
	const headers = { 'content-type': 'application/json' };
	const send = (path: string, body: object = {}) =>
		fetch(`${other.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
	const world = (await send('/spawn', { mesh: 'cube' })).headers.get('x-orrery-world');
	await send('/step', { ticks: 30 });
	const before = await (await fetch(`${other.url}/digest`)).json();
	const browserPid = await childOf(other.process.pid!);
	process.kill(browserPid, 'SIGKILL');
	await other.untilSaid('The browser ended; starting another');
	expect(await (await fetch(`${other.url}/digest`)).json()).toEqual(before);
	const status = await fetch(other.url);
	expect(status.headers.get('x-orrery-world')).toBe(world);
	expect(await status.json()).toMatchObject({ tick: 30, entity_count: 1, last_world: null });
	const second = await childOf(other.process.pid!);
	expect(await other.stop()).toBe(143);
	expect(await isAlive(browserPid)).toBe(false);
	expect(await isAlive(second)).toBe(false);
});

test('headless: a relay that was killed finds the browser it left behind, and no other relay takes it', async () => {
	const data = await mkdtemp(join(tmpdir(), 'orrery-left-'));
	const flags = ['--headless', '--data', data];
	const first = await startOrrery(PORT + 3, flags);
	const left = await childOf(first.process.pid!);
	const headers = { 'content-type': 'application/json' };
	const spawned = await fetch(`${first.url}/spawn`, { method: 'POST', headers, body: '{}' });
	const world = spawned.headers.get('x-orrery-world');
	first.process.kill('SIGKILL');
	await once(first.process, 'exit');
	const second = await startOrrery(PORT + 3, flags);
	try {
		expect(second.said()).toContain('Reusing the browser of the last run and its world');
		const status = await fetch(second.url);
		expect(status.headers.get('x-orrery-world')).toBe(world);
		expect(await status.json()).toMatchObject({ entity_count: 1, last_world: null });
		const beside = await startOrrery(PORT + 4, flags);
		expect(beside.said()).toContain(`The relay on port ${PORT + 3} uses this data folder too`);
		expect(await (await fetch(beside.url)).json()).toMatchObject({ entity_count: 0 });
		expect(await beside.stop()).toBe(143);
		expect((await fetch(second.url)).headers.get('x-orrery-world')).toBe(world);
		// Known as its own: it is replaced when it dies, and not waited for as a stranger's tab that may come back.
		process.kill(-left, 'SIGKILL');
		await second.untilSaid('starting another browser');
		const seen: string[] = [];
		await expect
			.poll(async () => {
				const answer = await fetch(second.url);
				seen.push(await answer.text());
				return answer.status;
			})
			.toBe(200);
		expect(seen.join()).not.toContain('reconnecting');
		expect(JSON.parse(seen.at(-1)!)).toMatchObject({ entity_count: 1, last_world: null });
	} finally {
		await second.stop();
	}
	// It is no child of the second relay, which cannot wait for its end.
	await expect.poll(() => isAlive(left)).toBe(false);
	await rm(data, { recursive: true, force: true });
});

test('headless: a browser that is taken back with a page that has no engine has it loaded again', async () => {
	const data = await mkdtemp(join(tmpdir(), 'orrery-half-'));
	const flags = ['--headless', '--data', data];
	const first = await startOrrery(PORT + 12, flags);
	await fetch(`${first.url}/spawn`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: '{}',
	});
	const { at } = (await new BrowserNotes(data, PORT + 12).read())!;
	const left = await puppeteer.connect({ browserWSEndpoint: at!.endpoint, defaultViewport: null });
	const page = (await left.pages()).find((open) => open.url().startsWith(first.url))!;
	// Such as one whose relay was killed while it loaded.
	await page.goto(`${first.url}/third-party-notices.txt`);
	first.process.kill('SIGKILL');
	await once(first.process, 'exit');
	await left.disconnect();
	const second = await startOrrery(PORT + 12, flags);
	try {
		expect(second.said()).toContain('The page did not come to the server');
		expect(await (await fetch(second.url)).json()).toMatchObject({ entity_count: 1 });
	} finally {
		await second.stop();
	}
	await rm(data, { recursive: true, force: true });
});

test('headless: where the relay and its browser were both killed, the next relay goes on with the world, and --new begins another', async () => {
	const data = await mkdtemp(join(tmpdir(), 'orrery-both-'));
	const flags = ['--headless', '--data', data];
	const first = await startOrrery(PORT + 7, flags);
	const headers = { 'content-type': 'application/json' };
	const step = (url: string) =>
		fetch(`${url}/step`, { method: 'POST', headers, body: JSON.stringify({ ticks: 9 }) });
	await fetch(`${first.url}/spawn`, { method: 'POST', headers, body: '{"mesh":"cube"}' });
	const world = (await step(first.url)).headers.get('x-orrery-world')!;
	const before = await (await fetch(`${first.url}/digest`)).json();
	const browserPid = await childOf(first.process.pid!);
	first.process.kill('SIGKILL');
	await once(first.process, 'exit');
	process.kill(-browserPid, 'SIGKILL');
	const second = await startOrrery(PORT + 7, flags);
	try {
		expect(second.said()).toContain('Resuming the world');
		expect(await (await fetch(`${second.url}/digest`)).json()).toEqual(before);
		const status = await fetch(second.url);
		expect(status.headers.get('x-orrery-world')).toBe(world);
		expect(await status.json()).toMatchObject({ tick: 9, entity_count: 1, last_world: null });
	} finally {
		await second.stop();
	}
	const third = await startOrrery(PORT + 7, [...flags, '--new']);
	try {
		const status = await fetch(third.url);
		expect(status.headers.get('x-orrery-world')).not.toBe(world);
		expect(await status.json()).toMatchObject({ tick: 0, entity_count: 0, last_world: null });
		expect((await step(third.url)).status).toBe(200);
	} finally {
		await third.stop();
	}
	expect(await readdir(data)).not.toContain(`.orrery-browser-${PORT + 7}.json`);
	await rm(data, { recursive: true, force: true });
});

test('headless: a renderer killed alone loses nothing', async () => {
	const other = await startOrrery(PORT + 5, ['--headless']);
	const stranger = await launchBrowser();
	try {
		const taker = await stranger.newPage();
		await hold(taker, other.url);
		const headers = { 'content-type': 'application/json' };
		const spawned = await fetch(`${other.url}/spawn`, { method: 'POST', headers, body: '{}' });
		const world = spawned.headers.get('x-orrery-world');
		const before = await (await fetch(`${other.url}/digest`)).json();
		const session = await stranger.target().createCDPSession();
		const { processInfo } = await session.send('SystemInfo.getProcessInfo');
		for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
		expect(await (await fetch(`${other.url}/digest`)).json()).toEqual(before);
		expect(stranger.connected).toBe(true);
		const status = await fetch(other.url);
		expect(await status.json()).toMatchObject({ entity_count: 1, last_world: null });
		expect(status.headers.get('x-orrery-world')).toBe(world);
		expect(other.said()).not.toContain('is lost');
	} finally {
		await stranger.close();
		await other.stop();
	}
});

test.each([
	['renderers', /--type=renderer/],
	['whole browser', /./],
])(
	'headless: where the %s stopped, GET / goes on answering, and an engine that is ended is followed by another',
	async (_, stopped) => {
		const other = await startOrrery(PORT + 6, ['--headless']);
		try {
			const group = await childOf(other.process.pid!);
			const world = (await fetch(other.url)).headers.get('x-orrery-world');
			for (const pid of await processesOf(group))
				if (stopped.test(await readFile(`/proc/${pid}/cmdline`, 'utf8'))) process.kill(pid, 'SIGSTOP');
			const ended = await fetch(`${other.url}/engine/worker/${world}`, { method: 'DELETE' });
			expect(ended.status).toBe(200);
			let status: Response;
			do {
				// The answer is to be there within the time that README tells, and some more where the machine is busy.
				status = await fetch(other.url, { signal: AbortSignal.timeout(8000) });
				if (!status.ok) expect((await status.json()).code).toMatch(/^(no_engine|busy)$/);
			} while (!status.ok);
			expect(await status.json()).toMatchObject({ entity_count: 0, last_world: null });
			expect(status.headers.get('x-orrery-world')).toBe(world);
			expect(other.said()).toContain('The tab hangs; starting another browser.');
			expect(await isAlive(group)).toBe(false);
		} finally {
			await other.stop();
		}
	},
);

interface Status {
	readonly entity_count: number;
	readonly last_world: unknown;
}

/** Has the world handed over to a page. */
async function hold(page: Page, url: string): Promise<void> {
	await page.goto(url);
	await (await page.waitForSelector('button::-p-text(Move the world here)'))!.click();
	await page.waitForFunction(() => document.querySelector('.visit-note') === null);
}

/** The one child of a process, by Linux's own list. */
async function childOf(pid: number): Promise<number> {
	const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
	return Number(children.at(-1));
}

/** The processes of a group, by Linux's own list. */
async function processesOf(group: number): Promise<number[]> {
	const found: number[] = [];
	for (const name of await readdir('/proc')) {
		const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
		if (/.*\) \S \d+ (\d+)/s.exec(stat)?.[1] === String(group)) found.push(Number(name));
	}
	return found;
}

/** Whether a process runs; one that ended and was not yet asked for its code by its parent does not. */
async function isAlive(pid: number): Promise<boolean> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
	return stat !== undefined && !/^\d+ \(.*\) [ZX] /s.test(stat);
}
