/** Critical hits: declared chance, decided at the blow. */

import { Combat } from '../../../shared/components/combat.ts';
import { decide, type Source } from '../core/chance.ts';
import { type Fraction, fraction, parseFraction } from '../core/fraction.ts';
import { read, type World } from '../core/world.ts';
import { boundedStat } from '../stats/stat.ts';

export const CRIT: Source = { key: 0xffff0001, name: 'crit' };

/** What the damage of a blow is multiplied by; draws only when a critical hit is neither certain nor impossible. */
export function criticalFactor(world: World, slot: number): number {
	const crit = read(world, Combat, 'crit')[slot] ?? null;
	const declared = crit === null ? NEVER : (parseFraction(crit.chance) ?? NEVER);
	const chance = atMostOne(changed(world, slot, declared));
	if (chance.num === 0n) return 1;
	const factor = boundedStat(world, slot, 'crit_multiplier', crit?.multiplier ?? 2, 1e9);
	if (chance.num === chance.den) return factor;
	const outcome = decide(world, CRIT, slot, [
		{ label: 'crit', weight: chance },
		{ label: 'hit', weight: fraction(chance.den - chance.num, chance.den) },
	]);
	return outcome === 0 ? factor : 1;
}

const NEVER = fraction(0n);

/** The chance with effects; exactly the declared one as long as none change it. */
function changed(world: World, slot: number, declared: Fraction): Fraction {
	const base = Number(declared.num) / Number(declared.den);
	const now = boundedStat(world, slot, 'crit_chance', base, 1);
	return now === base ? declared : (parseFraction(now) ?? NEVER);
}

function atMostOne(chance: Fraction): Fraction {
	return chance.num > chance.den ? fraction(1n) : chance;
}
