/** Aspect: if a change sets health or mana, earlier bonuses end, and a dead entity with health is revived. */

import { reviveWithHealth } from '../combat/damage.ts';
import { clearBonus, resolveStats } from '../stats/resolve-stats.ts';
import type { Aspect } from './aspect.ts';

export const vitals: Aspect = {
	begin(world, { id }, { document: { health, mana }, ...coming }) {
		if (coming.id === null || (health == null && mana == null)) return;
		if (health != null) clearBonus(world, id, 'health');
		if (mana != null) clearBonus(world, id, 'mana');
		resolveStats(world, id);
		if (health != null) reviveWithHealth(world, id);
	},
};
