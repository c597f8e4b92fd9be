/** The target `tag`. */

import { matching } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const tag: TargetBehaviour<'tag'> = (world, label) => matching(world, { type: 'tag', tag: label });
