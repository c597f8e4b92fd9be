/** The target `source`. */

import { livingTargets } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const source: TargetBehaviour<'source'> = (world, _, { source: cause }) => livingTargets(world, cause);
