/**
 * The suite in a tab: the same calls lead to the same verdicts and answers as in Node.
 * Owns: that comparison. `npm run deep` makes it for all tasks.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE } from '../../../relay/folders.ts';
import { type Relay, startRelay } from '../../../relay/server.ts';
import { builtPage } from '../../../relay/static-page.ts';
import { openEngine } from '../../../relay/suite/engine.ts';
import { taskWith } from '../../../relay/suite/numbers.ts';
import { reference, runTask } from '../../../relay/suite/run-task.ts';
import { tasks } from '../../../shared/suite/index.ts';
import { times } from '../../support/property.ts';
import { openTabs, type Tabs } from './tabs.ts';

let folder: string;
let relay: Relay;
let tabs: Tabs;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-suite-'));
	relay = await startRelay({ port: 0, data: folder, page: await builtPage(PAGE) });
	tabs = await openTabs();
	await (await tabs.newPage()).goto(relay.url);
});
afterAll(async () => {
	await tabs.close();
	await relay.close();
	await rm(folder, { recursive: true, force: true });
});

/** One that draws, one with bodies, one with a fight, one with a path, one that is played, one about the past. */
const SOME = [
	'exact-trap',
	'shelf',
	'same-digest',
	'where-it-is',
	'who-killed',
	'blocked-path',
	'coins',
	'last-way-out',
];

test('a score is the same in a tab and in Node', async () => {
	const tab = await openEngine(relay.url);
	const node = await openEngine(undefined);
	for (const seed of [1, 2])
		for (const task of tasks.filter(({ id }) => times(1) > 1 || SOME.includes(id))) {
			const [here, there] = [node, tab].map(({ handle }) =>
				runTask(taskWith(task, seed), handle, seed, reference),
			);
			expect(await there, task.id).toEqual(await here);
			expect((await here!).passed).toBe(true);
		}
	await tab.close();
	await node.close();
});
