/** Worlds with any history, forks and snapshots, handed from tab to tab through a relay: they have the same future there. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRelay } from '../../relay/server.ts';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import { digest, futureDigest } from '../../web/sim/core/digest.ts';
import type { World } from '../../web/sim/core/world.ts';
import { step } from '../../web/sim/step.ts';
import { bodyHistories, type Command, histories, relive } from '../support/arbitraries.ts';
import { caller, testEngine } from '../support/engine.ts';
import { check, SEED } from '../support/property.ts';
import { openEngineTab, openTakingTab, type Taking } from './engine-tab.ts';

let data: string;
beforeAll(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-handovers-'));
});
afterAll(() => rm(data, { recursive: true, force: true }));

/** Every world of an engine: main, forks and snapshots. */
const worldsOf = (engine: Engine): World[] =>
	engine.worlds.all().flatMap(({ world, snapshots }) => [world, ...snapshots.map((kept) => kept.world)]);

/** Of each, its digests now and after each of the next ticks, on clones. */
function futures(engine: Engine, ticks: number): string[][] {
	return worldsOf(engine).map((world) => {
		const copy = clone(world);
		const seen = [digest(copy), futureDigest(copy)];
		for (let tick = 0; tick < ticks; tick++) {
			step(copy);
			seen.push(digest(copy), futureDigest(copy));
		}
		dispose(copy);
		return seen;
	});
}

async function handOnAndOn(before: readonly Command[], after: readonly Command[]): Promise<void> {
	const relay = await startRelay({
		port: 0,
		data,
		page: { html: async () => '<!doctype html><html><head></head><body></body></html>', serve: () => false },
	});
	const first = await createEngine();
	const tab = await openEngineTab(relay.url, first);
	const takers: Taking[] = [];
	try {
		const { must } = testEngine(first);
		await relive(testEngine(first), before);
		await must('POST', '/fork', { fork_id: 'plan' });
		await must('POST', '/snapshot?world=plan', { label: 'kept' });
		await relive(testEngine(first), after, 'plan');
		await must('POST', '/fork', { fork_id: 'deep', from: 'plan' });
		let holder = first;
		for (let turn = 0; turn < 2; turn++) {
			const expected = futures(holder, 3);
			const taking = await openTakingTab(relay.url);
			takers.push(taking);
			await taking.tab.until('ready');
			holder = taking.engine();
			expect(futures(holder, 3)).toEqual(expected);
			// And what is done through the relay then goes on from there.
			const through = caller(async (request) => {
				const query = request.query === '' ? '' : `?${request.query}`;
				const response = await fetch(`${relay.url}${request.path}${query}`, {
					method: request.method,
					headers: request.headers,
					...(request.method === 'GET' ? {} : { body: new Uint8Array(request.body) }),
				});
				return { status: response.status, headers: {}, body: new Uint8Array(await response.arrayBuffer()) };
			});
			for (const [i, { id }] of holder.worlds.all().entries()) {
				const at = holder.worlds
					.all()
					.slice(0, i)
					.reduce((sum, { snapshots }) => sum + 1 + snapshots.length, 0);
				const { body } = await through('POST', `/step?world=${id}`, { ticks: 3 });
				expect(body.state_digest).toBe(expected[at]![6]);
			}
		}
	} finally {
		for (const taking of takers) taking.tab.close();
		tab.close();
		await relay.close();
		for (const engine of [first, ...takers.map(({ engine }) => engine())]) {
			for (const world of worldsOf(engine)) dispose(world);
			engine.close();
		}
	}
}

describe(`handed over through the relay (seed ${SEED})`, () => {
	test('worlds with any history have the same future there, tick by tick', () =>
		check(12, [histories(20), histories(10)], handOnAndOn));

	test('bodies to which anything happened too', () => check(25, [bodyHistories, bodyHistories], handOnAndOn));
});
