/** The target `source`. */

import { living } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const source: TargetBehaviour<'source'> = (world, _, { source: cause }) => living(world, cause);
