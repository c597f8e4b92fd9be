/** The sky and the fog under it. */

import type { FogSettings, SkySettings } from '../../../shared/documents/sky.ts';
import { fog as fogOf, sky as skyOf } from '../../sim/looks/sky.ts';
import type { Drawn } from './drawn.ts';
import { identityOf } from './identity.ts';

export const sky: Drawn<SkySettings> = {
	version: (world) => identityOf(skyOf(world)),
	read: skyOf,
};

export const fog: Drawn<FogSettings> = {
	version: (world) => identityOf(fogOf(world)),
	read: fogOf,
};
