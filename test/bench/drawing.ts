/**
 * Draw submission of 10 000 moving meshes against a hand-written InstancedMesh scene, in Chromium.
 * Owns: nothing; both scenes are in test/web/render/page/bench.ts.
 */

import { launchBrowser } from '../support/browser.ts';
import { servePage } from '../web/render/serve-page.ts';
import { compared, type Result } from './measure.ts';

export async function drawing(): Promise<Result[]> {
	const served = await servePage();
	const browser = await launchBrowser();
	try {
		const results: Result[] = [];
		for (const forceWebGL of [false, true]) {
			const page = await browser.newPage();
			await page.goto(`${served.url}bench.html`);
			await page.waitForFunction(() => 'bench' in window);
			const { backend, view_ms, hand_written_ms } = await page.evaluate(
				(force) =>
					(
						window as unknown as {
							bench(
								count: number,
								rounds: number,
								force: boolean,
							): Promise<{ backend: string; view_ms: number; hand_written_ms: number }>;
						}
					).bench(10_000, 120, force),
				forceWebGL,
			);
			results.push(
				compared(
					'draw',
					`submission of 10 000 moving meshes, ${backend}`,
					view_ms,
					'hand-written InstancedMesh',
					hand_written_ms,
					1.2,
				),
			);
			await page.close();
		}
		return results;
	} finally {
		await browser.close();
		await served.close();
	}
}
