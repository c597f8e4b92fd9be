/**
 * Touches of bodies and grounds, with the number of tiles of each.
 * Owns: that a body that goes from one tile to the next touches the same ground all the while, and so does one under
 * which a tile was rebuilt. The library reports each tile by itself, and has no query for it.
 */

import type { EventQueue } from '@dimforge/rapier3d-compat';
import { GROUND, indexOfHandle, type Mirror } from './mirror.ts';

/** That two entities began to touch in a step, or ceased to. */
export interface Touch {
	readonly low: number;
	readonly high: number;
	readonly started: boolean;
}

/** Returns the touches that the library reported in its last step, in its order. */
export function touchesTold({ slotOfCollider }: Mirror, queue: EventQueue): Touch[] {
	const touches: Touch[] = [];
	queue.drainCollisionEvents((first, second, started) => {
		const a = slotOfCollider[indexOfHandle(first)] ?? -1;
		const b = slotOfCollider[indexOfHandle(second)] ?? -1;
		if (a >= 0 && b >= 0) touches.push({ low: Math.min(a, b), high: Math.max(a, b), started });
	});
	return touches;
}

/** More than there are slots. */
const SLOTS = 2 ** 24;

/** Of what the library told in a step, in its order: what is so of the entities. Counts the tiles. */
export function countTiles(mirror: Mirror, told: readonly Touch[]): Touch[] {
	const found: Touch[] = [];
	const before = new Map<number, number>();
	for (const touch of told) {
		const { low, high, started } = touch;
		const [ground, other] = mirror.shape[low] === GROUND ? [low, high] : [high, low];
		if (mirror.shape[ground] !== GROUND) {
			found.push(touch);
			continue;
		}
		const key = ground * SLOTS + other;
		const count = mirror.tiles.get(key) ?? 0;
		if (!before.has(key)) before.set(key, count);
		// Of what was put away, and forgotten with that, the library tells afterwards that it ceased to touch.
		const now = Math.max(0, count + (started ? 1 : -1));
		if (now === 0) mirror.tiles.delete(key);
		else mirror.tiles.set(key, now);
	}
	for (const [key, count] of before) {
		const touches = mirror.tiles.has(key);
		if (touches === count > 0) continue;
		const [ground, other] = [Math.floor(key / SLOTS), key % SLOTS];
		found.push({ low: Math.min(ground, other), high: Math.max(ground, other), started: touches });
	}
	return found;
}

/** Forgets the touches of a removed body, or with a removed ground. */
export function forgetTiles(mirror: Mirror, slot: number): void {
	for (const ground of mirror.grounds.keys()) mirror.tiles.delete(ground * SLOTS + slot);
	if (mirror.shape[slot] !== GROUND) return;
	for (const key of mirror.tiles.keys()) if (Math.floor(key / SLOTS) === slot) mirror.tiles.delete(key);
}

/** Returns all of it as numbers, in order. */
export function tileNumbers({ tiles }: Mirror): Float64Array {
	return Float64Array.from([...tiles].sort(([a], [b]) => a - b).flat());
}

/** It again from such numbers. Throws a RangeError when they are none. */
export function setTileNumbers(mirror: Mirror, numbers: Float64Array): void {
	for (let i = 0; i < numbers.length; i += 2) {
		const [key = -1, count = -1] = numbers.subarray(i, i + 2);
		const sound = Number.isSafeInteger(key) && mirror.grounds.has(Math.floor(key / SLOTS));
		if (!sound || !Number.isSafeInteger(count) || count < 1)
			throw new RangeError('physics has contacts of a ground that does not exist');
		mirror.tiles.set(key, count);
	}
}
