/**
 * One block of a frame: something of a world that the view draws, and the number that says when it is another.
 * Owns: the shape that every file in this folder has. Never: knows what draws it.
 */

import type { World } from '../../sim/core/world.ts';

export interface DrawnBlock<Value> {
	/** Another number for every other value that this world has had. Cheap: asked for with every frame. */
	version(world: World): number;
	/**
	 * Returns the value now; its buffers are given away. `slots` are the drawn entities, in id order: a row for each.
	 * A block of many parts may leave out those that the reader has at the version `known`.
	 */
	read(world: World, slots: readonly number[], known?: number): Value;
}
