/**
 * Totals of base stats, equipment and effects for one entity.
 * Owns: the changes in force (`Modifiers`), the resolved values (`Stats`) and what they add to the maxima.
 */

import { BaseStats } from '../../../shared/components/base-stats.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { Defense } from '../../../shared/components/defense.ts';
import { Effects, parseModifier } from '../../../shared/components/effects.ts';
import { Health } from '../../../shared/components/health.ts';
import { Equipment } from '../../../shared/components/inventory.ts';
import { Mana } from '../../../shared/components/mana.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { Stats } from '../../../shared/components/stats.ts';
import type { Component } from '../../../shared/contract/component.ts';
import { buildingAt } from '../buildings/building-types.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { shortest } from '../core/float32.ts';
import { add, each, get, has, read, remove, type World, write } from '../core/world.ts';
import { can } from '../crowd-control/crowd-control.ts';
import { findItem } from '../items/items.ts';
import { applyChange, type StatChange } from './stat.ts';

/** Stats whose base comes from another component of the entity, whatever its base stats are. */
const POOLS = new Set(['max_health', 'max_mana']);

/** Multipliers that are multiplied do not leave the numbers: far more than makes any difference. */
const MAX_TIMES = 1e30;

/** Returns the sum of the numbers that worn items add, without what they cost, by stat. */
export function wornStats(world: World, slot: number): Map<string, number> {
	const sums = new Map<string, number>();
	const worn = get(world, slot, Equipment)?.worn ?? {};
	for (const place of Object.keys(worn).sort()) {
		const properties = findItem(world, worn[place]!)?.properties ?? {};
		for (const [stat, value] of Object.entries(properties))
			if (stat !== 'cost') sums.set(stat, (sums.get(stat) ?? 0) + value);
	}
	return sums;
}

function changesOf(world: World, slot: number): Record<string, StatChange> {
	const changes = new Map<string, { set: number | null; add: number; multiply: number }>();
	const of = (stat: string) => {
		let change = changes.get(stat);
		if (change === undefined) {
			change = { set: null, add: 0, multiply: 1 };
			changes.set(stat, change);
		}
		return change;
	};
	for (const [stat, value] of Object.entries(get(world, slot, BaseStats)?.stats ?? {}))
		if (!POOLS.has(stat)) of(stat).set = value;
	for (const [stat, value] of wornStats(world, slot)) of(stat).add += value;
	const passive = can(world, slot, 'passive');
	for (const effect of get(world, slot, Effects)?.list ?? []) {
		if (effect.until === null && !passive) continue;
		for (const text of effect.modifiers) {
			const { stat, op, value } = parseModifier(text)!;
			if (op === 'set') of(stat).set = value;
			else if (op === 'add') of(stat).add += value;
			else of(stat).multiply = Math.max(-MAX_TIMES, Math.min(MAX_TIMES, of(stat).multiply * value));
		}
	}
	return Object.fromEntries([...changes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a stat from an entity's components, before any change; 0 for stats that are only shown. */
export function naturalStat(world: World, slot: number, stat: string): number {
	const own = (component: Component, field: string) =>
		has(world, slot, component) ? shortest((read(world, component, field) as readonly number[])[slot]!) : 0;
	const bonus = get(world, slot, Stats)?.bonus;
	switch (stat) {
		case 'attack_damage':
			return own(Combat, 'damage');
		case 'attack_range':
			return own(Combat, 'range');
		case 'move_speed':
			return own(Combat, 'speed');
		case 'mana_regen':
			return own(Mana, 'regen');
		case 'max_health':
			return shortest(Math.fround(own(Health, 'max') - (bonus?.health ?? 0)));
		case 'max_mana':
			return shortest(Math.fround(own(Mana, 'max') - (bonus?.mana ?? 0)));
		case 'armor':
			return has(world, slot, Defense) ? own(Defense, 'armor') : (buildingAt(world, slot)?.armor ?? 0);
		case 'magic_resist':
			return own(Defense, 'magic_resist');
		case 'attack_speed':
		case 'damage_taken':
			return 1;
		case 'crit_multiplier':
			return 2;
		default:
			return 0;
	}
}

/** Brings what follows from an entity's base stats, equipment and effects up to date. Writes only what differs. */
export function resolveStats(world: World, slot: number): void {
	const changes = changesOf(world, slot);
	const none = Object.keys(changes).length === 0;
	const before = get(world, slot, Modifiers)?.stats;
	if (none) {
		if (before !== undefined) remove(world, slot, Modifiers);
	} else if (before === undefined || canonicalJson(before) !== canonicalJson(changes)) {
		add(world, slot, Modifiers, { stats: changes });
	}
	const base = get(world, slot, BaseStats)?.stats;
	const current = get(world, slot, Stats);
	if (none && base === undefined && current === undefined) return;
	const bonus = {
		health: raise(world, slot, Health, current?.bonus.health ?? 0, changes.max_health),
		mana: raise(world, slot, Mana, current?.bonus.mana ?? 0, changes.max_mana),
	};
	if (none && base === undefined) {
		remove(world, slot, Stats);
		return;
	}
	const names = [...new Set([...Object.keys(base ?? {}), ...Object.keys(changes)])].sort();
	if (current === undefined) add(world, slot, Stats);
	if (canonicalJson(current?.bonus) !== canonicalJson(bonus)) add(world, slot, Stats, { bonus });
	const values = Object.fromEntries(
		names.map((name) => {
			const natural = naturalStat(world, slot, name);
			const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
			return [name, shortest(Math.fround(change === undefined ? natural : applyChange(change, natural)))];
		}),
	);
	if (canonicalJson(current?.values) !== canonicalJson(values)) write(world, Stats, 'values')[slot] = values;
}

/** The same for all wearers: a changed definition of an item changes their stats. */
export function resolveWearers(world: World): void {
	const wearers: number[] = [];
	each(world, [Equipment], (slot) => wearers.push(slot));
	for (const slot of wearers) resolveStats(world, slot);
}

/**
 * Lets a maximum that was just given again be the entity's own: what changes add to it comes on top when its stats
 * are resolved.
 */
export function forgetBonus(world: World, slot: number, pool: 'health' | 'mana'): void {
	const bonus = get(world, slot, Stats)?.bonus;
	if (bonus !== undefined && bonus[pool] !== 0) add(world, slot, Stats, { bonus: { ...bonus, [pool]: 0 } });
}

/** Sets a maximum to what a change makes of its own part. Returns the part of the maximum that comes from the change. */
function raise(
	world: World,
	slot: number,
	pool: typeof Health | typeof Mana,
	bonus: number,
	change: StatChange | undefined,
): number {
	if (!has(world, slot, pool)) return 0;
	const max = read(world, pool as typeof Health, 'max')[slot]!;
	const natural = max - bonus;
	const next =
		change === undefined ? natural : Math.max(0, Math.fround(applyChange(change, shortest(natural))));
	if (next !== max) {
		write(world, pool as typeof Health, 'max')[slot] = next;
		if (read(world, pool as typeof Health, 'current')[slot]! > next)
			write(world, pool as typeof Health, 'current')[slot] = next;
	}
	return next - natural;
}
