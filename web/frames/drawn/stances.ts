/**
 * Poses of meshes that differ from the poses of their entities. Owns: their poses in the picture. The world does not change.
 */

import { CombatState } from '../../../shared/components/combat-state.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { March } from '../../../shared/components/march.ts';
import { Stance } from '../../../shared/components/stance.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { slotOf } from '../../sim/core/entities.ts';
import { count, get, has, versionOf, type World } from '../../sim/core/world.ts';

/** Speed below which an entity has no heading (m/s). */
const STILL = 0.05;

/** Returns a number that changes whenever a stance may give another pose, apart from movements. */
export function stancesVersion(world: World): number {
	if (count(world, Stance) === 0) return versionOf(world, Stance);
	return Math.max(
		versionOf(world, Stance, 'offset', 'looks'),
		versionOf(world, Velocity, 'linear'),
		versionOf(world, CombatState, 'target', 'override'),
		versionOf(world, March, 'direction'),
		versionOf(world, Dead),
	);
}

/** Applies the stance of an entity to its pose: ten numbers in `out` from `at` on. `positions`: positions of all slots. */
export function stand(
	world: World,
	slot: number,
	out: Float32Array,
	at: number,
	positions: ArrayLike<number>,
): void {
	const { offset, looks } = get(world, slot, Stance)!;
	if (looks === 'heading') {
		const heading = headingOf(world, slot, positions);
		if (heading !== null) {
			const half = Math.atan2(-heading[0], -heading[1]) / 2;
			out[at + 3] = 0;
			out[at + 4] = Math.sin(half);
			out[at + 5] = 0;
			out[at + 6] = Math.cos(half);
		}
	}
	const [x, y, z] = offset;
	const [qx, qy, qz, qw] = [out[at + 3]!, out[at + 4]!, out[at + 5]!, out[at + 6]!];
	const tx = 2 * (qy * z - qz * y);
	const ty = 2 * (qz * x - qx * z);
	const tz = 2 * (qx * y - qy * x);
	out[at]! += x + qw * tx + qy * tz - qz * ty;
	out[at + 1]! += y + qw * ty + qz * tx - qx * tz;
	out[at + 2]! += z + qw * tz + qx * ty - qy * tx;
}

/** Returns the horizontal direction (x and z) to the entity's target, otherwise of its movement; null if it has neither. */
function headingOf(
	world: World,
	slot: number,
	positions: ArrayLike<number>,
): readonly [number, number] | null {
	const lives = !has(world, slot, Dead);
	const state = get(world, slot, CombatState);
	const enemy = slotOf(world, state?.override ?? state?.target ?? null);
	const ways: (readonly [number, number])[] = [];
	if (lives && enemy >= 0 && !has(world, enemy, Dead))
		ways.push([
			positions[enemy * 3]! - positions[slot * 3]!,
			positions[enemy * 3 + 2]! - positions[slot * 3 + 2]!,
		]);
	const linear = get(world, slot, Velocity)?.linear;
	if (lives && linear !== undefined) ways.push([linear[0], linear[2]]);
	const march = get(world, slot, March)?.direction;
	if (march !== undefined) ways.push([march[0], march[2]]);
	return ways.find(([x, z]) => Math.hypot(x, z) > STILL) ?? null;
}
