/** Reading a world in slices. Owns: the copy that is read, so that calls in between disturb nothing. */

import { clone, dispose } from '../sim/core/clone.ts';
import type { Work } from '../sim/core/work.ts';
import type { World } from '../sim/core/world.ts';
import type { Host } from './context.ts';

/** Does work on a world as it is now, with other calls in between. */
export async function onCopy<T>(host: Host, world: World, work: (copy: World) => Work<T>): Promise<T> {
	const copy = clone(world);
	try {
		return await host.inSlices(work(copy));
	} finally {
		dispose(copy);
	}
}
