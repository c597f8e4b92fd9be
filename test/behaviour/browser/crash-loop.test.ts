/** A headless browser that ends at every start: the relay lives on, waits longer and longer, says so, and comes back with the world. */

import { once } from 'node:events';
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
import { childOf } from '../../support/processes.ts';
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

/** A browser that does not start while there is a file of this name. */
async function brittleBrowser(block: string): Promise<string> {
	const program = join(folder, 'browser.sh');
	const real = browserPath() ?? puppeteer.executablePath();
	await writeFile(program, `#!/bin/sh\n[ -e "${block}" ] && exit 1\nexec "${real}" "$@"\n`);
	await chmod(program, 0o755);
	return program;
}

test('a browser that cannot be started again is tried less and less often, and the world goes on when it can', async () => {
	const block = join(folder, 'block');
	orrery = await startOrrery(['--headless'], { data: folder, program: await brittleBrowser(block) });
	const { url } = orrery;
	const spawned = await fetch(`${url}/spawn`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: '{"mesh":"cube"}',
	});
	expect(spawned.status).toBe(201);
	const world = spawned.headers.get('x-orrery-world');
	const before = await (await fetch(`${url}/digest`)).json();

	await writeFile(block, '');
	process.kill((await childOf(orrery.process.pid!))!, 'SIGKILL');
	await orrery.untilSaid('The next attempt is in 4 s.');
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
		timeout: 120_000,
		interval: 500,
	});
	expect((await fetch(url)).headers.get('x-orrery-world')).toBe(world);
});

test('a page that does not come to the relay is loaded again, and then another browser is tried', async () => {
	const server = createServer((_, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const said: string[] = [];
	const again = Promise.withResolvers<void>();
	const headless = new HeadlessBrowser({
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		program: browserPath(),
		say: (sentence) => {
			if (sentence.startsWith('The page')) said.push(sentence);
			if (said.length === 2) again.resolve();
		},
		here: () => false,
		onDead: () => {},
		onTrouble: () => {},
		pageWait: 500,
	});
	await headless.start();
	await again.promise;
	await headless.stop();
	server.close();
	expect(said).toEqual([
		'The page did not connect to the server; loading it again.',
		'The page did not connect to the server; starting another browser.',
	]);
});

test('a tab that is killed while the browser opens it is told from a program that cannot start', async () => {
	// Now and then the tab is open before it is killed. The next start may be slower.
	for (let refused: unknown; refused === undefined; ) {
		let over = false;
		const ended = startBrowser(browserPath())
			.then(
				(started) => started.end(),
				(error: unknown) => error,
			)
			.finally(() => {
				over = true;
			});
		while (!over) {
			const [renderer] = renderersOf(process.pid);
			if (renderer !== undefined) process.kill(renderer, 'SIGKILL');
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
		refused = await ended;
		if (refused !== undefined) expect(refused).toBeInstanceOf(KilledError);
	}
});
