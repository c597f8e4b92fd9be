/** The target `this`. */

import { livingTargets } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const thisEntity: TargetBehaviour<'this'> = (world, _, { subject }) => livingTargets(world, subject);
