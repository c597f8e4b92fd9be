/** The target `team`. */

import { matching } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const team: TargetBehaviour<'team'> = (world, number) =>
	matching(world, { type: 'team', team: number });
