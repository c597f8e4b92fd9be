/** System that makes entities idle, patrol, chase or flee. It sets their horizontal velocity and their facing. */

import { Ai, type WalkGoal } from '../../../shared/components/ai.ts';
import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { PLACE_READ } from '../../../shared/verbs/access.ts';
import { slotOf } from '../core/entities.ts';
import type { Vector } from '../core/math/vector.ts';
import type { System } from '../core/system.ts';
import { add, each, has, read, type World } from '../core/world.ts';
import { globalPositions } from '../space/global-position.ts';
import { tuning } from '../tuning/tuning.ts';
import { face, flatLength, paceOf, steer, unitVector, vectorLength } from './walk.ts';

export const pursueGoals: System = {
	name: 'pursue-goals',
	needs: [Ai],
	access: {
		reads: ['ai', 'tuning', ...PLACE_READ],
		writes: ['ai.goal'],
		queries: [
			{
				with: ['ai'],
				reads: ['crowd_control', 'dead', 'local_transform.rotation', 'modifiers', 'velocity.linear'],
				writes: ['local_transform.rotation', 'velocity.linear'],
			},
		],
	},
	run,
};

function run(world: World): void {
	const positions = globalPositions(world);
	const goals = read(world, Ai, 'goal');
	each(world, [Ai, LocalTransform, Velocity], (slot) => {
		const goal = goals[slot]!;
		const direction = has(world, slot, Dead) ? null : directionOf(world, slot, goal, positions);
		const pace = direction === null || goal.behavior === 'idle' ? 0 : paceOf(world, slot, goal.speed);
		if (direction === null || pace === 0) steer(world, slot, 0, 0);
		else {
			steer(world, slot, direction[0] * pace, direction[2] * pace);
			face(world, slot, direction);
		}
	});
}

/** Returns the unit vector along which an entity walks; null if it stands. */
function directionOf(world: World, slot: number, goal: WalkGoal, positions: Float32Array): Vector | null {
	switch (goal.behavior) {
		case 'idle':
			return null;
		case 'patrol':
			return patrolDirection(world, slot, goal, positions);
		case 'chase': {
			const offset = offsetToTarget(world, slot, goal.target, positions);
			return offset === null || flatLength(offset) <= tuning(world).goals.close ? null : unitVector(offset);
		}
		case 'flee': {
			const offset = offsetToTarget(world, slot, goal.target, positions);
			if (offset === null || vectorLength(offset) >= tuning(world).goals.safe) return null;
			// At the position of its target, any direction is equally good.
			return flatLength(offset) === 0 ? [1, 0, 0] : unitVector([-offset[0], -offset[1], -offset[2]]);
		}
	}
}

/** Returns the direction to the next waypoint. At a waypoint, it returns null and selects the next one. */
function patrolDirection(
	world: World,
	slot: number,
	goal: WalkGoal & { behavior: 'patrol' },
	positions: Float32Array,
): Vector | null {
	const { waypoints } = goal;
	if (waypoints.length === 0) return null;
	const waypoint = waypoints[goal.next % waypoints.length]!;
	const offset: Vector = [
		waypoint[0] - positions[slot * 3]!,
		waypoint[1] - positions[slot * 3 + 1]!,
		waypoint[2] - positions[slot * 3 + 2]!,
	];
	const distance = flatLength(offset);
	if (distance > 0 && distance >= tuning(world).goals.arrival) return unitVector(offset);
	const next = (goal.next + 1) % waypoints.length;
	if (next !== goal.next) add(world, slot, Ai, { goal: { ...goal, next } });
	return null;
}

/** Returns the vector to another entity (m); null if the entity is gone or has no position. */
function offsetToTarget(
	world: World,
	slot: number,
	target: EntityHandle | null,
	positions: Float32Array,
): Vector | null {
	const targetSlot = slotOf(world, target);
	if (targetSlot < 0 || targetSlot === slot || !has(world, targetSlot, LocalTransform)) return null;
	return [
		positions[targetSlot * 3]! - positions[slot * 3]!,
		positions[targetSlot * 3 + 1]! - positions[slot * 3 + 1]!,
		positions[targetSlot * 3 + 2]! - positions[slot * 3 + 2]!,
	];
}
