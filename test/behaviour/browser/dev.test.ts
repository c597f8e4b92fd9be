/**
 * `npm run dev` runs the same program as `npm start`, but serves the page from its sources.
 * Only `npm run deep` tests it, because Vite prepares the packages of the page for half a minute.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { times } from '../../support/seed.ts';
import { startOrrery } from './start.ts';
import { openTabs } from './tabs.ts';

test.runIf(times(1) > 1)(
	'the page is reloaded by vite, and scene, journal and sign-in are those of npm start',
	async () => {
		const data = await mkdtemp(join(tmpdir(), 'orrery-dev-'));
		const flags = ['--dev', '--no-open', '--auth', '--scene', 'towers'];
		const orrery = await startOrrery(flags, { data, words: 'Open http' });
		const browser = await openTabs();
		try {
			const page = await browser.newPage();
			const connected = new Promise<void>((resolve) =>
				page.on('console', (message) => {
					if (message.text().includes('[vite] connected')) resolve();
				}),
			);
			await page.goto(orrery.url);
			await connected;
			await orrery.untilOutput('Orrery is ready');
			const status = await (await fetch(`${orrery.url}/`)).json();
			expect(status.entity_count).toBeGreaterThan(1);
			const headers = { 'content-type': 'application/json' };
			const refused = await fetch(`${orrery.url}/reset`, { method: 'POST', headers, body: '{}' });
			expect(refused.status).toBe(401);
			const journal = await (await fetch(`${orrery.url}/journal`)).json();
			expect(journal).toMatchObject({ works: true });
		} finally {
			await browser.close();
			expect(await orrery.stop()).toBe(143);
			await rm(data, { recursive: true, force: true });
		}
	},
);
