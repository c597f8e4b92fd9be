/** Worlds with any history, forks and snapshots have the same future after a relay moved them to another tab. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRelay } from '../../relay/server.ts';
import type { Engine } from '../../web/host/engine.ts';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import { digest, futureDigest } from '../../web/sim/core/digest.ts';
import type { World } from '../../web/sim/core/world.ts';
import { step } from '../../web/sim/step.ts';
import { bodyHistories, type Command, histories, relive } from '../support/arbitraries.ts';
import { caller, testEngine } from '../support/engine.ts';
import { check, SEED } from '../support/property.ts';
import { type JournalPage, openJournalPage } from './journal-tab.ts';

let data: string;
beforeAll(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-handovers-'));
});
afterAll(() => rm(data, { recursive: true, force: true }));

/** Returns every world of an engine: main, forks and snapshots. */
const worldsOf = (engine: Engine): World[] =>
	engine.worlds
		.all()
		.flatMap(({ world, snapshots }) => [world, ...snapshots.map((snapshot) => snapshot.world)]);

/** Returns the digests of each world now and after each of the next ticks, from clones. */
function futures(engine: Engine, ticks: number): string[][] {
	return worldsOf(engine).map((world) => {
		const copy = clone(world);
		const digests = [digest(copy), futureDigest(copy)];
		for (let tick = 0; tick < ticks; tick++) {
			step(copy);
			digests.push(digest(copy), futureDigest(copy));
		}
		dispose(copy);
		return digests;
	});
}

async function handOverTwice(before: readonly Command[], after: readonly Command[]): Promise<void> {
	const relay = await startRelay({
		port: 0,
		data,
		page: { html: async () => '<!doctype html><html><head></head><body></body></html>', serve: () => false },
	});
	const pages: JournalPage[] = [];
	try {
		const owner = async (): Promise<Engine> => (await pages.at(-1)!.tab).engine;
		pages.push(await openJournalPage(relay.url));
		const first = await owner();
		const { must } = testEngine(first);
		await relive(testEngine(first), before);
		await must('POST', '/fork', { fork_id: 'plan' });
		await must('POST', '/snapshot?world=plan', { label: 'kept' });
		await relive(testEngine(first), after, 'plan');
		await must('POST', '/fork', { fork_id: 'deep', from: 'plan' });
		for (let handover = 0; handover < 2; handover++) {
			const expected = futures(await owner(), 3);
			const next = await openJournalPage(relay.url);
			pages.push(next);
			next.page.claim();
			const holder = await owner();
			expect(futures(holder, 3)).toEqual(expected);
			// Calls through the relay continue from the moved worlds.
			const through = caller(async (request) => {
				const query = request.query === '' ? '' : `?${request.query}`;
				const response = await fetch(`${relay.url}${request.path}${query}`, {
					method: request.method,
					headers: request.headers,
					...(request.method === 'GET' ? {} : { body: new Uint8Array(request.body) }),
				});
				return { status: response.status, headers: {}, body: new Uint8Array(await response.arrayBuffer()) };
			});
			let at = 0;
			for (const { id, snapshots } of holder.worlds.all()) {
				const { body } = await through('POST', `/step?world=${id}`, { ticks: 3 });
				expect(body.state_digest).toBe(expected[at]![6]);
				at += 1 + snapshots.length;
			}
		}
	} finally {
		const engines = await Promise.all(pages.map(async ({ tab }) => (await tab).engine));
		for (const page of pages) page.close(true);
		await relay.close();
		for (const engine of engines) for (const world of worldsOf(engine)) dispose(world);
	}
}

describe(`moved through the relay (seed ${SEED})`, () => {
	test('worlds of any history have the same future afterwards, tick by tick', () =>
		check(2, [histories(20), histories(10)], handOverTwice));

	test('bodies under random changes have the same future afterwards', () =>
		check(3, [bodyHistories, bodyHistories], handOverTwice));
});
