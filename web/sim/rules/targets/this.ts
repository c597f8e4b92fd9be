/** The target `this`. */

import { living } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const thisEntity: TargetBehaviour<'this'> = (world, _, { subject }) => living(world, subject);
