/** Shares of agents in the entities that ticks spawn. */

import { expect, test } from 'vitest';
import { sample, startChance } from '../../../../web/sim/core/chance.ts';
import { MAX_ENTITIES } from '../../../../web/sim/core/entities.ts';
import { createWorld } from '../../../../web/sim/create-world.ts';
import { setShare, spawnWithinShare } from '../../../../web/sim/owners/shares.ts';

test('in a world with entities of agents, spawns of ticks use at most half of the slots', () => {
	const world = createWorld({ profile: 'bare', seed: 1 });
	const spawnFor = (agent?: number) => () => spawnWithinShare(world, agent, () => 'made');
	world.entities.count = MAX_ENTITIES / 2;
	world.chance = startChance(sample);
	expect(spawnFor()()).toBe('made');
	setShare(world, 1, 5);
	for (const agent of [undefined, 1])
		expect(spawnFor(agent)).toThrow(expect.objectContaining({ code: 'world_full' }));
	world.entities.count--;
	for (const agent of [undefined, 1]) expect(spawnFor(agent)()).toBe('made');
	world.entities.count = MAX_ENTITIES - 1;
	world.chance = null;
	expect(spawnFor()()).toBe('made');
});
