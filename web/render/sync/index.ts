/** Everything that is drawn besides the entities' meshes, in the order in which it takes frames. */

import { Ground } from '../scene/ground.ts';
import { Sun } from '../scene/sun.ts';
import { Contacts } from './contact.ts';
import { HealthBars } from './health-bars.ts';
import { Lights } from './lights.ts';
import type { MakeSync } from './sync.ts';

export const syncs: readonly MakeSync[] = [
	(resources) => new Sun(resources),
	({ quality }) => new Lights(quality),
	(resources) => new Ground(resources),
	(resources, meshes) => new Contacts(resources, meshes),
	(resources) => new HealthBars(resources.bars),
];
