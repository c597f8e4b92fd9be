/**
 * A system that breaks the rules of systems, for tests of the checks that detect it.
 * Owns: the system, and adding it to the schedule for the tests of one file.
 */

import { afterAll, beforeAll } from 'vitest';
import { Gold } from '../../shared/components/gold.ts';
import type { System } from '../../web/sim/core/system.ts';
import { read, type World, write } from '../../web/sim/core/world.ts';
import { schedule } from '../../web/sim/schedule.ts';

/** Adds a system that sets the gold of all entities to `next(world)` on each tick. */
export function faulty(next: (world: World) => number): void {
	const system: System = {
		name: 'count-in-secret',
		needs: [Gold],
		access: { reads: ['gold'], writes: ['gold.amount'] },
		run(world) {
			const amount = next(world);
			if (amount === read(world, Gold, 'amount')[0]) return;
			write(world, Gold, 'amount').fill(amount);
		},
	};
	const systems = schedule as System[];
	// Not at the end, so that other systems follow.
	beforeAll(() => void systems.splice(systems.length - 3, 0, system));
	afterAll(() => void systems.splice(systems.indexOf(system), 1));
}
