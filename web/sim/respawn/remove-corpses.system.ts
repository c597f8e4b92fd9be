/** System that removes corpses when their time is over. */

import { CorpseTimer } from '../../../shared/components/corpse-timer.ts';
import { Dead } from '../../../shared/components/dead.ts';
import type { System } from '../core/system.ts';
import { despawn, each, has, read, remove, type World } from '../core/world.ts';

export const removeCorpses: System = {
	name: 'remove-corpses',
	needs: [CorpseTimer],
	access: {
		reads: ['corpse_timer', 'dead'],
		writes: ['corpse_timer'],
		queries: [{ with: ['corpse_timer'], writes: ['entities'] }],
	},
	run,
};

function run(world: World): void {
	const removalTicks = read(world, CorpseTimer, 'at');
	each(world, [CorpseTimer], (slot) => {
		if (!has(world, slot, Dead)) remove(world, slot, CorpseTimer);
		else if (world.tick >= removalTicks[slot]!) despawn(world, slot);
	});
}
