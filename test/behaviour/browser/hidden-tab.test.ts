/**
 * The world goes on in a hidden tab, in a browser that throttles hidden tabs as a person's does.
 */

import type { Page } from 'puppeteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stage, startStage } from './stage.ts';

const PORT = 4403;
let stage: Stage;
let front: Page;

beforeAll(async () => {
	stage = await startStage(PORT, { throttled: true });
	front = await stage.browser.newPage();
	await front.goto('about:blank');
	await front.bringToFront();
	await stage.host.waitForFunction(() => document.visibilityState === 'hidden', { polling: 100 });
}, 120_000);
afterAll(() => stage?.close());

/** The tick now, and when it was asked (ms). */
async function moment(): Promise<{ tick: number; at: number }> {
	const { body } = await stage.call('GET', '/digest');
	return { tick: body.tick as number, at: performance.now() };
}

test('the browser does throttle: a timer of the hidden page comes about once a second', async () => {
	const hertz = await stage.host.evaluate(
		() =>
			new Promise<number>((resolve) => {
				const began = performance.now();
				let count = 0;
				const wake = () => {
					count++;
					if (performance.now() - began > 3000) resolve((count * 1000) / (performance.now() - began));
					else setTimeout(wake, 16);
				};
				wake();
			}),
	);
	expect(hertz).toBeLessThan(5);
});

test('play makes 60 ticks a second', async () => {
	await stage.call('POST', '/play', {});
	// The first second is left out: the tab may still be starting its picture.
	await stage.call('POST', '/spawn', { position: [0, 5, 0], physics_body: 'Dynamic' });
	const first = await moment();
	const calls: number[] = [];
	let last = first;
	while (last.at - first.at < 5000) {
		const asked = performance.now();
		last = await moment();
		calls.push(last.at - asked);
	}
	const hertz = ((last.tick - first.tick) * 1000) / (last.at - first.at);
	calls.sort((a, b) => a - b);
	console.log(
		`hidden: ${hertz.toFixed(2)} ticks a second, ${calls.length} calls, median ${calls[calls.length >> 1]!.toFixed(2)} ms`,
	);
	// Throttled it were 15 at most (what is made up for at once, once a second); a busy machine may cost some.
	expect(hertz).toBeGreaterThan(30);
	expect(hertz).toBeLessThan(66);
	// Throttled it were half a second.
	expect(calls[calls.length >> 1]!).toBeLessThan(200);
	await stage.call('POST', '/pause', {});
});

test('steps, forks and pictures are made as in a shown tab', async () => {
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
});
