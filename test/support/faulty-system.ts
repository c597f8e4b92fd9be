/**
 * Systems that break what holds for all others, for tests of what finds that out.
 * Owns: putting one into the schedule, for the tests of one file, and what it does.
 */

import { afterAll, beforeAll } from 'vitest';
import { Gold } from '../../shared/components/gold.ts';
import type { System } from '../../web/sim/core/system.ts';
import { read, type World, write } from '../../web/sim/core/world.ts';
import { schedule } from '../../web/sim/schedule.ts';

/** Adds up, in all with gold, what `next` gives on each tick. */
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
	// In the midst of the others.
	beforeAll(() => void systems.splice(systems.length - 3, 0, system));
	afterAll(() => void systems.splice(systems.indexOf(system), 1));
}
