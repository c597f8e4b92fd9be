/** Entities that can be hurt and healed. */

import { Dead } from '../../../../shared/components/dead.ts';
import { Health } from '../../../../shared/components/health.ts';
import { has, type World } from '../../core/world.ts';

/** Returns true if an entity has health and is not dead. */
export const isLiving = (world: World, id: number): boolean =>
	has(world, id, Health) && !has(world, id, Dead);
