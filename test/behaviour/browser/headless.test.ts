/**
 * The headless browser of a running Orrery: it is kept alive, admits visitors, and opens no port.
 * Owns: the server that the tests share. Each test begins with an empty world, even if the last one killed the browser.
 */

import type { Page } from 'puppeteer';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser, newTab } from '../../support/browser.ts';
import { withoutMemory } from '../../support/engine.ts';
import { childOf, commandOf, listenersOf, processesOf } from '../../support/processes.ts';
import { type Started, startOrrery } from './start.ts';
import { moveHere } from './tabs.ts';

let orrery: Started;
/** Length of the server's output before the test. */
let outputBefore: number;

beforeAll(async () => {
	orrery = await startOrrery(['--headless', '--seed', '7']);
});
beforeEach(async () => {
	// The call waits until an engine owns the world.
	expect((await post('/reset', { fresh: true })).status).toBe(200);
	outputBefore = orrery.output().length;
});
afterAll(() => orrery?.stop());

const post = (path: string, body: object = {}) => {
	const headers = { 'content-type': 'application/json' };
	return fetch(`${orrery.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
};
const read = async (path: string) => withoutMemory(await (await fetch(`${orrery.url}${path}`)).json());
const worldOf = (answer: Response) => answer.headers.get('x-orrery-world');
/** Spawns a cube. Resolves with the name of the world. */
const spawn = async () => worldOf(await post('/spawn', { mesh: 'cube' }));
/** Process of a server's browser. */
const browserOf = async ({ process }: Started) => (await childOf(process.pid!))!;
/** Returns the server's output since the start of the test. */
const newOutput = () => orrery.output().slice(outputBefore);

test("no process of the server's browser listens on a port", async () => {
	const pids = await processesOf(await browserOf(orrery));
	const commands = await Promise.all(pids.map(commandOf));
	for (const type of ['renderer', 'gpu-process', 'utility', 'zygote'])
		expect(commands.join('\n')).toContain(`--type=${type}`);
	expect(await listenersOf(pids)).toEqual([]);
	const port = Number(new URL(orrery.url).port).toString(16).toUpperCase();
	expect(await listenersOf([orrery.process.pid!])).toContain(`0100007F:${port}`);
});

test('a visitor in another profile watches and acts, owns the world only on request, and loses nothing at its end', async () => {
	const stranger = await launchBrowser({ graphics: 'none' });
	try {
		const world = await spawn();
		const visitor = await newTab(stranger);
		await visitor.goto(`${orrery.url}/#make`);
		await visitor.waitForSelector('.visit-note');
		await visitor.waitForFunction(() => document.body.textContent.includes('Box'));
		await visitor.keyboard.press('.');
		await visitor.waitForFunction(() => document.querySelector('.bar')?.textContent.includes('tick 1'));
		expect(await read('/')).toMatchObject({ seed: 7, tick: 1, entity_count: 1, last_world: null });
		// A visit changes nothing.
		await visitor.close();
		expect(await spawn()).toBe(world);
		const secondOwner = await newTab(stranger);
		const before = await read('/');
		await takeWorld(secondOwner);
		expect(await read('/')).toEqual(before);
		expect(await spawn()).toBe(world);
		// If the owner's tab is closed or reloaded, the headless browser resumes the world under its name.
		await spawn();
		const atClose = await read('/');
		const closed = new Promise((resolve) => secondOwner.once('close', resolve));
		await secondOwner.close({ runBeforeUnload: true });
		await closed;
		// All calls but the status wait until an engine owns the world.
		await read('/digest');
		expect(await read('/')).toEqual(atClose);
		expect(await spawn()).toBe(world);
		const tab = await newTab(stranger);
		tab.on('dialog', (dialog) => void dialog.accept());
		await takeWorld(tab);
		await spawn();
		const atReload = await read('/');
		await tab.reload();
		await tab.waitForSelector('.visit-note');
		await read('/digest');
		expect(await read('/')).toEqual(atReload);
		expect(await spawn()).toBe(world);

		// Only the renderers are killed.
		await takeWorld(tab);
		await spawn();
		const atCrash = await read('/');
		const session = await stranger.target().createCDPSession();
		const { processInfo } = await session.send('SystemInfo.getProcessInfo');
		for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
		await read('/digest');
		expect(await read('/')).toEqual(atCrash);
		expect(stranger.connected).toBe(true);
		expect(await spawn()).toBe(world);

		// The whole browser of the owner is killed: the headless browser resumes the world.
		await takeWorld(await newTab(stranger));
		await spawn();
		const atKill = (await read('/')) as Status;
		stranger.process()!.kill('SIGKILL');
		// A call that arrives before the server notices waits, too.
		expect(await spawn()).toBe(world);
		const entity_count = atKill.entity_count + 1;
		await expect.poll(() => read('/')).toMatchObject({ entity_count, last_world: null });
		expect(newOutput()).not.toContain('is lost');
	} finally {
		if (stranger.connected) await stranger.close();
	}
});

test('a crashed tab and a killed browser are replaced', async () => {
	const world = await spawn();
	await post('/step', { ticks: 30 });
	const before = await read('/digest');
	const browser = await browserOf(orrery);
	for (const pid of await processesOf(browser))
		if (/--type=renderer/.test(await commandOf(pid))) process.kill(pid, 'SIGKILL');
	await orrery.untilOutput('The tab crashed; loading it again');
	expect(await read('/digest')).toEqual(before);
	process.kill(browser, 'SIGKILL');
	await orrery.untilOutput('The browser ended; starting another');
	expect(await read('/digest')).toEqual(before);
	const status = await fetch(orrery.url);
	expect(worldOf(status)).toBe(world);
	expect(await status.json()).toMatchObject({ tick: 30, entity_count: 1, last_world: null });
	expect(await processesOf(browser)).toEqual([]);
});

test.each([
	['renderers', /--type=renderer/],
	['whole browser', /./],
])(
	'after the %s stopped, GET / still answers, and another engine follows one that is ended',
	async (_, pattern) => {
		const world = await spawn();
		const group = await browserOf(orrery);
		for (const pid of await processesOf(group))
			if (pattern.test(await commandOf(pid))) process.kill(pid, 'SIGSTOP');
		const ended = await fetch(`${orrery.url}/engine/worker/${world}`, { method: 'DELETE' });
		expect(ended.status).toBe(200);
		let status: Response;
		do {
			// README promises an answer within a shorter time; a busy machine may need more.
			status = await fetch(orrery.url, { signal: AbortSignal.timeout(8000) });
			if (!status.ok) expect((await status.json()).code).toMatch(/^(no_engine|busy)$/);
		} while (!status.ok);
		expect(await status.json()).toMatchObject({ entity_count: 1, last_world: null });
		expect(worldOf(status)).toBe(world);
		expect(newOutput()).toContain('The tab hangs; starting another browser.');
		expect(await processesOf(group)).toEqual([]);
	},
);

interface Status {
	readonly entity_count: number;
	readonly last_world: unknown;
}

/** Moves the world to a page. */
async function takeWorld(page: Page): Promise<void> {
	await page.goto(orrery.url);
	await moveHere(page);
	await page.waitForFunction(() => document.querySelector('.visit-note') === null);
	// `GET /` answers while the engine loads; other calls wait for it.
	await read('/digest');
}
