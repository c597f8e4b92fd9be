/** Benchmark: 100 spawns in one batch, compared with 100 calls. */

import { createEngine } from '../../web/host/engine.ts';
import { dispose } from '../../web/sim/core/clone.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { requestOf } from '../support/engine.ts';
import { measureInTurnAsync, median, type Result, ratioResult } from './measure.ts';

const COUNT = 100;

export async function benchBatches(): Promise<Result[]> {
	const engine = await createEngine();
	const bodies = Array.from({ length: COUNT }, (_, i) => ({
		mesh: 'cube',
		color: 'red',
		position: [i, 0, 0],
		health: 100,
		team: 1 + (i % 2),
		tags: ['minion'],
	}));
	const requests = bodies.map((body) => ({ path: '/spawn', body }));
	const single = bodies.map((body) => requestOf('POST', '/spawn', body));
	const before = () => {
		dispose(engine.worlds.main.world);
		engine.worlds.main.world = createWorld();
	};
	const batch = (atomic: boolean) => {
		const request = requestOf('POST', '/batch', { requests, atomic });
		return { before, run: () => engine.handle(request) };
	};
	const calls = {
		before,
		run: async () => {
			for (const request of single) await engine.handle(request);
		},
	};
	const times = await measureInTurnAsync(100, [batch(false), batch(true), calls]);
	const spawned = engine.worlds.main.world.entities.count;
	engine.close();
	if (spawned !== COUNT) throw new Error(`${spawned} were spawned instead of ${COUNT}`);
	const [plain, atomic, theirs] = times.map(median) as [number, number, number];
	return [
		ratioResult('batch', 'batch of 100 spawns', plain, '100 calls', theirs),
		ratioResult('batch', 'batch of 100 spawns, all or nothing', atomic, '100 calls', theirs),
	];
}
