/** Critical hits. They are drawn at each blow. */

import { BaseStats } from '../../../shared/components/base-stats.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { Effects } from '../../../shared/components/effects.ts';
import { Equipment } from '../../../shared/components/inventory.ts';
import { Loot } from '../../../shared/components/loot.ts';
import { Modifiers } from '../../../shared/components/modifiers.ts';
import { ZoneEffect } from '../../../shared/components/zone-effect.ts';
import type { Component } from '../../../shared/contract/component.ts';
import { type Fraction, fraction, parseFraction } from '../../../shared/contract/fraction.ts';
import { type ChanceOutcome, type ChanceSource, decide } from '../core/chance.ts';
import { count, each, read, versionOf, type World } from '../core/world.ts';
import { can } from '../crowd-control/crowd-control.ts';
import { boundedStat } from '../stats/stat.ts';

export const CRIT: ChanceSource = { key: 0xffff0001, name: 'crit' };

/** A chance of critical hits, and its outcomes. */
interface CriticalOdds {
	/** Exact chance, at most one. */
	readonly chance: Fraction;
	/** Declared chance as a number. */
	readonly base: number;
	readonly outcomes: readonly ChanceOutcome[];
}

/** Cache of odds by chance. Most blows of a battle have one of a few chances. */
const oddsByChance = new Map<number | string, CriticalOdds>();
const MAX_CACHED_ODDS = 4096;

function oddsOf(written: number | string): CriticalOdds {
	let odds = oddsByChance.get(written);
	if (odds === undefined) {
		odds = computeOdds(parseFraction(written) ?? NEVER);
		if (oddsByChance.size === MAX_CACHED_ODDS) oddsByChance.clear();
		oddsByChance.set(written, odds);
	}
	return odds;
}

function computeOdds(declared: Fraction): CriticalOdds {
	const chance = declared.num > declared.den ? fraction(1n) : declared;
	return {
		chance,
		base: Number(declared.num) / Number(declared.den),
		outcomes: [
			{ label: 'crit', weight: chance },
			{ label: 'hit', weight: fraction(chance.den - chance.num, chance.den) },
		],
	};
}

const NEVER = fraction(0n);

/** Components that may give an entity a chance of critical hits on the coming tick. */
const CHANCE_SOURCES = [Modifiers, BaseStats, Equipment, ZoneEffect] as readonly Component[];

/** Returns a number that changes whenever the result of `mayCrit` may change. */
export const critVersion = (world: World): number =>
	CHANCE_SOURCES.reduce(
		(sum, component) => sum + versionOf(world, component),
		versionOf(world, Combat, 'crit') + versionOf(world, Effects, 'list') + versionOf(world, Loot, 'table'),
	);

/**
 * Returns true if a fighter may draw on the coming tick, including fighters that are spawned or get a chance during it.
 */
export function mayCrit(world: World): boolean {
	if (mayLootSpawn(world)) return true;
	if (count(world, Combat) === 0) return false;
	if (CHANCE_SOURCES.some((component) => count(world, component) > 0)) return true;
	const declared = read(world, Combat, 'crit');
	const effects = read(world, Effects, 'list');
	let mayDraw = false;
	each(world, [Combat], (slot) => {
		mayDraw ||= declared[slot] != null;
	});
	// Effects that crowd control has suspended have no modifiers now, but work again when it ends.
	each(world, [Combat, Effects], (slot) => {
		mayDraw ||= effects[slot]!.some(({ modifiers }) => modifiers.length > 0);
	});
	return mayDraw;
}

/** Returns true if the loot of an entity may spawn another one. */
function mayLootSpawn(world: World): boolean {
	const tables = read(world, Loot, 'table');
	let maySpawn = false;
	each(world, [Loot], (slot) => {
		maySpawn ||= tables[slot]!.some(({ spawn }) => spawn != null);
	});
	return maySpawn;
}

/** Returns the damage factor of a blow. It draws only if a critical hit is neither certain nor impossible. */
export function criticalFactor(world: World, slot: number): number {
	if (!can(world, slot, 'passive')) return 1;
	const crit = read(world, Combat, 'crit')[slot] ?? null;
	const { chance, outcomes } = withEffects(world, slot, oddsOf(crit?.chance ?? 0));
	if (chance.num === 0n) return 1;
	const factor = boundedStat(world, slot, 'crit_multiplier', crit?.multiplier ?? 2, 1e9);
	if (chance.num === chance.den) return factor;
	return decide(world, CRIT, slot, outcomes) === 0 ? factor : 1;
}

/** Returns the odds with effects. Without effects, they are exactly the declared odds. */
function withEffects(world: World, slot: number, declared: CriticalOdds): CriticalOdds {
	const chance = boundedStat(world, slot, 'crit_chance', declared.base, 1);
	return chance === declared.base ? declared : oddsOf(chance);
}
