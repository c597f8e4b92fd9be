/** One call of many ticks against the same ticks in a plain loop. */

import { createEngine } from '../../web/host/engine.ts';
import type { World } from '../../web/sim/core/world.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { step } from '../../web/sim/step.ts';
import { alone, compared, inTurnAsync, median, type Result, timed } from './measure.ts';
import { crowd, swarm } from './worlds.ts';

/** One call of `ticks` ticks and a plain loop of as many, each on its own copy of the world. */
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
		await inTurnAsync(10, [
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

/** Ticks in a run: one is too short to be measured alone. */
const EMPTY_TICKS = 20_000;
/** Rounds, of which the first do not count. */
const ROUNDS = 9;

/** Milliseconds of a tick of a world without entities. */
function empty(): number {
	const world = createWorld();
	const times = Array.from({ length: ROUNDS }, () =>
		timed(() => {
			for (let i = 0; i < EMPTY_TICKS; i++) step(world);
		}),
	);
	return median(times.slice(2)) / EMPTY_TICKS;
}

export async function stepping(): Promise<Result[]> {
	const [moving, loop] = await compareStep('moving', 1000, () => swarm(200));
	const [idle, idleLoop] = await compareStep('idle', 10_000, () => crowd(100));
	const overhead = (idle - idleLoop) / 10_000;
	return [
		alone('step', 'tick of an empty world', empty(), 0.0016),
		compared('step', 'one call of 1000 ticks, 200 moving bodies', moving, 'plain loop', loop, 1.1),
		alone('step', 'what a call adds to each tick of a world at rest', overhead, 0.002),
	];
}
