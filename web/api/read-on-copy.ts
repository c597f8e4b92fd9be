/** Reads worlds in slices. Owns: the copy that is read, so that other calls do not disturb the work. */

import { clone, dispose } from '../sim/core/clone.ts';
import { finishWork, type SlicedWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import { shareRows } from '../sim/observe/row-cache.ts';
import type { Host } from './context.ts';

/** Number of entities up to which a world is read without a pause, because a copy would cost more. */
const MAX_WITHOUT_COPY = 4096;

/** Reads the current state of a world: a small one immediately, a large one in slices on a copy. */
export function readInSlices<T>(
	host: Host,
	world: World,
	work: (read: World) => SlicedWork<T>,
): T | Promise<T> {
	return world.entities.count <= MAX_WITHOUT_COPY ? finishWork(work(world)) : readOnCopy(host, world, work);
}

/** Runs work in slices on a copy of a world. Other calls run in between. */
export async function readOnCopy<T>(
	host: Host,
	world: World,
	work: (copy: World) => SlicedWork<T>,
): Promise<T> {
	const copy = clone(world);
	shareRows(world, copy);
	try {
		return await host.inSlices(work(copy));
	} finally {
		dispose(copy);
	}
}
