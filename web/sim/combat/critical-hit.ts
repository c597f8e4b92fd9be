/** Critical hits: declared chance, decided at the blow. */

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

/** A chance of critical hits and what follows from it. */
interface CriticalOdds {
	/** Exact, at most one. */
	readonly chance: Fraction;
	/** As declared, as a number. */
	readonly base: number;
	readonly outcomes: readonly ChanceOutcome[];
}

/** By the chance as it was written or has become: most blows of a battle have the same few. */
const oddsByChance = new Map<number | string, CriticalOdds>();
const MAX_KNOWN = 4096;

function oddsOf(written: number | string): CriticalOdds {
	let odds = oddsByChance.get(written);
	if (odds === undefined) {
		odds = workOut(parseFraction(written) ?? NEVER);
		if (oddsByChance.size === MAX_KNOWN) oddsByChance.clear();
		oddsByChance.set(written, odds);
	}
	return odds;
}

function workOut(declared: Fraction): CriticalOdds {
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

/** An entity that has one of these, or walks into one, may be given a chance by it, on the coming tick at the latest. */
const CHANGING = [Modifiers, BaseStats, Equipment, ZoneEffect] as readonly Component[];

/** Another number whenever `mayCrit` may answer otherwise. */
export const critVersion = (world: World): number =>
	CHANGING.reduce(
		(sum, component) => sum + versionOf(world, component),
		versionOf(world, Combat, 'crit') + versionOf(world, Effects, 'list') + versionOf(world, Loot, 'table'),
	);

/**
 * Returns true if some fighter can draw on the coming tick, also one that only the tick brings or gives its chance.
 */
export function mayCrit(world: World): boolean {
	if (leavesSomebody(world)) return true;
	if (count(world, Combat) === 0) return false;
	if (CHANGING.some((component) => count(world, component) > 0)) return true;
	const declared = read(world, Combat, 'crit');
	const effects = read(world, Effects, 'list');
	let found = false;
	each(world, [Combat], (slot) => {
		found ||= declared[slot] != null;
	});
	// Effects that crowd control kept from working have left no modifiers, and work again when it ends.
	each(world, [Combat, Effects], (slot) => {
		found ||= effects[slot]!.some(({ modifiers }) => modifiers.length > 0);
	});
	return found;
}

/** Returns true if an entity may appear when another dies. */
function leavesSomebody(world: World): boolean {
	const tables = read(world, Loot, 'table');
	let found = false;
	each(world, [Loot], (slot) => {
		found ||= tables[slot]!.some(({ spawn }) => spawn != null);
	});
	return found;
}

/** Returns the factor of a blow's damage; draws only when a critical hit is neither certain nor impossible. */
export function criticalFactor(world: World, slot: number): number {
	if (!can(world, slot, 'passive')) return 1;
	const crit = read(world, Combat, 'crit')[slot] ?? null;
	const { chance, outcomes } = changed(world, slot, oddsOf(crit?.chance ?? 0));
	if (chance.num === 0n) return 1;
	const factor = boundedStat(world, slot, 'crit_multiplier', crit?.multiplier ?? 2, 1e9);
	if (chance.num === chance.den) return factor;
	return decide(world, CRIT, slot, outcomes) === 0 ? factor : 1;
}

/** Returns the odds with effects; exactly the declared ones as long as none change them. */
function changed(world: World, slot: number, declared: CriticalOdds): CriticalOdds {
	const now = boundedStat(world, slot, 'crit_chance', declared.base, 1);
	return now === declared.base ? declared : oddsOf(now);
}
