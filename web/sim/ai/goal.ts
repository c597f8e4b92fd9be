/** Goals of walking entities. */

import { Ai, type WalkGoal } from '../../../shared/components/ai.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { add, type World } from '../core/world.ts';
import { ensureMovable } from '../spawn/spawn-entity.ts';

/** Replaces the goal of an entity. Adds a velocity, and a Kinematic body if it has no body. */
export function setGoal(world: World, { id }: EntityHandle, goal: WalkGoal): void {
	add(world, id, Ai, { goal });
	ensureMovable(world, id);
}
