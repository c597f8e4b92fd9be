/** The headless browser of a running Orrery: it is kept alive, shuts no visitor out, opens no port, and never outlives its server. */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer';
import { expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { apartFromMemory } from '../../support/engine.ts';
import { childOf, commandOf, listenersOf, processesOf } from '../../support/processes.ts';
import { startOrrery } from './start.ts';
import { moveHere } from './tabs.ts';

test('a visitor in another profile looks and drives, and holds the world only when it asks to', async () => {
	const other = await startOrrery(['--headless']);
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
		// Any call waits until an engine owns the world; the status alone is answered meanwhile.
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
		// A call that comes before that is known waits as well.
		expect((await spawn()).headers.get('x-orrery-world')).toBe(world);
		const entity_count = atKill.entity_count + 1;
		await expect.poll(() => read('/')).toMatchObject({ entity_count, last_world: null });
		expect(other.said()).not.toContain('is lost');
	} finally {
		if (stranger.connected) await stranger.close();
		await other.stop();
	}
});

test('a crashed tab and a killed browser are replaced, and nothing is left at the end', async () => {
	const other = await startOrrery(['--headless', '--seed', '7']);
	expect(await (await fetch(`${other.url}/`)).json()).toMatchObject({ seed: 7 });
	const headers = { 'content-type': 'application/json' };
	const send = (path: string, body: object = {}) =>
		fetch(`${other.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
	const world = (await send('/spawn', { mesh: 'cube' })).headers.get('x-orrery-world');
	await send('/step', { ticks: 30 });
	const before = await (await fetch(`${other.url}/digest`)).json();
	const browserPid = (await childOf(other.process.pid!))!;
	for (const pid of await processesOf(browserPid))
		if (/--type=renderer/.test(await commandOf(pid))) process.kill(pid, 'SIGKILL');
	await other.untilSaid('The tab crashed; loading it again');
	expect(await (await fetch(`${other.url}/digest`)).json()).toEqual(before);
	process.kill(browserPid, 'SIGKILL');
	await other.untilSaid('The browser ended; starting another');
	expect(await (await fetch(`${other.url}/digest`)).json()).toEqual(before);
	const status = await fetch(other.url);
	expect(status.headers.get('x-orrery-world')).toBe(world);
	expect(await status.json()).toMatchObject({ tick: 30, entity_count: 1, last_world: null });
	const second = (await childOf(other.process.pid!))!;
	expect(await other.stop()).toBe(143);
	for (const pid of [browserPid, second]) expect(await processesOf(pid)).toEqual([]);
});

test('no process of the browser of a server listens on a port, which any local process could command it by', async () => {
	const other = await startOrrery(['--headless']);
	try {
		const relay = other.process.pid!;
		const pids = await processesOf((await childOf(relay))!);
		const commands = await Promise.all(pids.map(commandOf));
		for (const type of ['renderer', 'gpu-process', 'utility', 'zygote'])
			expect(commands.join('\n')).toContain(`--type=${type}`);
		expect(await listenersOf(pids)).toEqual([]);
		const port = Number(new URL(other.url).port).toString(16).toUpperCase();
		expect(await listenersOf([relay])).toContain(`0100007F:${port}`);
	} finally {
		await other.stop();
	}
});

test('a server that was killed leaves no browser, and the next one resumes the world from the journal', async () => {
	const data = await mkdtemp(join(tmpdir(), 'orrery-left-'));
	const flags = ['--headless', '--data', data];
	const first = await startOrrery(flags);
	const left = (await childOf(first.process.pid!))!;
	const [profile] = /\S*orrery-browser-[^\0]+/.exec(await commandOf(left))!;
	const headers = { 'content-type': 'application/json' };
	const step = (url: string) =>
		fetch(`${url}/step`, { method: 'POST', headers, body: JSON.stringify({ ticks: 9 }) });
	await fetch(`${first.url}/spawn`, { method: 'POST', headers, body: '{"mesh":"cube"}' });
	const world = (await step(first.url)).headers.get('x-orrery-world')!;
	const before = await (await fetch(`${first.url}/digest`)).json();
	first.process.kill('SIGKILL');
	await once(first.process, 'exit');
	const second = await startOrrery(flags);
	try {
		expect(second.said()).toContain('Resuming the world');
		expect(await (await fetch(`${second.url}/digest`)).json()).toEqual(before);
		const status = await fetch(second.url);
		expect(status.headers.get('x-orrery-world')).toBe(world);
		expect(await status.json()).toMatchObject({ tick: 9, entity_count: 1, last_world: null });
		await expect.poll(() => processesOf(left)).toEqual([]);
		expect(existsSync(profile)).toBe(false);
	} finally {
		await second.stop();
	}
	const third = await startOrrery([...flags, '--new']);
	try {
		const status = await fetch(third.url);
		expect(status.headers.get('x-orrery-world')).not.toBe(world);
		expect(await status.json()).toMatchObject({ tick: 0, entity_count: 0, last_world: null });
		expect((await step(third.url)).status).toBe(200);
	} finally {
		await third.stop();
	}
	await rm(data, { recursive: true, force: true });
});

test('a renderer killed alone loses nothing', async () => {
	const other = await startOrrery(['--headless']);
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
	'where the %s stopped, GET / goes on answering, and an engine that is ended is followed by another',
	async (_, stopped) => {
		const other = await startOrrery(['--headless']);
		try {
			const group = (await childOf(other.process.pid!))!;
			const world = (await fetch(other.url)).headers.get('x-orrery-world');
			for (const pid of await processesOf(group))
				if (stopped.test(await commandOf(pid))) process.kill(pid, 'SIGSTOP');
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
			expect(await processesOf(group)).toEqual([]);
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
	await moveHere(page);
	await page.waitForFunction(() => document.querySelector('.visit-note') === null);
	// `GET /` answers while the engine loads; other calls wait for it.
	await fetch(`${url}/digest`);
}
