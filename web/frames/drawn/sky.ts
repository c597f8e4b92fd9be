/** Sky and fog of a world. */

import type { FogSettings, SkySettings } from '../../../shared/documents/sky.ts';
import { fogOf, skyOf } from '../../sim/looks/sky.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

export const sky: DrawnBlock<SkySettings> = {
	version: (world) => identityOf(skyOf(world)),
	read: skyOf,
};

export const fog: DrawnBlock<FogSettings> = {
	version: (world) => identityOf(fogOf(world)),
	read: fogOf,
};
