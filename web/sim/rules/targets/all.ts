/** The target `all`. */

import { parseFilter } from '../conditions/filter.ts';
import { matching } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const all: TargetBehaviour<'all'> = (world, filter) => matching(world, parseFilter(filter));
