/**
 * A running Orrery whose world is in a tab of the test, for tests that need a fresh world many times.
 * Owns: the tab, and resetting its world.
 */

import type { Page } from 'puppeteer';
import type { CallHandler } from '../../../shared/contract/wire.ts';
import { httpHandle } from '../../../shared/transport/client.ts';
import { type Call, caller } from '../../support/engine.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startOrrery } from './start.ts';
import { openTabs, type Tabs } from './tabs.ts';

export interface Stage {
	readonly browser: Tabs;
	/** The tab that owns the world. */
	readonly host: Page;
	readonly url: string;
	/** Calls over HTTP, through the relay. */
	readonly handle: CallHandler;
	readonly call: Call;
	/** Resets the world: empty, paused at tick 0, without forks and snapshots. With `needsView`, waits for a picture. */
	fresh(needsView?: boolean): Promise<void>;
	close(): Promise<void>;
}

/** Starts Orrery and a tab. Default: a small tab of the run's browser, which draws little. The caller closes the stage. */
export async function startStage(tabs?: Tabs): Promise<Stage> {
	const browser = tabs ?? (await openTabs(320, 180));
	const orrery = await startOrrery(['--no-open'], { words: 'Open http' }).catch(async (error: unknown) => {
		await browser.close();
		throw error;
	});
	const host = await browser.newPage();
	await host.goto(orrery.url);
	await orrery.untilOutput('Orrery is ready');
	await host.waitForFunction(() => navigator.serviceWorker.controller !== null);
	const handle = httpHandle(orrery.url);
	const call = caller(handle);
	async function until(name: string, holds: () => Promise<boolean>): Promise<void> {
		const end = performance.now() + PATIENCE;
		// No pause is needed: each check waits for an answer of the engine.
		while (!(await holds()))
			if (performance.now() > end) throw new Error(`${name}: not within ${PATIENCE / 1000} s.`);
	}

	return {
		browser,
		host,
		url: orrery.url,
		handle,
		call,
		async fresh(needsView = false) {
			const { forks } = (await call('GET', '/fork/list')).body as { forks: string[] };
			for (const fork of forks) await call('DELETE', `/fork/${fork}`);
			const { snapshots } = (await call('GET', '/snapshot/list')).body as { snapshots: { label: string }[] };
			for (const label of new Set(snapshots.map(({ label }) => label)))
				await call('DELETE', `/snapshot/${encodeURIComponent(label)}`);
			const { status, body } = await call('POST', '/reset', { fresh: true, seed: 0 });
			if (status !== 200) throw new Error(`The world was not reset: ${JSON.stringify(body)}`);
			if (needsView)
				await until('A picture', async () => (await call('GET', '/engine/gpu')).body.ok === true);
		},
		async close() {
			await browser.close();
			await orrery.stop();
		},
	};
}
