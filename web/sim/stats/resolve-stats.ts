/**
 * Resolution of stats: base stats, equipment and effects of one entity.
 * Owns: the active changes (`Modifiers`), the resolved values (`Stats`), and the part of the maxima that comes from
 * changes.
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
import { shortestFloat32 } from '../core/float32.ts';
import { add, each, get, has, read, remove, type World, write } from '../core/world.ts';
import { can } from '../crowd-control/crowd-control.ts';
import { findItem } from '../items/items.ts';
import { applyChange, type StatChange } from './stat.ts';

/** Stats whose base is always in another component of the entity, never in its base stats. */
const MAXIMA = new Set(['max_health', 'max_mana']);

/** Maximum magnitude of a product of multipliers. Keeps the product finite. */
const MAX_MULTIPLIER = 1e30;

/** Returns the sums of the properties of worn items, by stat. Excludes the cost of the items. */
export function wornStats(world: World, slot: number): Map<string, number> {
	const sums = new Map<string, number>();
	const worn = get(world, slot, Equipment)?.worn ?? {};
	for (const slotName of Object.keys(worn).sort()) {
		const properties = findItem(world, worn[slotName]!)?.properties ?? {};
		for (const [stat, value] of Object.entries(properties))
			if (stat !== 'cost') sums.set(stat, (sums.get(stat) ?? 0) + value);
	}
	return sums;
}

function changesOf(world: World, slot: number): Record<string, StatChange> {
	const changes = new Map<string, { set: number | null; add: number; multiply: number }>();
	const changeFor = (stat: string) => {
		let change = changes.get(stat);
		if (change === undefined) {
			change = { set: null, add: 0, multiply: 1 };
			changes.set(stat, change);
		}
		return change;
	};
	for (const [stat, value] of Object.entries(get(world, slot, BaseStats)?.stats ?? {}))
		if (!MAXIMA.has(stat)) changeFor(stat).set = value;
	for (const [stat, value] of wornStats(world, slot)) changeFor(stat).add += value;
	const passive = can(world, slot, 'passive');
	for (const effect of get(world, slot, Effects)?.list ?? []) {
		if (effect.until === null && !passive) continue;
		for (const text of effect.modifiers) {
			const { stat, op, value } = parseModifier(text)!;
			const change = changeFor(stat);
			if (op === 'set') change.set = value;
			else if (op === 'add') change.add += value;
			else change.multiply = Math.max(-MAX_MULTIPLIER, Math.min(MAX_MULTIPLIER, change.multiply * value));
		}
	}
	return Object.fromEntries([...changes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the natural value of a stat: from the entity's components or its building type, or a constant of the engine.
 * Returns 0 for stats that the engine does not use.
 */
export function naturalStat(world: World, slot: number, stat: string): number {
	const readField = (component: Component, field: string) =>
		has(world, slot, component)
			? shortestFloat32((read(world, component, field) as readonly number[])[slot]!)
			: 0;
	const bonus = get(world, slot, Stats)?.bonus;
	switch (stat) {
		case 'attack_damage':
			return readField(Combat, 'damage');
		case 'attack_range':
			return readField(Combat, 'range');
		case 'move_speed':
			return readField(Combat, 'speed');
		case 'mana_regen':
			return readField(Mana, 'regen');
		case 'max_health':
			return shortestFloat32(Math.fround(readField(Health, 'max') - (bonus?.health ?? 0)));
		case 'max_mana':
			return shortestFloat32(Math.fround(readField(Mana, 'max') - (bonus?.mana ?? 0)));
		case 'armor':
			return has(world, slot, Defense) ? readField(Defense, 'armor') : (buildingAt(world, slot)?.armor ?? 0);
		case 'magic_resist':
			return readField(Defense, 'magic_resist');
		case 'attack_speed':
		case 'damage_taken':
			return 1;
		case 'crit_multiplier':
			return 2;
		default:
			return 0;
	}
}

/** Updates the modifiers, stats and maxima of an entity. Writes only values that changed. */
export function resolveStats(world: World, slot: number): void {
	const changes = changesOf(world, slot);
	const hasChanges = Object.keys(changes).length > 0;
	const storedChanges = get(world, slot, Modifiers)?.stats;
	if (!hasChanges) {
		if (storedChanges !== undefined) remove(world, slot, Modifiers);
	} else if (storedChanges === undefined || canonicalJson(storedChanges) !== canonicalJson(changes)) {
		add(world, slot, Modifiers, { stats: changes });
	}
	const base = get(world, slot, BaseStats)?.stats;
	const current = get(world, slot, Stats);
	if (!hasChanges && base === undefined && current === undefined) return;
	const bonus = {
		health: updateMaximum(world, slot, Health, current?.bonus.health ?? 0, changes.max_health),
		mana: updateMaximum(world, slot, Mana, current?.bonus.mana ?? 0, changes.max_mana),
	};
	if (!hasChanges && base === undefined) {
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
			return [
				name,
				shortestFloat32(Math.fround(change === undefined ? natural : applyChange(change, natural))),
			];
		}),
	);
	if (canonicalJson(current?.values) !== canonicalJson(values)) write(world, Stats, 'values')[slot] = values;
}

/** Updates the stats of all entities with equipment. Call it when the definition of an item changes. */
export function resolveWearers(world: World): void {
	const wearers: number[] = [];
	each(world, [Equipment], (slot) => wearers.push(slot));
	for (const slot of wearers) resolveStats(world, slot);
}

/**
 * Clears the part of a maximum that comes from changes. Call it after writing the natural value of a maximum. The next
 * resolution applies the changes again.
 */
export function clearBonus(world: World, slot: number, pool: 'health' | 'mana'): void {
	const bonus = get(world, slot, Stats)?.bonus;
	if (bonus !== undefined && bonus[pool] !== 0) add(world, slot, Stats, { bonus: { ...bonus, [pool]: 0 } });
}

/**
 * Recomputes a maximum from its natural value and a change. Returns the part of the maximum that comes from the change.
 * `previousBonus`: the previous value of that part.
 */
function updateMaximum(
	world: World,
	slot: number,
	pool: typeof Health | typeof Mana,
	previousBonus: number,
	change: StatChange | undefined,
): number {
	if (!has(world, slot, pool)) return 0;
	const max = read(world, pool as typeof Health, 'max')[slot]!;
	const natural = max - previousBonus;
	const next =
		change === undefined ? natural : Math.max(0, Math.fround(applyChange(change, shortestFloat32(natural))));
	if (next !== max) {
		write(world, pool as typeof Health, 'max')[slot] = next;
		if (read(world, pool as typeof Health, 'current')[slot]! > next)
			write(world, pool as typeof Health, 'current')[slot] = next;
	}
	return next - natural;
}
