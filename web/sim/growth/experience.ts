/**
 * Experience and levels.
 * Owns: the cost of a level, the highest level, and the gains of a level.
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

/** Returns the experience that leads from a level to the next. */
export function xpToNextLevel(world: World, level: number): number {
	const { xp_base, xp_per_level } = tuning(world).growth;
	return xp_base + xp_per_level * level;
}

/** Adds experience, which may give several levels. Keeps the surplus. Returns the number of gained levels. */
export function addXp(world: World, entity: EntityHandle, amount: number): number {
	const slot = slotOf(world, entity);
	const row = slot < 0 ? undefined : get(world, slot, Level);
	if (row === undefined) return 0;
	let { level, xp } = row;
	xp = Math.min(MAX_XP, xp + amount);
	const { max_level } = tuning(world).growth;
	while (level < max_level && xp >= xpToNextLevel(world, level)) {
		xp -= xpToNextLevel(world, level);
		level++;
	}
	add(world, slot, Level, { level, xp });
	for (let newLevel = row.level + 1; newLevel <= level; newLevel++) {
		applyLevel(world, slot);
		emit(world, LevelUp, { entity: { id: slot, generation: entity.generation }, level: newLevel });
	}
	if (level > row.level) resolveStats(world, slot);
	return level - row.level;
}

/** Applies the gains of one level: the entity's own growth, or health and damage if it has none. */
function applyLevel(world: World, slot: number): void {
	const growth = Object.entries(get(world, slot, StatGrowth)?.stats ?? {});
	if (growth.length === 0) {
		const defaults = tuning(world).growth;
		raiseMaximum(world, slot, Health, defaults.health);
		if (has(world, slot, Combat)) {
			const damage = write(world, Combat, 'damage');
			damage[slot] = damage[slot]! + defaults.damage;
		}
		return;
	}
	const base = { ...(get(world, slot, BaseStats)?.stats ?? {}) };
	for (const [stat, amount] of growth) {
		base[stat] = (base[stat] ?? naturalStat(world, slot, stat)) + amount;
		if (stat === 'max_health') raiseMaximum(world, slot, Health, amount);
		if (stat === 'max_mana') raiseMaximum(world, slot, Mana, amount);
	}
	add(world, slot, BaseStats, { stats: base });
}

/** Raises the maximum of health or mana, and the current value unless the entity is dead. */
function raiseMaximum(world: World, slot: number, pool: typeof Health | typeof Mana, amount: number): void {
	if (!has(world, slot, pool)) return;
	const component = pool as typeof Health;
	const max = write(world, component, 'max');
	max[slot] = Math.max(0, max[slot]! + amount);
	if (has(world, slot, Dead)) return;
	const current = read(world, component, 'current')[slot]!;
	write(world, component, 'current')[slot] = Math.max(0, Math.min(current + amount, max[slot]!));
}
