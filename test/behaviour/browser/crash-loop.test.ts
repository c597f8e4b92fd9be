/**
 * A headless browser that ends at every start: the relay keeps running, waits longer each time, and restores the world when
 * the browser starts again. A browser never outlives its server.
 */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HeadlessBrowser } from '../../../relay/browser.ts';
import { KilledError, startBrowser } from '../../../relay/browser-process.ts';
import { renderersOf } from '../../soak/memory.ts';
import { browserPath } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { childOf, commandOf, processesOf } from '../../support/processes.ts';
import { type Started, startOrrery } from './start.ts';

let folder: string;
let orrery: Started | undefined;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-crash-loop-'));
});
afterEach(async () => {
	await orrery?.stop();
	await rm(folder, { recursive: true, force: true });
});

const post = ({ url }: Started, path: string, body: object) =>
	fetch(`${url}${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
const digestOf = async ({ url }: Started) => (await fetch(`${url}/digest`)).json();

/** Creates a browser program that does not start while the file `block` exists. */
async function createBlockableBrowser(block: string): Promise<string> {
	const program = join(folder, 'browser.sh');
	const real = browserPath() ?? puppeteer.executablePath();
	await writeFile(program, `#!/bin/sh\n[ -e "${block}" ] && exit 1\nexec "${real}" "$@"\n`);
	await chmod(program, 0o755);
	return program;
}

test('the relay restarts a failing browser less and less often, and the world resumes after it starts', async () => {
	const block = join(folder, 'block');
	orrery = await startOrrery(['--headless'], { data: folder, program: await createBlockableBrowser(block) });
	const { url } = orrery;
	const spawned = await post(orrery, '/spawn', { mesh: 'cube' });
	expect(spawned.status).toBe(201);
	const world = spawned.headers.get('x-orrery-world');
	const before = await digestOf(orrery);

	await writeFile(block, '');
	process.kill((await childOf(orrery.process.pid!))!, 'SIGKILL');
	await orrery.untilOutput('The next attempt is in 2 s.');
	expect(orrery.output()).toContain('The next attempt is in 1 s.');
	expect(orrery.process.exitCode).toBeNull();
	const status = await fetch(url);
	expect(status.status).toBe(503);
	expect(Number(status.headers.get('retry-after'))).toBeGreaterThan(0);
	expect(await status.json()).toMatchObject({
		code: 'no_engine',
		error: expect.stringContaining('could not be started (It ended with code 1)'),
	});

	await rm(block);
	await vi.waitFor(async () => expect(await (await fetch(`${url}/digest`)).json()).toEqual(before), {
		timeout: PATIENCE,
		interval: 500,
	});
	expect((await fetch(url)).headers.get('x-orrery-world')).toBe(world);
});

test('a page that does not connect to the relay is loaded again, and then another browser is started', async () => {
	const server = createServer((_, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const messages: string[] = [];
	const secondMessage = Promise.withResolvers<void>();
	const headless = new HeadlessBrowser({
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		program: browserPath(),
		say: (sentence) => {
			if (sentence.startsWith('The page')) messages.push(sentence);
			if (messages.length === 2) secondMessage.resolve();
		},
		isConnected: () => false,
		onDead: () => {},
		onTrouble: () => {},
		pageWait: 500,
	});
	await headless.start();
	await secondMessage.promise;
	await headless.stop();
	server.close();
	expect(messages).toEqual([
		'The page did not connect to the server; loading it again.',
		'The page did not connect to the server; starting another browser.',
	]);
});

test('a tab killed during the start of its browser is distinguished from a program that cannot start', async () => {
	// Sometimes the tab is open before it can be killed. Then the loop tries another start.
	for (let refused: unknown; refused === undefined; ) {
		let isOver = false;
		const ended = startBrowser(browserPath())
			.then(
				(started) => started.end(),
				(error: unknown) => error,
			)
			.finally(() => {
				isOver = true;
			});
		while (!isOver) {
			const [renderer] = renderersOf(process.pid);
			if (renderer !== undefined) process.kill(renderer, 'SIGKILL');
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		refused = await ended;
		if (refused !== undefined) expect(refused).toBeInstanceOf(KilledError);
	}
});

test('a server that was killed or stopped leaves no browser, and the next one resumes the world from the journal', async () => {
	const first = await startOrrery(['--headless'], { data: folder });
	const browser = (await childOf(first.process.pid!))!;
	const [profile] = /\S*orrery-browser-[^\0]+/.exec(await commandOf(browser))!;
	await post(first, '/spawn', { mesh: 'cube' });
	const world = (await post(first, '/step', { ticks: 9 })).headers.get('x-orrery-world')!;
	const before = await digestOf(first);
	await first.kill();
	const second = await startOrrery(['--headless'], { data: folder });
	try {
		expect(second.output()).toContain('Resuming the world');
		expect(await digestOf(second)).toEqual(before);
		const status = await fetch(second.url);
		expect(status.headers.get('x-orrery-world')).toBe(world);
		expect(await status.json()).toMatchObject({ tick: 9, entity_count: 1, last_world: null });
		await expect.poll(() => processesOf(browser)).toEqual([]);
		expect(existsSync(profile)).toBe(false);
	} finally {
		const browser = (await childOf(second.process.pid!))!;
		expect(await second.stop()).toBe(143);
		expect(await processesOf(browser)).toEqual([]);
	}
	const third = await startOrrery(['--engine', 'node', '--new'], { data: folder });
	try {
		const status = await fetch(third.url);
		expect(status.headers.get('x-orrery-world')).not.toBe(world);
		expect(await status.json()).toMatchObject({ tick: 0, entity_count: 0, last_world: null });
		expect((await post(third, '/step', { ticks: 9 })).status).toBe(200);
	} finally {
		await third.stop();
	}
});
