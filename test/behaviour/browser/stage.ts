/**
 * Orrery with its world in a tab that a test holds: for tests that need a fresh world many times.
 * Owns: the browser, the tab, and making its world fresh.
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
	/** The tab that holds the world. */
	readonly host: Page;
	readonly url: string;
	/** Calls over HTTP, through the relay. */
	readonly handle: CallHandler;
	readonly call: Call;
	/** Makes sure of an empty world at tick 0, paused and without forks and snapshots; of a picture, too, when asked. */
	fresh(needsView?: boolean): Promise<void>;
	close(): Promise<void>;
}

/** Starts all of it in `given`, or else in small tabs of the run's browser, which leave the machine to the world. The caller closes it. */
export async function startStage(given?: Tabs): Promise<Stage> {
	const browser = given ?? (await openTabs(320, 180));
	const orrery = await startOrrery(['--no-open'], { words: 'Open http' }).catch(async (error: unknown) => {
		await browser.close();
		throw error;
	});
	const host = await browser.newPage();
	await host.goto(orrery.url);
	await orrery.untilSaid('Orrery is ready');
	await host.waitForFunction(() => navigator.serviceWorker.controller !== null);
	const handle = httpHandle(orrery.url);
	const call = caller(handle);
	async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
		const end = performance.now() + PATIENCE;
		// Each look waits for the relay's answer, which comes when there is a tab.
		while (!(await holds()))
			if (performance.now() > end) throw new Error(`${what}: not within ${PATIENCE / 1000} s.`);
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
