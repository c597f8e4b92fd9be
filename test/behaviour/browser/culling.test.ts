/** Culling: entities outside of every pass are not drawn, and pictures, shadows and interpolated frames do not change. */

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type {} from '../../web/render/page/culling.ts';
import { openTabs, type Tabs } from './tabs.ts';

const ENTITIES = 26 * 26 + 1;

let tabs: Tabs;

beforeAll(async () => {
	tabs = await openTabs(64, 64, 1);
});

afterAll(() => tabs?.close());

describe.each(['', '?webgl'])('culling.html%s', (query) => {
	test('pictures stay the same with and without culling, also between two frames', async () => {
		const page = await tabs.newPage();
		await page.goto(`${inject('viewPage')}culling.html${query}`);
		await page.waitForFunction(() => 'culling' in window);
		for (const channel of ['color', 'segmentation'] as const) {
			const { differing, colors, drawn, others } = await page.evaluate(
				(wanted) => window.culling.culled(wanted),
				channel,
			);
			expect(differing).toBe(0);
			expect(colors).toBeGreaterThan(20);
			expect(others.every((count) => count === ENTITIES)).toBe(true);
			expect(drawn[0]).toBeLessThan(ENTITIES / 2);
			// The shadow pass draws more entities than the camera sees.
			if (channel === 'color') expect(drawn[1]).toBeGreaterThan(drawn[0]!);
		}
		const { differing, colors } = await page.evaluate(() => window.culling.blended());
		expect(colors).toBeGreaterThan(20);
		// Where two surfaces meet, rounding of positions may change a few pixels.
		expect(differing).toBeLessThan(8);
		await page.close();
	});
});
