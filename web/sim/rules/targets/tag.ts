/** The target `tag`. */

import { matchingEntities } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const tag: TargetBehaviour<'tag'> = (world, label) =>
	matchingEntities(world, { type: 'tag', tag: label });
