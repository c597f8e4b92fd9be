/**
 * Global set-up of the browser tests: the built page, a server for the view's test page, and a Chromium for each worker.
 * Owns: all three, and ending every process of the run, even if it is interrupted.
 */

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { ensureBuilt } from '../../../relay/build.ts';
import { launchBrowser } from '../../support/browser.ts';
import { servePage } from '../../web/render/serve-page.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** Address of the view's test page. */
		viewPage: string;
		/** WebSocket endpoint of each worker's Chromium. */
		browsers: string[];
	}
}

/** Environment variable that marks every process that the run starts. */
const MARK = 'ORRERY_BROWSER_TESTS';

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
	const mark = randomUUID();
	process.env[MARK] = mark;
	process.on('exit', () => endMarked(mark));
	const served = servePage();
	const launched = Array.from({ length: project.config.maxWorkers }, () => launchBrowser());
	const end = async (): Promise<void> => {
		const results = await Promise.allSettled([served, ...launched]);
		await Promise.all(results.map((item) => item.status === 'fulfilled' && item.value.close()));
		endMarked(mark);
	};
	try {
		const [page, browsers] = await Promise.all([served, Promise.all(launched), ensureBuilt()]);
		project.provide('viewPage', page.url);
		project.provide(
			'browsers',
			browsers.map((browser) => browser.wsEndpoint()),
		);
	} catch (error) {
		// A browser that still runs would keep the run from ending.
		await end();
		throw error;
	}
	return end;
}

/** Kills the marked processes but this one. Only Linux lists the environment of processes. */
function endMarked(mark: string): void {
	if (process.platform !== 'linux') return;
	for (const name of readdirSync('/proc')) {
		const pid = Number(name);
		if (Number.isNaN(pid) || pid === process.pid) continue;
		try {
			if (readFileSync(`/proc/${name}/environ`, 'utf8').includes(`${MARK}=${mark}`))
				process.kill(pid, 'SIGKILL');
		} catch {
			// It ended meanwhile, or belongs to another user.
		}
	}
}
