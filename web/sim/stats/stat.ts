/**
 * Stats of an entity, with its effects and equipment applied.
 * Owns: the names of the stats that the engine itself uses, and how a change is applied.
 */

import type * as z from 'zod';
import { Combat } from '../../../shared/components/combat.ts';
import { Health } from '../../../shared/components/health.ts';
import { Mana } from '../../../shared/components/mana.ts';
import { Modifiers, type statChange } from '../../../shared/components/modifiers.ts';
import type { Component } from '../../../shared/contract/component.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import { has, read, type World } from '../core/world.ts';

/** Stats that systems read. Items, effects and heroes may name other stats, which only appear in read-outs. */
export const STATS = {
	attack_damage: 'Damage per attack (HP)',
	attack_range: 'Attack range (m)',
	attack_speed: 'Factor of the attack rate; base 1',
	move_speed: 'Walking speed (m/s)',
	max_health: 'Maximum health (HP)',
	health_regen: 'Health regenerated per second (HP/s)',
	max_mana: 'Maximum mana',
	mana_regen: 'Mana regenerated per second (1/s)',
	armor:
		'Armour a: physical damage is multiplied by 1 - f a / (1 + f |a|), with f = 0.06 unless set with /tuning',
	magic_resist: 'Share of magical damage that is absorbed, 0 to 1',
	crit_chance: 'Probability of a critical hit, 0 to 1',
	crit_multiplier: 'Damage of a critical hit as a multiple of the normal damage',
	damage_taken: 'Factor of the damage taken; base 1',
} as const;

/** Returns a warning for each name that resembles a stat of the engine but is misspelt. */
export function misspeltStats(names: Iterable<string>): string[] {
	const knownNames = Object.keys(STATS);
	return [...new Set(names)].flatMap((name) => {
		const near = Object.hasOwn(STATS, name) ? undefined : nearest(name, knownNames);
		return near === undefined
			? []
			: [`"${name}" is shown but has no effect in the engine; did you mean "${near}"?`];
	});
}

/** Component that each stat requires to have an effect. */
const REQUIRED_COMPONENT: Readonly<Partial<Record<StatName, Component>>> = {
	attack_damage: Combat as Component,
	attack_range: Combat as Component,
	attack_speed: Combat as Component,
	crit_chance: Combat as Component,
	crit_multiplier: Combat as Component,
	max_health: Health as Component,
	health_regen: Health as Component,
	armor: Health as Component,
	magic_resist: Health as Component,
	damage_taken: Health as Component,
	max_mana: Mana as Component,
	mana_regen: Mana as Component,
};

/** Returns the stats that have no effect on an entity, each with the missing component. */
export function statsWithoutComponent(
	world: World,
	slot: number,
	names: Iterable<string>,
): { readonly stat: string; readonly missing: string }[] {
	return [...new Set(names)].flatMap((name) => {
		const needed = Object.hasOwn(REQUIRED_COMPONENT, name) ? REQUIRED_COMPONENT[name as StatName] : undefined;
		return needed === undefined || has(world, slot, needed) ? [] : [{ stat: name, missing: needed.name }];
	});
}

/** Maximum walking speed (m/s). */
export const MAX_SPEED = 1e4;

export type StatName = keyof typeof STATS;

export type StatChange = z.output<typeof statChange>;

/** Returns a stat of an entity: `base` with its active changes, `((set ?? base) + add) * multiply`. */
export function readStat(world: World, slot: number, name: StatName, base: number): number {
	if (!has(world, slot, Modifiers)) return base;
	const change = read(world, Modifiers, 'stats')[slot]![name];
	if (change === undefined) return base;
	return applyChange(change, base);
}

/** Maximum magnitude of a stat. */
const MAX_STAT = 1e9;

/** Returns `((set ?? base) + add) * multiply`, clamped to the maximum magnitude. */
export function applyChange({ set, add, multiply }: StatChange, base: number): number {
	return Math.max(-MAX_STAT, Math.min(MAX_STAT, ((set ?? base) + add) * multiply));
}

/** Returns a stat, clamped to 0..`max`. */
export function boundedStat(world: World, slot: number, name: StatName, base: number, max: number): number {
	const value = readStat(world, slot, name, base);
	return value > 0 ? Math.min(value, max) : 0;
}
