/** A tick runs only the systems with work, and the skipped ones would change nothing. */

import { expect, test, vi } from 'vitest';
import { sample, startChance } from '../../../web/sim/core/chance.ts';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { swapEvents } from '../../../web/sim/core/events.ts';
import { clearResource } from '../../../web/sim/core/resource.ts';
import { schedule } from '../../../web/sim/schedule.ts';
import { step } from '../../../web/sim/step.ts';
import { freshWorld } from '../../support/engine.ts';
import { fullWorld } from '../../support/every-component.ts';

test('in an empty world, only physics and rules run', async () => {
	const world = await freshWorld();
	const spies = schedule.map((system) => vi.spyOn(system, 'run'));
	step(world);
	const ran = schedule.filter((_, i) => spies[i]!.mock.calls.length > 0).map(({ name }) => name);
	for (const spy of spies) spy.mockRestore();
	expect(ran).toEqual(['step-physics', 'run-rules']);
});

test('a system changes nothing without the events or resources that it awaits', async () => {
	const world = await fullWorld();
	for (let i = 0; i < 2; i++) swapEvents(world);
	for (const resource of world.declared) clearResource(world, resource);
	const before = Buffer.from(encodeWorld(world));
	const waiting = schedule.filter(({ awaits }) => awaits !== undefined);
	expect(waiting.length).toBeGreaterThan(5);
	for (const system of waiting) {
		const copy = clone(world);
		copy.chance = startChance(sample);
		system.run(copy);
		copy.chance = null;
		expect(before.equals(encodeWorld(copy)), system.name).toBe(true);
		dispose(copy);
	}
});
