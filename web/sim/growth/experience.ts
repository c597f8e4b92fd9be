/**
 * Experience and levels.
 * Owns: what a level costs, how high they go, and what a level brings.
 */

import { BaseStats, StatGrowth } from '../../../shared/components/base-stats.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { Level } from '../../../shared/components/level.ts';
import { Mana } from '../../../shared/components/mana.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { LevelUp } from '../../../shared/events/level-up.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import { add, get, has, read, type World, write } from '../core/world.ts';
import { naturalStat, resolveStats } from '../stats/resolve-stats.ts';
import { tuning } from '../tuning/tuning.ts';

const MAX_XP = 0xffffffff;

/** Experience that leads from a level to the next. */
export function xpToNext(world: World, level: number): number {
	const { xp_base, xp_per_level } = tuning(world).growth;
	return xp_base + xp_per_level * level;
}

/** Adds experience; several levels may come of it, the surplus stays. How many levels, 0 for what has no level. */
export function addXp(world: World, entity: EntityHandle, amount: number): number {
	const slot = slotOf(world, entity);
	const row = slot < 0 ? undefined : get(world, slot, Level);
	if (row === undefined) return 0;
	let { level, xp } = row;
	xp = Math.min(MAX_XP, xp + amount);
	const { max_level } = tuning(world).growth;
	while (level < max_level && xp >= xpToNext(world, level)) {
		xp -= xpToNext(world, level);
		level++;
	}
	add(world, slot, Level, { level, xp });
	for (let reached = row.level + 1; reached <= level; reached++) {
		grow(world, slot);
		emit(world, LevelUp, { entity: { id: slot, generation: entity.generation }, level: reached });
	}
	if (level > row.level) resolveStats(world, slot);
	return level - row.level;
}

/** Applies one level: the entity's own growth, or health and damage if it has none. */
function grow(world: World, slot: number): void {
	const growth = Object.entries(get(world, slot, StatGrowth)?.stats ?? {});
	if (growth.length === 0) {
		const usual = tuning(world).growth;
		raise(world, slot, Health, usual.health);
		if (has(world, slot, Combat)) {
			const damage = write(world, Combat, 'damage');
			damage[slot] = damage[slot]! + usual.damage;
		}
		return;
	}
	const base = { ...(get(world, slot, BaseStats)?.stats ?? {}) };
	for (const [stat, by] of growth) {
		base[stat] = (base[stat] ?? naturalStat(world, slot, stat)) + by;
		if (stat === 'max_health') raise(world, slot, Health, by);
		if (stat === 'max_mana') raise(world, slot, Mana, by);
	}
	add(world, slot, BaseStats, { stats: base });
}

/** Raises a maximum, and what is there of it unless the entity is dead. */
function raise(world: World, slot: number, pool: typeof Health | typeof Mana, by: number): void {
	if (!has(world, slot, pool)) return;
	const component = pool as typeof Health;
	const max = write(world, component, 'max');
	max[slot] = Math.max(0, max[slot]! + by);
	if (has(world, slot, Dead)) return;
	const now = read(world, component, 'current')[slot]!;
	write(world, component, 'current')[slot] = Math.max(0, Math.min(now + by, max[slot]!));
}
