/**
 * Chooses the direction of projectiles that were launched with a spread, at random, before they first move.
 * Owns: the directions in a cone, and what angles are measured from.
 */

import { Projectile } from '../../../shared/components/projectile.ts';
import { Spread, type SpreadDocument } from '../../../shared/components/spread.ts';
import { fraction, parseFraction } from '../../../shared/contract/fraction.ts';
import type { VerbAccess } from '../../../shared/verbs/access.ts';
import { type ChanceOutcome, type ChanceSource, decide } from '../core/chance.ts';
import type { Vector } from '../core/math/vector.ts';
import { cos, sin } from '../core/math.ts';
import type { System } from '../core/system.ts';
import { mostWith } from '../core/tick-maximum.ts';
import { each, get, has, read, remove, type World, write } from '../core/world.ts';

export const SPREAD: ChanceSource = { key: 0xffff0003, name: 'spread' };
const TURNED: VerbAccess = { queries: [{ with: ['projectile'], writes: ['projectile.direction'] }] };

export const spreadProjectiles: System = {
	name: 'spread-projectiles',
	needs: [Spread],
	access: {
		reads: ['spread'],
		writes: ['spread'],
		queries: [{ with: ['projectile', 'spread'], reads: ['projectile'], writes: ['projectile.direction'] }],
	},
	chance: { source: SPREAD, changes: () => TURNED, version: () => 0, first: true },
	most: (world, before) => ({ actions: mostWith(world, Spread, before) }),
	run,
};

function run(world: World): void {
	const ways = read(world, Spread, 'ways');
	const turns: (readonly [slot: number, direction: Vector])[] = [];
	each(world, [Spread], (slot) => {
		const direction = has(world, slot, Projectile) ? chooseDirection(world, slot, ways[slot]!) : null;
		if (direction !== null) turns.push([slot, direction]);
	});
	for (const [slot, direction] of turns) write(world, Projectile, 'direction').set(direction, slot * 3);
	each(world, [Spread], (slot) => {
		remove(world, slot, Spread);
	});
}

/** Returns the direction of a projectile, or null if no outcome is possible. */
function chooseDirection(world: World, slot: number, spread: SpreadDocument): Vector | null {
	const outcomes = outcomesOf(spread);
	const [only, ...others] = outcomes.flatMap(({ weight }, i) => (weight.num > 0n ? [i] : []));
	if (only === undefined) return null;
	const chosen = others.length > 0 ? decide(world, SPREAD, slot, outcomes) : only;
	return directionOf(spread, chosen, get(world, slot, Projectile)!.direction);
}

/** By document, which is never changed in place. */
const outcomesBySpread = new WeakMap<SpreadDocument, readonly ChanceOutcome[]>();

function outcomesOf(spread: SpreadDocument): readonly ChanceOutcome[] {
	let outcomes = outcomesBySpread.get(spread);
	if (outcomes === undefined) {
		outcomes =
			'cone' in spread
				? Array.from({ length: spread.rays }, (_, i) => ({ label: `ray ${i}`, weight: fraction(1n) }))
				: spread.map(({ label, weight }, i) => ({
						label: label ?? `direction ${i}`,
						weight: parseFraction(weight) ?? fraction(0n),
					}));
		outcomesBySpread.set(spread, outcomes);
	}
	return outcomes;
}

/** Radians from one ray of a cone to the next about its axis: no two get near each other (H. Vogel, 1979). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Returns the direction that an outcome means, of length 1, for a projectile that is aimed forward. */
function directionOf(spread: SpreadDocument, chosen: number, forward: Vector): Vector {
	if ('cone' in spread) {
		// Areas grow with the square of the radius, so the rays are evenly over the disc.
		const off = spread.cone * Math.sqrt(chosen / (spread.rays - 1));
		const about = chosen * GOLDEN_ANGLE;
		return combined(forward, cos(off), sin(off) * cos(about), sin(off) * sin(about));
	}
	const { angle, rise } = spread[chosen]!;
	return combined(forward, cos(rise) * cos(angle), cos(rise) * sin(angle), sin(rise));
}

/** Adds parts forward, to the left and up, as seen along a direction. A direction straight up has -x to its left. */
function combined([x, y, z]: Vector, ahead: number, left: number, up: number): Vector {
	const flat = Math.sqrt(x * x + z * z);
	const [lx, lz] = flat < 1e-6 ? [-1, 0] : [z / flat, -x / flat];
	const [ux, uy, uz] = [y * lz, z * lx - x * lz, -y * lx];
	return [x * ahead + lx * left + ux * up, y * ahead + uy * up, z * ahead + lz * left + uz * up];
}
