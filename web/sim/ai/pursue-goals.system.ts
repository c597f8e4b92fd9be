/** Lets entities walk by their goals: stand, patrol, chase or flee. Only the horizontal velocity is theirs. */

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
import { face, flat, length, paceOf, steer, unit } from './walk.ts';

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
	const at = globalPositions(world);
	const goals = read(world, Ai, 'goal');
	each(world, [Ai, LocalTransform, Velocity], (slot) => {
		const goal = goals[slot]!;
		const way = has(world, slot, Dead) ? null : wayOf(world, slot, goal, at);
		const pace = way === null || goal.behavior === 'idle' ? 0 : paceOf(world, slot, goal.speed);
		if (way === null || pace === 0) steer(world, slot, 0, 0);
		else {
			steer(world, slot, way[0] * pace, way[2] * pace);
			face(world, slot, way);
		}
	});
}

/** Returns the unit direction in space in which an entity wants to go, or null to stand. */
function wayOf(world: World, slot: number, goal: WalkGoal, at: Float32Array): Vector | null {
	switch (goal.behavior) {
		case 'idle':
			return null;
		case 'patrol':
			return patrol(world, slot, goal, at);
		case 'chase': {
			const offset = toTarget(world, slot, goal.target, at);
			return offset === null || flat(offset) <= tuning(world).goals.close ? null : unit(offset);
		}
		case 'flee': {
			const offset = toTarget(world, slot, goal.target, at);
			if (offset === null || length(offset) >= tuning(world).goals.safe) return null;
			// From the very same spot any way is as good.
			return flat(offset) === 0 ? [1, 0, 0] : unit([-offset[0], -offset[1], -offset[2]]);
		}
	}
}

function patrol(
	world: World,
	slot: number,
	goal: WalkGoal & { behavior: 'patrol' },
	at: Float32Array,
): Vector | null {
	const { waypoints } = goal;
	if (waypoints.length === 0) return null;
	const waypoint = waypoints[goal.next % waypoints.length]!;
	const way: Vector = [
		waypoint[0] - at[slot * 3]!,
		waypoint[1] - at[slot * 3 + 1]!,
		waypoint[2] - at[slot * 3 + 2]!,
	];
	const left = flat(way);
	if (left > 0 && left >= tuning(world).goals.arrival) return unit(way);
	const next = (goal.next + 1) % waypoints.length;
	if (next !== goal.next) add(world, slot, Ai, { goal: { ...goal, next } });
	return null;
}

function toTarget(world: World, slot: number, target: EntityHandle | null, at: Float32Array): Vector | null {
	const other = slotOf(world, target);
	if (other < 0 || other === slot || !has(world, other, LocalTransform)) return null;
	return [
		at[other * 3]! - at[slot * 3]!,
		at[other * 3 + 1]! - at[slot * 3 + 1]!,
		at[other * 3 + 2]! - at[slot * 3 + 2]!,
	];
}
