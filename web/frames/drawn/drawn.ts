/**
 * One block of a frame: a part of a world that the view draws, and a version number that changes with it.
 * Owns: the interface of every file in this folder. Never: depends on how it is drawn.
 */

import type { World } from '../../sim/core/world.ts';

export interface DrawnBlock<Value> {
	/** Returns a number that differs for different values of a world. It must be cheap, because every frame needs it. */
	version(world: World): number;
	/**
	 * Returns the current value, whose buffers are transferred. `slots` are the drawn entities in id order, one row for each. A block of
	 * many parts may omit those that the reader has at the version `known`.
	 */
	read(world: World, slots: readonly number[], known?: number): Value;
}
