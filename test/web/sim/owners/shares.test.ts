/** Shares of agents in what ticks spawn. */

import { expect, test } from 'vitest';
import { sample, startChance } from '../../../../web/sim/core/chance.ts';
import { MAX_ENTITIES } from '../../../../web/sim/core/entities.ts';
import { createWorld } from '../../../../web/sim/create-world.ts';
import { setShare, spawnWithinShare } from '../../../../web/sim/owners/shares.ts';

test('when agents own anything in a world, ticks leave half of it to calls, for any spawns', () => {
	const world = createWorld({ profile: 'bare', seed: 1 });
	const spawns = (agent?: number) => () => spawnWithinShare(world, agent, () => 'made');
	world.entities.count = MAX_ENTITIES / 2;
	world.chance = startChance(sample);
	expect(spawns()()).toBe('made');
	setShare(world, 1, 5);
	for (const agent of [undefined, 1])
		expect(spawns(agent)).toThrow(expect.objectContaining({ code: 'world_full' }));
	world.entities.count--;
	for (const agent of [undefined, 1]) expect(spawns(agent)()).toBe('made');
	world.entities.count = MAX_ENTITIES - 1;
	world.chance = null;
	expect(spawns()()).toBe('made');
});
