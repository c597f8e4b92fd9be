/** Critical hits: declared chance, decided at the blow. */

import { Combat } from '../../../shared/components/combat.ts';
import { type Fraction, fraction, parseFraction } from '../../../shared/contract/fraction.ts';
import { decide, type Outcome, type Source } from '../core/chance.ts';
import { read, type World } from '../core/world.ts';
import { can } from '../crowd-control/crowd-control.ts';
import { boundedStat } from '../stats/stat.ts';

export const CRIT: Source = { key: 0xffff0001, name: 'crit' };

/** A chance of critical hits and what follows from it. */
interface Odds {
	/** Exact, at most one. */
	readonly chance: Fraction;
	/** As declared, as a number. */
	readonly base: number;
	readonly outcomes: readonly Outcome[];
}

/** By the chance as it was written or has become: most blows of a battle have the same few. */
const known = new Map<number | string, Odds>();
const MOST_KNOWN = 4096;

function oddsOf(written: number | string): Odds {
	let odds = known.get(written);
	if (odds === undefined) {
		odds = workOut(parseFraction(written) ?? NEVER);
		if (known.size === MOST_KNOWN) known.clear();
		known.set(written, odds);
	}
	return odds;
}

function workOut(declared: Fraction): Odds {
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

/** What the damage of a blow is multiplied by; draws only when a critical hit is neither certain nor impossible. */
export function criticalFactor(world: World, slot: number): number {
	if (!can(world, slot, 'passive')) return 1;
	const crit = read(world, Combat, 'crit')[slot] ?? null;
	const { chance, outcomes } = changed(world, slot, oddsOf(crit?.chance ?? 0));
	if (chance.num === 0n) return 1;
	const factor = boundedStat(world, slot, 'crit_multiplier', crit?.multiplier ?? 2, 1e9);
	if (chance.num === chance.den) return factor;
	return decide(world, CRIT, slot, outcomes) === 0 ? factor : 1;
}

/** The odds with effects; exactly the declared ones as long as none change them. */
function changed(world: World, slot: number, declared: Odds): Odds {
	const now = boundedStat(world, slot, 'crit_chance', declared.base, 1);
	return now === declared.base ? declared : oddsOf(now);
}
