/** The target `all`. */

import { parseFilter } from '../conditions/filter.ts';
import { matchingEntities } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const all: TargetBehaviour<'all'> = (world, filter) => matchingEntities(world, parseFilter(filter));
