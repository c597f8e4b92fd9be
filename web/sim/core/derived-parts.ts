/**
 * Keeps derived parts in step with what they are worked out from.
 * Owns: the time of it: between two ticks, completely, before the first system runs. However long it takes, the tick
 * finds the same state, so that no future depends on how quick a machine is.
 */

import type { World } from './world.ts';

/** Returns true if a derived part must be computed before the next tick. */
export function hasStaleParts(world: World): boolean {
	for (const { part, state } of world.parts.values())
		if (part.derived?.stale(state, world) === true) return true;
	return false;
}

/** Works out what is stale, bit by bit. Until a part is done, the world has what it had before. */
export function* rebuildParts(world: World): Generator<void, void> {
	for (const heldPart of world.parts.values()) {
		const { part } = heldPart;
		if (part.derived?.stale(heldPart.state, world) !== true) continue;
		const before = heldPart.state;
		heldPart.state = yield* part.derived.rebuild(world);
		part.dispose?.(before);
	}
}
