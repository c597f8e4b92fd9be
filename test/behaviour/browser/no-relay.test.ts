/**
 * The built page on a plain server of files, with no relay: tabs of one browser have one world between them.
 */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'puppeteer';
import send from 'send';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIST, ensureBuilt } from '../../../relay/build.ts';
import { launchBrowser } from '../../support/browser.ts';
import { apartFromMemory } from '../../support/engine.ts';

let site: Server;
let browser: Browser;
let url: string;

beforeAll(async () => {
	await ensureBuilt();
	site = createServer((request, response) => void send(request, request.url!, { root: DIST }).pipe(response));
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
	browser = await launchBrowser({ width: 800, height: 500 });
});

afterAll(async () => {
	await browser.close();
	site.close();
});

test('tabs without a relay: one holds the world, others visit; a takeover brings all of it, an end is told', async () => {
	const owner = await open();
	const spheres = Array.from({ length: 150 }, (_, i) => ({
		method: 'POST',
		path: '/spawn',
		body: {
			position: [i % 5, 1 + Math.floor(i / 25), Math.floor(i / 5) % 5],
			physics_body: 'Dynamic',
			collider: { shape: 'Sphere', radius: 0.5 },
		},
	}));
	await call(owner, 'POST', '/batch', { requests: spheres });
	await call(owner, 'POST', '/snapshot', { label: 'kept' });
	await call(owner, 'POST', '/fork', { fork_id: 'plan' });
	await call(owner, 'POST', '/fork/plan/step', { ticks: 5 });
	const { world } = await call(owner, 'GET', '/');

	const visitor = await open();
	await visitor.waitForFunction(() =>
		document.querySelector('.visit-note')?.textContent.includes('Another tab holds this world'),
	);
	expect(await call(visitor, 'GET', '/')).toMatchObject({ world, body: { tick: 0, entity_count: 150 } });

	// A tab that asks for the world and ends leaves it where it is.
	const stranger = await open();
	const first = call(owner, 'POST', '/step', { ticks: 200 });
	await take(stranger);
	await stranger.close();
	expect(await first).toMatchObject({ status: 200, world, body: { tick: 200 } });
	const second = call(visitor, 'POST', '/step', { ticks: 300 });

	// One that goes through with it waits for the call that is being worked on.
	const arrived = owner.waitForNavigation();
	await take(visitor);
	const stepped = await second;
	expect(stepped).toMatchObject({ status: 200, world, body: { tick: 500 } });
	await arrived;
	await owner.waitForSelector('.visit-note');
	expect(await visitor.$('.visit-note')).toBeNull();
	const { body } = await call(owner, 'GET', '/');
	expect(body).toMatchObject({ tick: 500, state_digest: stepped.body.state_digest, entity_count: 150 });
	expect((await call(visitor, 'GET', '/fork/list')).body).toMatchObject({ forks: ['plan'] });
	expect((await call(visitor, 'GET', '/snapshot/list')).body).toMatchObject({
		snapshots: [{ label: 'kept', tick: 0 }],
	});

	// The tab that is left goes on with an empty world, and says which one was lost.
	visitor.on('dialog', (dialog) => void dialog.accept());
	await visitor.close({ runBeforeUnload: true });
	await owner.waitForFunction(() => document.querySelector('.visit-note') === null);
	const after = await call(owner, 'GET', '/');
	expect(after.body).toMatchObject({ tick: 0, entity_count: 0, last_world: { world } });
	expect(after.world).not.toBe(world);
});

async function open(): Promise<Page> {
	const page = await browser.newPage();
	await page.goto(url);
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
	return page;
}

async function take(page: Page): Promise<void> {
	await (await page.waitForSelector('button::-p-text(Hold the world here)'))!.click();
}

async function call(page: Page, method: string, path: string, body?: object) {
	const answer = await page.evaluate(
		async (method, path, body) => {
			const headers = { 'content-type': 'application/json' };
			const sent = body === undefined ? {} : { body: JSON.stringify(body) };
			const response = await fetch(path, { method, headers, ...sent });
			const { status } = response;
			return { status, world: response.headers.get('x-orrery-world'), body: await response.json() };
		},
		method,
		path,
		body,
	);
	return { ...answer, body: apartFromMemory(answer.body) as { readonly state_digest?: string } };
}
