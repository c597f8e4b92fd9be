/** Benchmark of many forks in one call: clones, ticks and reads, on one thread and shared with workers. */

import { poolThreads } from '../../relay/thread/pool-threads.ts';
import { createEngine, type Engine, type EngineSettings } from '../../web/host/engine.ts';
import { clientOf, jsonOf, requestOf } from '../support/engine.ts';
import { openScene } from '../support/scenes.ts';
import { measureInTurnAsync, median, type Result, ratioResult, timeResult } from './measure.ts';
import { crowd } from './worlds.ts';

const FORKS = 1000;
const ENTITIES = 10;
/** Aim: fork-steps a second. */
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
	const times = await measureInTurnAsync(
		20,
		kinds.map(([, body]) => ({ run: () => call(engine, body) })),
	);
	await engine.close();
	return kinds.map(([name, body, most], i) => {
		const ticks = (body as { ticks?: number }).ticks || 1;
		const each = median(times[i]!) / FORKS / ticks;
		return timeResult('pool', name, each, most, `${Math.round(1000 / each)} a second, 1,000 forks in a call`);
	});
}

/** Calls about futures that workers share. */
const SHARED: readonly (readonly [name: string, path: string, body: object])[] = [
	[
		'64 games of 300 ticks',
		'/fork/step',
		{
			steps: Array.from({ length: 64 }, (_, seed) => ({ fork_id: `try${seed}`, from: 'main', seed })),
			ticks: 300,
			keep: false,
			digest: true,
		},
	],
	['sweep of 64 runs of 300 ticks', '/sweep', { seeds: 64, ticks: 300, where: { over: 'any dead' } }],
	['peek at up to 1,000 states', '/peek?world=walk', { ticks: 30, max_branches: 1000, max_ticks: 200_000 }],
];

/**
 * Starts an engine with a game, and with a fork in which two numbers walk at random. Each tick has more states, and
 * many are equal.
 */
async function gameAndWalk(settings: EngineSettings): Promise<Engine> {
	const engine = await openScene('arena', 1, settings);
	const { must } = clientOf(engine.handle);
	await must('POST', '/fork', { fork_id: 'walk' });
	const world = engine.worlds.find('walk')!;
	world.world = crowd(ENTITIES);
	for (const field of ['gold', 'level'])
		await must('POST', '/rule/create?world=walk', {
			when: 'tick:1',
			outcomes: [
				{ label: 'up', weight: 1, do: [`add_field entity:0 ${field} 1`] },
				{ label: 'stay', weight: 1 },
			],
		});
	return engine;
}

/**
 * Calls with one thread and with all. Times are unreliable on a busy machine, so the processor time is noted too: of
 * the engine's thread, and of all threads. The difference is the work of the workers and of sharing.
 */
async function shared(): Promise<Result[]> {
	const pool = poolThreads();
	const engines = [await gameAndWalk({}), await gameAndWalk({ pool })];
	const results: Result[] = [];
	for (const [name, path, body] of SHARED) {
		const used = engines.map(() => ({ own: 0, all: 0, runs: 0 }));
		const sides = engines.map((engine, i) => ({
			run: async () => {
				const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
				const answer = jsonOf(await engine.handle(requestOf('POST', path, body)));
				if (answer.ok !== true)
					throw new Error(`${path} was refused: ${JSON.stringify(answer).slice(0, 300)}`);
				const [ownMs, allMs] = [process.threadCpuUsage(own), process.cpuUsage(all)].map(
					({ user, system }) => (user + system) / 1000,
				);
				used[i]!.own += ownMs!;
				used[i]!.all += allMs!;
				used[i]!.runs++;
			},
		}));
		// The workers start.
		for (const { run } of sides) await run();
		for (const item of used) Object.assign(item, { own: 0, all: 0, runs: 0 });
		const [oneThread, manyThreads] = (await measureInTurnAsync(3, sides, 0)).map(median) as [number, number];
		const [alone, apart] = used.map(({ own, all, runs }) => ({ own: own / runs, all: all / runs }));
		const percent = (share: number) => `${Math.round(100 * share)} %`;
		results.push(
			ratioResult(
				'pool',
				`${name} on ${pool.size + 1} threads`,
				manyThreads,
				'on one',
				oneThread,
				1 / 1.9,
				`processor time: engine ${percent(apart!.own / alone!.own)}, all threads ${percent(apart!.all / alone!.all)} of one thread's`,
			),
		);
	}
	for (const engine of engines) await engine.close();
	return results;
}

export async function benchForkPool(): Promise<Result[]> {
	return [...(await small()), ...(await shared())];
}
