/**
 * Merges the touches of the tiles of a ground into touches of the ground.
 * Owns: the number of tiles that each body touches. The library reports each tile separately. So a body that moves to the
 * next tile, or whose tile is rebuilt, keeps touching the same ground.
 */

import type { EventQueue } from '@dimforge/rapier3d-compat';
import { GROUND, indexOfHandle, type Mirror } from './mirror.ts';

/** Start or end of a touch of two entities in a step. */
export interface Touch {
	readonly low: number;
	readonly high: number;
	readonly isStart: boolean;
}

/** Takes the touches that the library reported in its last step, in its order. */
export function takeTouches({ slotOfCollider }: Mirror, queue: EventQueue): Touch[] {
	const touches: Touch[] = [];
	queue.drainCollisionEvents((first, second, isStart) => {
		const a = slotOfCollider[indexOfHandle(first)] ?? -1;
		const b = slotOfCollider[indexOfHandle(second)] ?? -1;
		if (a >= 0 && b >= 0) touches.push({ low: Math.min(a, b), high: Math.max(a, b), isStart });
	});
	return touches;
}

/** Factor of the ground's slot in a key. It is larger than any slot. */
const KEY_BASE = 2 ** 24;

/** Updates the tile counts with the reported touches. Returns the touches between entities. */
export function mergeTileTouches(mirror: Mirror, reported: readonly Touch[]): Touch[] {
	const merged: Touch[] = [];
	const oldCounts = new Map<number, number>();
	for (const touch of reported) {
		const { low, high, isStart } = touch;
		const [ground, other] = mirror.shape[low] === GROUND ? [low, high] : [high, low];
		if (mirror.shape[ground] !== GROUND) {
			merged.push(touch);
			continue;
		}
		const key = ground * KEY_BASE + other;
		const count = mirror.tiles.get(key) ?? 0;
		if (!oldCounts.has(key)) oldCounts.set(key, count);
		// After a body was removed and its counts were deleted, the library still reports the end of its touches.
		const newCount = Math.max(0, count + (isStart ? 1 : -1));
		if (newCount === 0) mirror.tiles.delete(key);
		else mirror.tiles.set(key, newCount);
	}
	for (const [key, count] of oldCounts) {
		const isTouching = mirror.tiles.has(key);
		if (isTouching === count > 0) continue;
		const [ground, other] = [Math.floor(key / KEY_BASE), key % KEY_BASE];
		merged.push({ low: Math.min(ground, other), high: Math.max(ground, other), isStart: isTouching });
	}
	return merged;
}

/** Deletes the tile counts of a removed body or ground. */
export function deleteTileCounts(mirror: Mirror, slot: number): void {
	for (const ground of mirror.grounds.keys()) mirror.tiles.delete(ground * KEY_BASE + slot);
	if (mirror.shape[slot] !== GROUND) return;
	for (const key of mirror.tiles.keys()) if (Math.floor(key / KEY_BASE) === slot) mirror.tiles.delete(key);
}

/** Returns all tile counts as numbers, in the order of their keys. */
export function encodeTileCounts({ tiles }: Mirror): Float64Array {
	return Float64Array.from([...tiles].sort(([a], [b]) => a - b).flat());
}

/** Restores the tile counts from numbers. Throws a RangeError if they are invalid. */
export function decodeTileCounts(mirror: Mirror, numbers: Float64Array): void {
	for (let i = 0; i < numbers.length; i += 2) {
		const [key = -1, count = -1] = numbers.subarray(i, i + 2);
		const isValidKey = Number.isSafeInteger(key) && mirror.grounds.has(Math.floor(key / KEY_BASE));
		if (!isValidKey || !Number.isSafeInteger(count) || count < 1)
			throw new RangeError('physics has contacts of a ground that does not exist');
		mirror.tiles.set(key, count);
	}
}
