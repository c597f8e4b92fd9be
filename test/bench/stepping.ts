/** Benchmark: one call of many ticks, compared with a plain loop. */

import { createEngine } from '../../web/host/engine.ts';
import type { World } from '../../web/sim/core/world.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { step } from '../../web/sim/step.ts';
import { measureInTurnAsync, median, type Result, ratioResult, timeResult, timeRun } from './measure.ts';
import { crowd, swarm } from './worlds.ts';

/** Measures one call of `ticks` ticks and a plain loop of as many, each on its own copy of the world. */
async function compareStep(
	name: string,
	ticks: number,
	make: () => World,
): Promise<[ours: number, theirs: number]> {
	const engine = await createEngine();
	engine.worlds.main.world = make();
	const plain = make();
	const request = {
		method: 'POST',
		path: '/step',
		query: '',
		headers: { 'content-type': 'application/json' },
		body: new TextEncoder().encode(JSON.stringify({ ticks })),
	};
	const [ours, theirs] = (
		await measureInTurnAsync(10, [
			{ run: () => engine.handle(request) },
			{
				run: async () => {
					for (let i = 0; i < ticks; i++) step(plain);
				},
			},
		])
	).map(median) as [number, number];
	engine.close();
	if (engine.worlds.main.world.tick !== plain.tick) throw new Error(`${name}: the two did not tick alike`);
	return [ours, theirs];
}

/** Number of ticks in a run, because one is too short to measure. */
const EMPTY_TICKS = 20_000;
/** Number of rounds. The first two do not count. */
const ROUNDS = 9;

/** Returns the time of a tick of a world without entities (ms). */
function emptyTickTime(): number {
	const world = createWorld();
	const times = Array.from({ length: ROUNDS }, () =>
		timeRun(() => {
			for (let i = 0; i < EMPTY_TICKS; i++) step(world);
		}),
	);
	return median(times.slice(2)) / EMPTY_TICKS;
}

export async function benchSteps(): Promise<Result[]> {
	const [moving, loop] = await compareStep('moving', 1000, () => swarm(200));
	const [idle, idleLoop] = await compareStep('idle', 10_000, () => crowd(100));
	const overhead = (idle - idleLoop) / 10_000;
	return [
		timeResult('step', 'tick of an empty world', emptyTickTime(), 0.0016),
		ratioResult('step', 'one call of 1000 ticks, 200 moving bodies', moving, 'plain loop', loop, 1.1),
		timeResult('step', 'what a call adds to each tick of a world at rest', overhead, 0.002),
	];
}
