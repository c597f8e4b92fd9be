/** Updates resolved stats if base stats, equipment, effects or their sources have changed. */

import { BaseStats } from '../../../shared/components/base-stats.ts';
import { Building } from '../../../shared/components/building.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { CrowdControl } from '../../../shared/components/crowd-control.ts';
import { Defense } from '../../../shared/components/defense.ts';
import { Effects } from '../../../shared/components/effects.ts';
import { Health } from '../../../shared/components/health.ts';
import { Equipment } from '../../../shared/components/inventory.ts';
import { Mana } from '../../../shared/components/mana.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { Stats } from '../../../shared/components/stats.ts';
import { STATS_READ, STATS_WRITTEN } from '../../../shared/verbs/access.ts';
import type { System } from '../core/system.ts';
import { each, versionOf, type World } from '../core/world.ts';
import { resolveStats } from './resolve-stats.ts';

/** Entities with one of these are resolved. The last two are results, which are removed if they no longer apply. */
const STAT_COMPONENTS = [Effects, Equipment, BaseStats, Modifiers, Stats] as const;

/** Returns the newest version of all columns that stats depend on. */
function newestVersion(world: World): number {
	return Math.max(
		versionOf(world, Effects, 'list'),
		versionOf(world, CrowdControl, 'entries'),
		versionOf(world, Equipment, 'worn'),
		versionOf(world, BaseStats, 'stats'),
		versionOf(world, Modifiers, 'stats'),
		versionOf(world, Stats, 'values', 'bonus'),
		versionOf(world, Combat, 'damage', 'range', 'speed'),
		versionOf(world, Defense, 'armor', 'magic_resist'),
		versionOf(world, Building, 'building_type'),
		versionOf(world, Health, 'max'),
		versionOf(world, Mana, 'max', 'regen'),
	);
}

/** Resolves all stats, if one of their inputs has changed. */
export const resolveAllStats: System = {
	name: 'resolve-stats',
	needs: [...STAT_COMPONENTS],
	access: {
		reads: [...STATS_READ],
		queries: STAT_COMPONENTS.map(({ name }) => ({ with: [name], writes: STATS_WRITTEN })),
	},
	run,
};

function run(world: World): void {
	if (world.processedVersions.get('resolve-stats') === newestVersion(world)) return;
	const slots = new Set<number>();
	for (const component of STAT_COMPONENTS) each(world, [component], (slot) => slots.add(slot));
	for (const slot of [...slots].sort((a, b) => a - b)) resolveStats(world, slot);
	world.processedVersions.set('resolve-stats', newestVersion(world));
}
