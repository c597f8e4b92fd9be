/** Giving an entity a goal to walk by. */

import { Ai, type WalkGoal } from '../../../shared/components/ai.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { add, type World } from '../core/world.ts';
import { ensureMovable } from '../spawn/spawn-entity.ts';

/** Replaces the goal of an entity and gives it what walking needs: a velocity, and a Kinematic body unless it has one. */
export function setGoal(world: World, { id }: EntityHandle, goal: WalkGoal): void {
	add(world, id, Ai, { goal });
	ensureMovable(world, id);
}
