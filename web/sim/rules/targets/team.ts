/** The target `team`. */

import { matchingEntities } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const team: TargetBehaviour<'team'> = (world, number) =>
	matchingEntities(world, { type: 'team', team: number });
