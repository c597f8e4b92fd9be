/** The target `entity`: the entity with an id, which may also be a rule or an assertion. */

import { handleOf, isAlive } from '../../core/entities.ts';
import type { TargetBehaviour } from './target.ts';

export const entity: TargetBehaviour<'entity'> = (world, id) =>
	isAlive(world, id) ? [handleOf(world, id)] : [];
