/**
 * Benchmark in Chromium: the work of the page for a picture, compared with hand-written three.js.
 * Owns: the list of cases. The scenes are in test/web/render/page/bench.ts and hand-written.ts.
 */

import { launchBrowser } from '../support/browser.ts';
import type { BenchResult } from '../web/render/page/bench.ts';
import { servePage } from '../web/render/serve-page.ts';
import { type Result, ratioResult } from './measure.ts';

const ROUNDS = 60;
const CASES = [
	{ name: 'things', what: '10 000 moving meshes of 8 kinds, 1 000 health bars' },
	{ name: 'crowd', what: '50 000 moving meshes of 8 kinds around the camera, those in view' },
	{ name: 'foliage', what: '100 000 plants' },
	{ name: 'particles', what: '50 000 particles' },
	{ name: 'all', what: 'all three in one world' },
];

export async function benchDrawing(): Promise<Result[]> {
	const served = await servePage();
	const browser = await launchBrowser();
	try {
		const results: Result[] = [];
		for (const forceWebGL of [false, true])
			for (const { name, what } of CASES) {
				const page = await browser.newPage();
				await page.goto(`${served.url}bench.html`);
				await page.waitForFunction(() => 'bench' in window);
				const found = await page.evaluate(
					(...given) =>
						(window as unknown as { bench(...given: unknown[]): Promise<BenchResult> }).bench(...given),
					name,
					ROUNDS,
					forceWebGL,
				);
				results.push({
					...ratioResult(
						'draw',
						`submission of ${what}, ${found.backend}`,
						found.view_ms,
						'hand-written three.js',
						found.hand_written_ms,
						1.2,
						`${found.view_draws} draws against ${found.hand_written_draws}`,
					),
					...(forceWebGL ? {} : { differs: 'work of the page for a picture, without rasterising it' }),
				});
				await page.close();
			}
		results.push(...(await crowd(browser, served.url)));
		return results;
	} finally {
		await browser.close();
		await served.close();
	}
}

const CROWD = 10_000;
const CROWD_ROUNDS = 7;

/** Measures a picture of villagers around the camera. Levels of detail keep its cost near that of boxes. */
async function crowd(browser: Awaited<ReturnType<typeof launchBrowser>>, url: string): Promise<Result[]> {
	const page = await browser.newPage();
	await page.goto(`${url}bench.html`);
	await page.waitForFunction(() => 'crowds' in window);
	const { boxes_ms, villagers_ms, full_ms } = await page.evaluate(
		(count, rounds) => window.crowds(count, rounds),
		CROWD,
		CROWD_ROUNDS,
	);
	await page.close();
	const name = 'picture of 640 x 360 with 10 000 villagers around the camera';
	return [
		ratioResult('draw', name, villagers_ms, 'boxes in their place', boxes_ms, 4),
		ratioResult('draw', `${name}, in full detail`, full_ms, 'boxes in their place', boxes_ms),
	];
}
