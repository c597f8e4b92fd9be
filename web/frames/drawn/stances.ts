/**
 * Poses of meshes that differ from the poses of their entities, because of a stance.
 * Owns: these poses, only in the picture.
 */

import { CombatState } from '../../../shared/components/combat-state.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { March } from '../../../shared/components/march.ts';
import { Stance } from '../../../shared/components/stance.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { slotOf } from '../../sim/core/entities.ts';
import { count, get, has, versionOf, type World } from '../../sim/core/world.ts';

/** Speed below which an entity has no heading (m/s). */
const MIN_SPEED = 0.05;

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

/** Applies the stance of an entity to its pose: ten numbers in `poses` from `offset` on. `positions`: positions of all slots. */
export function applyStance(
	world: World,
	slot: number,
	poses: Float32Array,
	offset: number,
	positions: ArrayLike<number>,
): void {
	const { offset: stanceOffset, looks } = get(world, slot, Stance)!;
	if (looks === 'heading') {
		const heading = headingOf(world, slot, positions);
		if (heading !== null) {
			const half = Math.atan2(-heading[0], -heading[1]) / 2;
			poses[offset + 3] = 0;
			poses[offset + 4] = Math.sin(half);
			poses[offset + 5] = 0;
			poses[offset + 6] = Math.cos(half);
		}
	}
	const [x, y, z] = stanceOffset;
	const [qx, qy, qz, qw] = [poses[offset + 3]!, poses[offset + 4]!, poses[offset + 5]!, poses[offset + 6]!];
	const tx = 2 * (qy * z - qz * y);
	const ty = 2 * (qz * x - qx * z);
	const tz = 2 * (qx * y - qy * x);
	poses[offset]! += x + qw * tx + qy * tz - qz * ty;
	poses[offset + 1]! += y + qw * ty + qz * tx - qx * tz;
	poses[offset + 2]! += z + qw * tz + qx * ty - qy * tx;
}

/** Returns the horizontal direction (x and z) to the entity's target, otherwise of its movement; null if it has neither. */
function headingOf(
	world: World,
	slot: number,
	positions: ArrayLike<number>,
): readonly [number, number] | null {
	const isAlive = !has(world, slot, Dead);
	const state = get(world, slot, CombatState);
	const enemy = slotOf(world, state?.override ?? state?.target ?? null);
	const directions: (readonly [number, number])[] = [];
	if (isAlive && enemy >= 0 && !has(world, enemy, Dead))
		directions.push([
			positions[enemy * 3]! - positions[slot * 3]!,
			positions[enemy * 3 + 2]! - positions[slot * 3 + 2]!,
		]);
	const linear = get(world, slot, Velocity)?.linear;
	if (isAlive && linear !== undefined) directions.push([linear[0], linear[2]]);
	const march = get(world, slot, March)?.direction;
	if (march !== undefined) directions.push([march[0], march[2]]);
	return directions.find(([x, z]) => Math.hypot(x, z) > MIN_SPEED) ?? null;
}
