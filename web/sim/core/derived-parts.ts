/**
 * Rebuilds derived parts when their sources have changed.
 * Owns: the time of the rebuild: between two ticks, completely, before the first system runs. So a tick finds the same
 * state on a slow machine as on a fast one.
 */

import type { World } from './world.ts';

/** Returns true if a derived part must be computed before the next tick. */
export function hasStaleParts(world: World): boolean {
	for (const { part, state } of world.parts.values())
		if (part.derived?.isStale(state, world) === true) return true;
	return false;
}

/** Rebuilds the stale parts in slices. Each part keeps its old state until the new state is complete. */
export function* rebuildParts(world: World): Generator<void, void> {
	for (const heldPart of world.parts.values()) {
		const { part } = heldPart;
		if (part.derived?.isStale(heldPart.state, world) !== true) continue;
		const oldState = heldPart.state;
		heldPart.state = yield* part.derived.rebuild(world);
		part.dispose?.(oldState);
	}
}
