/** Everything that is drawn besides the entities' meshes, in the order in which it takes frames. */

import { Ground } from '../scene/ground.ts';
import { Sun } from '../scene/sun.ts';
import { Contacts } from './contact.ts';
import { HealthBars } from './health-bars.ts';
import type { MakeSync } from './sync.ts';

export const syncs: readonly MakeSync[] = [
	({ shadowSize }) => new Sun(shadowSize),
	(resources) => new Ground(resources),
	(resources, meshes) => new Contacts(resources, meshes),
	(resources) => new HealthBars(resources.bars),
];
