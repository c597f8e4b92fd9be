/**
 * A tab claims the world of another tab while the relay that stores the world is away. The claim is refused with a clear
 * error, and the owner keeps the world.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Started, startOrrery } from './start.ts';
import { moveHere, openTabs, type Tabs } from './tabs.ts';

let browser: Tabs;
let data: string;
let orrery: Started;

const start = (words: string, port = 0) => startOrrery(['--no-open'], { words, data, port });
/** Starts the server again at the same address. */
const restart = () => start('Orrery is ready', Number(new URL(orrery.url).port));

beforeAll(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-refused-'));
	browser = await openTabs(800, 500);
	orrery = await start('Open http');
});
afterAll(async () => {
	await browser?.close();
	await orrery?.stop();
	await rm(data, { recursive: true, force: true });
});

const read = async (path: string) => (await fetch(`${orrery.url}${path}`)).json();
/** Returns the note of a page about the world that it visits; null if it owns one. */
const visitNoteOf = (page: Page): Promise<string | null> =>
	page.evaluate(() => document.querySelector('.visit-note p')?.textContent ?? null);

/** Returns the state of the connection to the relay, as a page shows it. */
const relayStateIn = (page: Page): Promise<string> =>
	page.evaluate(() => {
		const doors = [...document.querySelectorAll('.doors li')];
		return doors.find((door) => door.textContent.startsWith('Relay'))?.className ?? '';
	});

test('a world is handed over only while the relay can store it', async () => {
	const owner = await browser.newPage();
	await owner.goto(orrery.url);
	await orrery.untilOutput('Orrery is ready');
	const headers = { 'content-type': 'application/json' };
	for (const [path, body] of [
		['/spawn', { position: [0, 9, 0], physics_body: 'Dynamic' }],
		['/fork', { fork_id: 'plan' }],
		['/step', { ticks: 30 }],
	] as const)
		await fetch(`${orrery.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
	const before = await read('/digest');
	const visitor = await browser.newPage();
	await visitor.goto(orrery.url);
	await expect.poll(() => visitNoteOf(visitor)).toContain('Another tab runs this world');

	await orrery.kill();
	await expect.poll(() => relayStateIn(visitor)).toBe('lost');
	await moveHere(visitor);
	await expect
		.poll(() => visitNoteOf(visitor))
		.toContain('The world was not moved: The server currently cannot be reached');
	expect(await visitNoteOf(owner)).toBeNull();

	orrery = await restart();
	expect(await read('/digest')).toEqual(before);
	expect(await read('/')).toMatchObject({ tick: 30, entity_count: 1, last_world: null });
	// The owner has waited for the server, and continues.
	const stepped = await fetch(`${orrery.url}/step`, { method: 'POST', headers, body: '{"ticks":5}' });
	const { state_digest } = (await stepped.json()) as { state_digest: string };

	await expect.poll(() => relayStateIn(visitor)).toBe('ready');
	await moveHere(visitor);
	await expect.poll(() => visitNoteOf(visitor)).toBeNull();
	await expect.poll(() => visitNoteOf(owner)).toContain('Another tab runs this world');
	expect(await read('/digest')).toMatchObject({ tick: 35, state_digest });
	expect(await read('/fork/list')).toMatchObject({ forks: ['plan'] });
});

test('a page that claims the world while its owner leaves gets it from the journal', async () => {
	await (await browser.newPage()).goto(orrery.url);
	await orrery.untilOutput('Orrery is ready');
	const stranger = await openTabs(800, 500);
	try {
		const claimant = await stranger.newPage();
		await claimant.goto(orrery.url);
		await expect
			.poll(async () => (await visitNoteOf(claimant)) ?? '')
			.toContain('Another tab runs this world');
		const before = await read('/digest');
		// While the server is away, no tab of this browser has the world.
		await orrery.kill();
		await expect.poll(() => relayStateIn(claimant)).toBe('lost');
		await moveHere(claimant);
		await expect.poll(() => visitNoteOf(claimant)).toContain('The server currently cannot be reached');
		orrery = await restart();
		await expect.poll(() => relayStateIn(claimant)).toBe('ready');
		await moveHere(claimant);
		for (const page of await browser.pages()) await page.close();
		await expect.poll(() => read('/digest')).toEqual(before);
		await expect.poll(() => visitNoteOf(claimant)).toBeNull();
	} finally {
		await stranger.close();
	}
});
