/**
 * The two ends of a handover: the worlds of an engine that holds still, and what both sides compare.
 * Owns: neither the way between them nor when it begins.
 */

import { digest } from '../sim/core/digest.ts';
import { createEngine, type Engine, type EngineSettings } from './engine.ts';
import type { SavedWorlds } from './frames.ts';
import type { Worlds } from './worlds.ts';

/** Worlds on offer. The engine applies no call and makes no tick until `keep` is called. */
export interface GivenWorlds {
	readonly saved: SavedWorlds;
	readonly digests: string;
	/** Of main. */
	readonly tick: number;
	/** They stay here after all: the engine goes on. */
	keep(): void;
}

/** Saves all worlds when every call that came before is done and in the journal, and holds the engine still. Rejects where that cannot have them. */
export function giveWorlds(engine: Engine): Promise<GivenWorlds> {
	return new Promise((resolve, reject) => {
		const still = engine.alone(async () => {
			await engine.rest(true);
			await new Promise<void>((keep) => {
				resolve({
					saved: engine.save(),
					digests: digestsOf(engine.worlds),
					tick: engine.worlds.main.world.tick,
					keep,
				});
			});
		});
		still.catch(reject);
	});
}

/** An engine with worlds that were given. Rejects when they are not what was sent. */
export async function takenIn(settings: EngineSettings, digests: string | undefined): Promise<Engine> {
	const engine = await createEngine(settings);
	if (digests !== digestsOf(engine.worlds))
		throw new Error('The received worlds differ from those that were sent.');
	return engine;
}

/** The digests of every world and snapshot, in order, as one text. */
export function digestsOf(worlds: Worlds): string {
	return worlds
		.all()
		.map(({ id, world, snapshots }) =>
			[id, digest(world), ...snapshots.map((snapshot) => digest(snapshot.world))].join(' '),
		)
		.join('\n');
}
