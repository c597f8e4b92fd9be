/**
 * Engines for random histories, and the futures of their worlds.
 * Owns: freeing every world of the engine, even if the test fails.
 */

import type { EngineSettings } from '../../web/host/engine.ts';
import { dispose } from '../../web/sim/core/clone.ts';
import { digest } from '../../web/sim/core/digest.ts';
import type { World } from '../../web/sim/core/world.ts';
import { step } from '../../web/sim/step.ts';
import { HEAVY, startEngine, type TestEngine } from './engine.ts';

/** Runs `work` in a new engine, by default in heavy mode. */
export async function inEngine(
	work: (engine: TestEngine) => Promise<void>,
	settings: EngineSettings = HEAVY,
): Promise<void> {
	const engine = await startEngine(settings);
	try {
		await work(engine);
	} finally {
		for (const { world, snapshots } of engine.engine.worlds.all()) {
			dispose(world);
			for (const snapshot of snapshots) dispose(snapshot.world);
		}
		engine.engine.close();
	}
}

/** Returns the digests of a world now and after each of the next ticks. */
export function future(world: World, ticks: number): string[] {
	const digests = [digest(world)];
	for (let i = 0; i < ticks; i++) {
		step(world);
		digests.push(digest(world));
	}
	return digests;
}
