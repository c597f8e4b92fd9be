/**
 * The world continues in a hidden tab, in a browser that throttles hidden tabs like a normal one.
 */

import type { Page } from 'puppeteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { mcpClient } from '../../support/mcp-client.ts';
import { type Stage, startStage } from './stage.ts';

let stage: Stage;
let front: Page;

beforeAll(async () => {
	stage = await startStage(await launchBrowser({ width: 320, height: 180, throttled: true }));
	front = await stage.browser.newPage();
	await front.goto('about:blank');
	await front.bringToFront();
	await stage.host.waitForFunction(() => document.visibilityState === 'hidden', { polling: 100 });
});
afterAll(() => stage?.close());

/** Waits for `count` timers of the hidden page. Returns the milliseconds from the first to the last. */
const timers = (count: number): Promise<number> =>
	stage.host.evaluate(async (left) => {
		const wake = () => new Promise((resolve) => setTimeout(resolve, 16));
		// The browser delays timers to the next full second, so the first one may fire early.
		await wake();
		const began = performance.now();
		for (let i = 1; i < left; i++) await wake();
		return performance.now() - began;
	}, count);

test('the browser throttles timers of the hidden page to about one a second', async () => {
	expect(await timers(2)).toBeGreaterThan(200);
});

test('the world of the hidden page still plays and answers calls between the timers', async () => {
	const tickNow = async (): Promise<number> => (await stage.call('GET', '/digest')).body.tick;
	await stage.call('POST', '/play', {});
	await stage.call('POST', '/spawn', { position: [0, 5, 0], physics_body: 'Dynamic' });
	const from = await tickNow();
	let calls = 0;
	let areTimersDone = false;
	const timersDone = timers(3).then(() => {
		areTimersDone = true;
	});
	while (!areTimersDone) {
		await tickNow();
		calls++;
	}
	await timersDone;
	// If the world were throttled, each timer would make up for at most 15 ticks, and each call would wait for a timer.
	expect((await tickNow()) - from).toBeGreaterThan(60);
	expect(calls).toBeGreaterThan(20);
	await stage.call('POST', '/pause', {});
});

test('steps, forks and pictures work as in a visible tab', async () => {
	await stage.fresh(true);
	expect(await stage.host.evaluate(() => document.visibilityState)).toBe('hidden');
	await stage.call('POST', '/spawn', { mesh: 'cube', color: 'red', position: [0, 1, 0] });
	await stage.call('POST', '/fork', { fork_id: 'plan' });
	const { body } = await stage.call('POST', '/step', { ticks: 600 });
	expect(body).toMatchObject({ ok: true, new_tick: 600 });
	expect((await stage.call('POST', '/fork/plan/step', { ticks: 600 })).body.state_digest).toBe(
		body.state_digest,
	);
	const picture = await fetch(`${stage.url}/screenshot?width=160&height=90`, {
		headers: { accept: 'image/png' },
	});
	expect(picture.status).toBe(200);
	expect(picture.headers.get('x-orrery-tick')).toBe('600');
	expect(picture.headers.get('x-orrery-digest')).toBe(body.state_digest);
	expect((await picture.bytes()).subarray(1, 4)).toEqual(new TextEncoder().encode('PNG'));
	const { result } = await mcpClient(`${stage.url}/mcp`).use('picture', { width: 160, height: 90 });
	expect(result.content).toEqual([
		{ type: 'image', mimeType: 'image/webp', data: expect.stringMatching(/^UklGR/) },
		{ type: 'text', text: `Tick 600, state digest ${body.state_digest}` },
	]);
});
