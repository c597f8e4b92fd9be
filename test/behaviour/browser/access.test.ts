/**
 * Accessibility of every view: axe finds no violations, in both themes and at three widths.
 * Owns: one tab, a small world with a fork, and the tested combinations.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ViewName } from '../../../web/ui/chrome/views.ts';
import { type Stage, startStage } from './stage.ts';
import { openTabs } from './tabs.ts';

let stage: Stage;
beforeAll(async () => {
	stage = await startStage(await openTabs());
});
afterAll(() => stage?.close());

/** Selector of the part of each view that loads last. */
const LOADED: Readonly<Record<ViewName, string>> = {
	start: '.first-calls, .card',
	play: '.pause .primary',
	make: '.inspector header, .inspector .empty',
	odds: '.odds-head',
	forks: '.difference-rows button',
	api: '.call-line',
};

/** Contrast depends on the theme, the other rules on the width. */
const LOOKS: readonly { width: number; height: number; theme: string; rules?: RunOptions['rules'] }[] = [
	{ width: 1280, height: 720, theme: 'dark' },
	{ width: 400, height: 800, theme: 'light' },
	{ width: 1920, height: 720, theme: 'dark', rules: { 'color-contrast': { enabled: false } } },
];

test('axe finds nothing in any view, each view has one main heading, and no button is too small for its text', async () => {
	const page = stage.host;
	await stage.fresh();
	const spawned = {
		mesh: 'cube',
		role: 'hero',
		team: 1,
		health: 100,
		physics_body: 'Kinematic',
		name: 'Wren',
	};
	for (const [path, body] of [
		['/spawn', spawned],
		['/step', { ticks: 675 }],
		['/fork', { fork_id: 'plan' }],
		['/entities/0/components?world=plan', { position: [3, 0, 0] }],
	] as const)
		expect((await stage.call('POST', path, body)).status).toBeLessThan(300);
	await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
	for (const { width, height, theme, rules = {} } of LOOKS) {
		await page.setViewport({ width, height });
		for (const view of Object.keys(LOADED) as ViewName[]) {
			await page.evaluate(
				(view, theme) => {
					document.documentElement.dataset.theme = theme;
					location.hash = view;
				},
				view,
				theme,
			);
			await page.waitForSelector(`.app[data-view=${view}]`);
			await page.waitForSelector(`.view-${view} :is(${LOADED[view]})`);
			const found = await page.evaluate(async (rules) => {
				const { axe } = window as unknown as { axe: typeof import('axe-core') };
				const { violations } = await axe.run(document, { resultTypes: ['violations'], rules });
				return {
					violations: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
					headings: [...document.querySelectorAll('h1')].length,
					cut: [...document.querySelectorAll('button')]
						.filter((button) => button.offsetWidth > 0 && !button.querySelector('.cut'))
						.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
						.map(({ textContent }) => textContent),
				};
			}, rules);
			expect(found, `${view} at ${width}, ${theme}`).toEqual({
				violations: [],
				headings: 1,
				cut: [],
			});
		}
	}
});
