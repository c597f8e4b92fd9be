/** Reading entities through the engine, with and without changes, against JSON.stringify of objects that are ready. */

import { LocalTransform } from '../../shared/components/local-transform.ts';
import { createEngine } from '../../web/host/engine.ts';
import { type World, write } from '../../web/sim/core/world.ts';
import { requestOf } from '../support/engine.ts';
import { measureInTurnAsync, median, type Result, ratioResult, timeResult } from './measure.ts';
import { crowd } from './worlds.ts';

const FEW = 1000;
const MANY = 10_000;
/** Growth of n log n from few entities to many. */
const N_LOG_N = (MANY * Math.log(MANY)) / (FEW * Math.log(FEW));

const encoder = new TextEncoder();

/** Moves every entity a little. */
function stir(world: World): void {
	const position = write(world, LocalTransform, 'position');
	for (let i = 0; i < position.length; i++) position[i]! += 0.01;
}

/** Returns the milliseconds of a read, and its bytes, in a world without a change and in one in which all has moved. */
async function read(count: number, rounds: number) {
	const engine = await createEngine();
	const world = crowd(count);
	engine.worlds.main.world = world;
	const request = requestOf('POST', '/observe', {});
	const run = () => engine.handle(request);
	const { body } = await run();
	const ready = JSON.parse(new TextDecoder().decode(body)) as unknown;
	const times = await measureInTurnAsync(rounds, [
		{ before: () => stir(world), run },
		{ run: async () => encoder.encode(JSON.stringify(ready)) },
		// Reads that change nothing follow each other.
		{ before: run, run },
	]);
	await engine.close();
	const [moved, ideal, unchanged] = times.map(median) as [number, number, number];
	return { moved, ideal, unchanged, kib: Math.round(body.length / 1024) };
}

export async function benchObserve(): Promise<Result[]> {
	const few = await read(FEW, 60);
	const many = await read(MANY, 30);
	const growth = (what: string, key: 'moved' | 'unchanged'): Result =>
		ratioResult(
			'observe',
			`observe, 10 000 entities ${what}`,
			many[key],
			'1 000, grown by n log n',
			few[key] * N_LOG_N,
			1,
		);
	return [
		timeResult('observe', 'observe, 1 000 entities without a change', few.unchanged, 1),
		growth('without a change', 'unchanged'),
		growth('that all moved', 'moved'),
		ratioResult(
			'observe',
			'observe, 10 000 entities that all moved',
			many.moved,
			'JSON.stringify of ready objects',
			many.ideal,
			undefined,
			`${many.kib} KiB`,
		),
	];
}
