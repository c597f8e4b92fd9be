/** Benchmark: observing 10 000 entities, compared with JSON.stringify of ready objects. */

import { createEngine } from '../../web/host/engine.ts';
import { measureInTurnAsync, median, type Result, ratioResult, timeResult } from './measure.ts';
import { crowd } from './worlds.ts';

const encoder = new TextEncoder();

const request = {
	method: 'POST',
	path: '/observe',
	query: '',
	headers: { 'content-type': 'application/json' },
	body: encoder.encode('{}'),
};

/** Measures observing 1,000 unchanged entities again. */
async function readUnchanged(): Promise<Result> {
	const engine = await createEngine();
	engine.worlds.main.world = crowd(1000);
	const [times] = await measureInTurnAsync(60, [{ run: () => engine.handle(request) }]);
	engine.close();
	return timeResult('observe', 'observe, 1 000 entities without a change', median(times!), 1);
}

export async function benchObserve(): Promise<Result[]> {
	const engine = await createEngine();
	engine.worlds.main.world = crowd(10_000);
	const answer = await engine.handle(request);
	const ready = JSON.parse(new TextDecoder().decode(answer.body)) as unknown;
	const [ours, theirs] = (
		await measureInTurnAsync(30, [
			{ run: () => engine.handle(request) },
			{ run: async () => encoder.encode(JSON.stringify(ready)) },
		])
	).map(median) as [number, number];
	engine.close();
	return [
		await readUnchanged(),
		ratioResult(
			'observe',
			'observe, 10 000 entities',
			ours,
			'JSON.stringify of ready objects',
			theirs,
			undefined,
			`${Math.round(answer.body.length / 1024)} KiB`,
		),
	];
}
