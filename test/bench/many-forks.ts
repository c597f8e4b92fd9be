/** Many forks in one call: clones, ticks and what is read of them, alone and shared with workers. */

import { poolThreads } from '../../relay/thread/pool-threads.ts';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { jsonOf, requestOf } from '../support/engine.ts';
import { openScene } from '../support/scenes.ts';
import { alone, compared, inTurnAsync, median, type Result } from './measure.ts';
import { crowd } from './worlds.ts';

const FORKS = 1000;
const ENTITIES = 10;
/** Fork-steps a second that are aimed at. */
const AIM = 100_000;

const ids = Array.from({ length: FORKS }, (_, i) => ({ fork_id: `fork${i}` }));
const fresh = ids.map((step, seed) => ({ ...step, from: 'main', seed }));

async function call(engine: Engine, body: object): Promise<void> {
	const { failed, ...answer } = jsonOf(await engine.handle(requestOf('POST', '/fork/step', body)));
	if (failed !== 0) throw new Error(`the steps were refused: ${JSON.stringify(answer).slice(0, 300)}`);
}

async function small(): Promise<Result[]> {
	const engine = await createEngine();
	engine.worlds.main.world = crowd(ENTITIES);
	await call(engine, { steps: fresh, ticks: 0 });
	const kinds: [string, object, number?][] = [
		['clone of a small world, in place of a fork', { steps: fresh, ticks: 0 }],
		['tick of a small fork', { steps: ids }, 1000 / AIM],
		['tick of a small fork, 100 in a row', { steps: ids, ticks: 100 }, 1000 / AIM],
		['tick of a small fork, with digest', { steps: ids, digest: true }],
		['tick of a small fork, with two fields', { steps: ids, fields: ['health', 'position.x'] }],
		['tick of a small fork, with a condition', { steps: ids, where: ['field:health<50'] }],
	];
	const times = await inTurnAsync(
		20,
		kinds.map(([, body]) => ({ run: () => call(engine, body) })),
	);
	await engine.close();
	return kinds.map(([name, body, most], i) => {
		const ticks = (body as { ticks?: number }).ticks || 1;
		const each = median(times[i]!) / FORKS / ticks;
		return alone('pool', name, each, most, `${Math.round(1000 / each)} a second, 1,000 forks in a call`);
	});
}

/** Rollouts of a game with one thread and with all. */
async function shared(): Promise<Result[]> {
	const pool = poolThreads();
	const engines = [await openScene('arena', 1), await openScene('arena', 1, { pool })];
	const steps = Array.from({ length: 64 }, (_, seed) => ({ fork_id: `try${seed}`, from: 'main', seed }));
	const sides = engines.map((engine) => ({
		run: () => call(engine, { steps, ticks: 300, keep: false, digest: true }),
	}));
	// The workers start.
	for (const { run } of sides) await run();
	const [one, all] = (await inTurnAsync(3, sides, 0)).map(median) as [number, number];
	for (const engine of engines) await engine.close();
	const name = `64 games of 300 ticks on ${pool.size + 1} threads`;
	return [compared('pool', name, all, 'on one', one, 1 / 1.9)];
}

export async function manyForks(): Promise<Result[]> {
	return [...(await small()), ...(await shared())];
}
