/** Layers of plants, and the tick on which their wind depends. */

import type { FoliageLayer } from '../../../shared/documents/foliage.ts';
import { foliageOf } from '../../sim/foliage/foliage.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

export const foliage: DrawnBlock<readonly FoliageLayer[]> = {
	version: (world) => identityOf(foliageOf(world)),
	read: foliageOf,
};

export const tick: DrawnBlock<number> = {
	version: (world) => world.tick,
	read: (world) => world.tick,
};
