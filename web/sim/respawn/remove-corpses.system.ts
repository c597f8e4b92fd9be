/** Removes corpses whose time has come. */

import { CorpseTimer } from '../../../shared/components/corpse-timer.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { count, despawn, each, has, read, remove, type World } from '../core/world.ts';

export function removeCorpses(world: World): void {
	if (count(world, CorpseTimer) === 0) return;
	const at = read(world, CorpseTimer, 'at');
	each(world, [CorpseTimer], (slot) => {
		if (!has(world, slot, Dead)) remove(world, slot, CorpseTimer);
		else if (world.tick >= at[slot]!) despawn(world, slot);
	});
}
