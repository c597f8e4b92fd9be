/**
 * The suite of tasks gives the same verdicts and answers in a tab as in Node.
 * Owns: that comparison. `npm run deep` makes it for all tasks.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE } from '../../../relay/folders.ts';
import { type Relay, startRelay } from '../../../relay/server.ts';
import { builtPage } from '../../../relay/static-page.ts';
import { openEngine, type SuiteEngine } from '../../../relay/suite/engine.ts';
import { taskWith } from '../../../relay/suite/numbers.ts';
import { referenceSolver, runTask } from '../../../relay/suite/run-task.ts';
import { tasks } from '../../../shared/suite/index.ts';
import { times } from '../../support/seed.ts';
import { openTabs, type Tabs } from './tabs.ts';

let folder: string;
let relay: Relay;
let tabs: Tabs;
let tab: SuiteEngine;
let node: SuiteEngine;

const SEED = 1;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-suite-'));
	relay = await startRelay({ port: 0, data: folder, page: await builtPage(PAGE) });
	tabs = await openTabs();
	await (await tabs.newPage()).goto(relay.url);
	tab = await openEngine(relay.url);
	node = await openEngine(undefined);
});
afterAll(async () => {
	await node.close();
	await tab.close();
	await tabs.close();
	await relay.close();
	await rm(folder, { recursive: true, force: true });
});

/** Tasks of a normal run: one with draws, two with bodies, a digest, a path, and one that is played. */
const SELECTED_TASKS = ['exact-trap', 'shelf', 'same-digest', 'where-it-is', 'blocked-path', 'coins'];

test('a score is the same in a tab and in Node', async () => {
	for (const task of tasks.filter(({ id }) => times(1) > 1 || SELECTED_TASKS.includes(id))) {
		const [nodeScore, tabScore] = await Promise.all(
			[node, tab].map(({ handle }) => runTask(taskWith(task, SEED), handle, SEED, referenceSolver)),
		);
		// Some answers contain numbers of journal entries, which grow, so the sizes differ.
		expect(tabScore, task.id).toEqual({ ...nodeScore, bytes: expect.any(Number) });
		expect(nodeScore!.passed, task.id).toBe(true);
	}
});
