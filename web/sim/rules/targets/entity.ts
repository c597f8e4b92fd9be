/** The target `entity`: by its id also a rule or an assertion. */

import { handleOf, isAlive } from '../../core/entities.ts';
import type { TargetBehaviour } from './target.ts';

export const entity: TargetBehaviour<'entity'> = (world, id) =>
	isAlive(world, id) ? [handleOf(world, id)] : [];
