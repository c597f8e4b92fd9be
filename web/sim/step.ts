/**
 * One tick of a world.
 * Owns: nothing; it runs the schedule, then ends the tick.
 */

import { swapEvents } from './core/events.ts';
import type { World } from './core/world.ts';
import { schedule } from './schedule.ts';

/** Told before and after each system, so that a host can time them. */
export interface StepObserver {
	before(system: string): void;
	after(system: string): void;
}

/** Advances a world by one tick of 1/60 s. */
export function step(world: World, observer?: StepObserver): void {
	for (const system of schedule) {
		observer?.before(system.name);
		system.run(world);
		observer?.after(system.name);
	}
	swapEvents(world);
	world.tick++;
	world.version++;
}
