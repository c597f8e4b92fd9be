/**
 * System that draws the direction of projectiles with a spread, before they first move.
 * Owns: the directions in a cone, and the definition of angles.
 */

import { Projectile } from '../../../shared/components/projectile.ts';
import { Spread, type SpreadDocument } from '../../../shared/components/spread.ts';
import { fraction, parseFraction } from '../../../shared/contract/fraction.ts';
import type { VerbAccess } from '../../../shared/verbs/access.ts';
import { type ChanceOutcome, type ChanceSource, decide } from '../core/chance.ts';
import type { Vector } from '../core/math/vector.ts';
import { cos, sin } from '../core/math.ts';
import type { System } from '../core/system.ts';
import { maxWithComponent } from '../core/tick-maximum.ts';
import { each, get, has, read, remove, type World, write } from '../core/world.ts';

export const SPREAD: ChanceSource = { key: 0xffff0003, name: 'spread' };
const DIRECTION_CHANGE: VerbAccess = {
	queries: [{ with: ['projectile'], writes: ['projectile.direction'] }],
};

export const spreadProjectiles: System = {
	name: 'spread-projectiles',
	needs: [Spread],
	access: {
		reads: ['spread'],
		writes: ['spread'],
		queries: [{ with: ['projectile', 'spread'], reads: ['projectile'], writes: ['projectile.direction'] }],
	},
	chance: { source: SPREAD, changes: () => DIRECTION_CHANGE, version: () => 0, decidesFirst: true },
	maximum: (world, before) => ({ actions: maxWithComponent(world, Spread, before) }),
	run: chooseDirections,
};

function chooseDirections(world: World): void {
	const ways = read(world, Spread, 'ways');
	const choices: (readonly [slot: number, direction: Vector])[] = [];
	each(world, [Spread], (slot) => {
		const direction = has(world, slot, Projectile) ? chooseDirection(world, slot, ways[slot]!) : null;
		if (direction !== null) choices.push([slot, direction]);
	});
	for (const [slot, direction] of choices) write(world, Projectile, 'direction').set(direction, slot * 3);
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

/** Outcomes by document. Documents are never changed in place. */
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

/** Angle from one ray of a cone to the next about its axis (rad). With it, rays are evenly spaced (H. Vogel, 1979). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Returns the unit direction of an outcome for a projectile that is aimed `forward`. */
function directionOf(spread: SpreadDocument, chosen: number, forward: Vector): Vector {
	if ('cone' in spread) {
		// The square root makes the rays uniform over the disc, whose area grows with the square of the radius.
		const tilt = spread.cone * Math.sqrt(chosen / (spread.rays - 1));
		const turn = chosen * GOLDEN_ANGLE;
		return fromLocalParts(forward, cos(tilt), sin(tilt) * cos(turn), sin(tilt) * sin(turn));
	}
	const { angle, rise } = spread[chosen]!;
	return fromLocalParts(forward, cos(rise) * cos(angle), cos(rise) * sin(angle), sin(rise));
}

/** Returns the sum of parts ahead, to the left and up, as seen along a direction. If it points straight up, left is -x. */
function fromLocalParts([x, y, z]: Vector, ahead: number, left: number, up: number): Vector {
	const flat = Math.sqrt(x * x + z * z);
	const [lx, lz] = flat < 1e-6 ? [-1, 0] : [z / flat, -x / flat];
	const [ux, uy, uz] = [y * lz, z * lx - x * lz, -y * lx];
	return [x * ahead + lx * left + ux * up, y * ahead + uy * up, z * ahead + lz * left + uz * up];
}
