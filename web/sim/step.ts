/**
 * One tick of a world.
 * Owns: nothing; it runs the schedule, then ends the tick.
 */

import { type Choice, type Chooser, sample, startChance } from './core/chance.ts';
import { swapEvents } from './core/events.ts';
import type { World } from './core/world.ts';
import { schedule } from './schedule.ts';

/** Told before and after each system, so that a host can time them. */
export interface StepObserver {
	before(system: string): void;
	after(system: string): void;
}

/** Advances a world by one tick of 1/60 s; what chance decided in it, in order. */
export function step(world: World, observer?: StepObserver, chooser: Chooser = sample): readonly Choice[] {
	const run = startChance(chooser);
	world.chance = run;
	try {
		for (const system of schedule) {
			observer?.before(system.name);
			system.run(world);
			observer?.after(system.name);
		}
	} finally {
		world.chance = null;
	}
	endTick(world);
	return run.choices;
}

/** What comes after the last system: events move on, the tick counts. */
export function endTick(world: World): void {
	swapEvents(world);
	world.tick++;
	world.version++;
}
