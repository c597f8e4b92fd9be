/** Reading a world in slices. Owns: the copy that is read, so that calls in between disturb nothing. */

import { clone, dispose } from '../sim/core/clone.ts';
import { finishWork, type SlicedWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import type { Host } from './context.ts';

/** Entities that are read without a stop: a copy costs more than it saves in a world of no more than that. */
const AT_ONCE = 4096;

/** Reads a world as it is now: a small one immediately, a large one with other calls in between. */
export function readOut<T>(host: Host, world: World, work: (read: World) => SlicedWork<T>): T | Promise<T> {
	return world.entities.count <= AT_ONCE ? finishWork(work(world)) : readOnCopy(host, world, work);
}

/** Does work on a world as it is now, with other calls in between. */
export async function readOnCopy<T>(
	host: Host,
	world: World,
	work: (copy: World) => SlicedWork<T>,
): Promise<T> {
	const copy = clone(world);
	try {
		return await host.inSlices(work(copy));
	} finally {
		dispose(copy);
	}
}
